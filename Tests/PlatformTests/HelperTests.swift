import Platform
import Testing

@Suite struct HelperTests {
  @Test func `pieces are done in order, the urgent ones first`() {
    let (start, done) = (HandOff<Bool>(), HandOff<Bool>())
    let order = Monitor([Int]())
    let helper = Helper("helper")
    helper.add { _ = start.receive() }
    for piece in 1...3 { helper.add { order.with { $0.append(piece) } } }
    helper.add(isUrgent: true) { order.with { $0.append(4) } }
    helper.add { _ = done.send(true) }
    #expect(start.send(true))
    #expect(done.receive() == true)
    #expect(order.with(\.self) == [4, 1, 2, 3])
  }

  @Test func `the other thread helps in the end, and waits for what has begun`() {
    let handOff = HandOff<Int>()
    let received = Monitor(0)
    let helper = Helper("helper")
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
    let (begun, start) = (HandOff<Bool>(), HandOff<Bool>())
    let done = Monitor([Int]())
    var helper: Helper? = Helper("helper")
    helper?.add {
      _ = begun.send(true)
      _ = start.receive()
      done.with { $0.append(1) }
    }
    helper?.add { done.with { $0.append(2) } }
    #expect(begun.receive() == true)
    helper = nil
    #expect(start.send(true))
    #expect(done.when({ !$0.isEmpty }) { $0 } == [1])
  }
}
