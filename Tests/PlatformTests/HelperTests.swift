import Platform
import Testing

@Suite struct HelperTests {
  @Test func `pieces are done in order`() {
    let isDone = Monitor(false)
    let order = Monitor([Int]())
    let helper = Helper()
    for piece in 1...3 { helper.add { order.with { $0.append(piece) } } }
    helper.add { isDone.with { $0 = true } }
    withExtendedLifetime(helper) { isDone.when(\.self) { _ in } }
    #expect(order.with(\.self) == [1, 2, 3])
  }

  @Test func `the other thread helps in the end, and waits for what has begun`() {
    let sent = Monitor<Int?>(nil)
    let received = Monitor(0)
    let helper = Helper()
    // Either thread waits for the other.
    helper.add {
      let value = sent.when({ $0 != nil }) { $0 ?? -1 }
      received.with { $0 = value }
    }
    helper.add { sent.with { $0 = 7 } }
    helper.finish()
    #expect(received.with(\.self) == 7)
    #expect(helper.results(of: 1000) { 2 * $0 } == (0..<1000).map { 2 * $0 })
  }

  @Test func `a helper without an owner does nothing more`() {
    final class Token: Sendable {}
    let (hasBegun, canEnd) = (Monitor(false), Monitor(false))
    var token: Token? = Token()
    weak let ofPiece = token
    var helper: Helper? = Helper()
    helper?.add {
      hasBegun.with { $0 = true }
      canEnd.when(\.self) { _ in }
    }
    helper?.add { [token] in withExtendedLifetime(token) {} }
    token = nil
    hasBegun.when(\.self) { _ in }
    #expect(ofPiece != nil)
    helper = nil
    #expect(ofPiece == nil, "the second piece still waits")
    canEnd.with { $0 = true }
  }
}
