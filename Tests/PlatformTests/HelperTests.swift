import Platform
import Testing

@Suite struct HelperTests {
  @Test func `pieces are done in order`() {
    let done = HandOff<Bool>()
    let order = Monitor([Int]())
    let helper = Helper()
    for piece in 1...3 { helper.add { order.with { $0.append(piece) } } }
    helper.add { _ = done.send(true) }
    withExtendedLifetime(helper) { #expect(done.receive() == true) }
    #expect(order.with(\.self) == [1, 2, 3])
  }

  @Test func `the other thread helps in the end, and waits for what has begun`() {
    let handOff = HandOff<Int>()
    let received = Monitor(0)
    let helper = Helper()
    // Either thread waits for the other.
    helper.add {
      let value = handOff.receive()
      received.with { $0 = value ?? -1 }
    }
    helper.add { _ = handOff.send(7) }
    helper.finish()
    #expect(received.with(\.self) == 7)
    #expect(helper.results(of: 1000) { 2 * $0 } == (0..<1000).map { 2 * $0 })
  }

  @Test func `a helper without an owner does nothing more`() {
    final class Token: Sendable {}
    let (begun, end) = (HandOff<Bool>(), HandOff<Bool>())
    var token: Token? = Token()
    weak let ofPiece = token
    var helper: Helper? = Helper()
    helper?.add {
      _ = begun.send(true)
      _ = end.receive()
    }
    helper?.add { [token] in withExtendedLifetime(token) {} }
    token = nil
    #expect(begun.receive() == true)
    #expect(ofPiece != nil)
    helper = nil
    #expect(ofPiece == nil, "the second piece still waits")
    #expect(end.send(true))
  }
}
