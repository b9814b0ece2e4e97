@testable import Platform
import Dispatch
import Testing

@Suite struct HandOffTests {
  @Test func `values arrive in order, however the threads are timed`() {
    let queue = HandOff<Int>()
    DispatchQueue(label: "sender").async {
      for value in 0..<10_000 { _ = queue.send(value) }
      queue.close()
    }
    var received: [Int] = []
    while let value = queue.receive() { received.append(value) }
    #expect(received == Array(0..<10_000))
  }

  @Test func `a closed queue accepts nothing, and delivers its values`() {
    let queue = HandOff<Int>()
    #expect(queue.send(1))
    queue.close()
    #expect(!queue.send(2))
    #expect(queue.receive() == 1)
    #expect(queue.receive() == nil)
  }

  @Test func `closing wakes a waiting sender`() {
    let queue = HandOff<Int>()
    let result = HandOff<Bool>()
    for value in 0..<HandOff<Int>.capacity { #expect(queue.send(value)) }
    DispatchQueue(label: "sender").async { _ = result.send(queue.send(99)) }
    queue.close()
    #expect(result.receive() == false)
  }
}
