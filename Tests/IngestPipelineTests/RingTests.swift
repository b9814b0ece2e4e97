import Glibc
import Platform
import SQLiteSwiftly
import Testing
import Vocabulary

/// Batches without rows, told apart by their tables.
@Suite struct RingTests {
  @Test(.timeLimit(.minutes(20)))
  func `batches arrive in order, and what remains is done in order, however the threads are timed`()
  {
    let ring = Ring(cells: 1, textCapacity: 1)
    let done = Monitor([Int]())
    let reader = Self.sending(10_000, to: ring)
    var received: [Int] = []
    while let delivery = ring.next() {
      received.append(delivery.table)
      // Either thread is sometimes behind.
      if delivery.table % 100 == 0 { usleep(100) }
      ring.giveBack(delivery) { delivery in
        let table = delivery.table
        done.with { $0.append(table) }
        return true
      }
    }
    #expect(received == Array(0..<10_000))
    #expect(done.with(\.self) == received)
    #expect(reader.result() == 10_000)
  }

  @Test func `the reader does what remains when it has no other batch`() {
    let ring = Ring(cells: 1, textCapacity: 1)
    let done = Monitor([Int]())
    var sender = BatchSender(ring)
    for table in 0..<Ring.size {
      let isSent = sender.begin(columns: 1) && sender.send(table: table, isLast: false)
      #expect(isSent)
      guard let delivery = ring.next() else { break }
      ring.giveBack(delivery) { delivery in
        let table = delivery.table
        done.with { $0.append(table) }
        return true
      }
    }
    #expect(done.with(\.self) == [])
    let isFree = sender.begin(columns: 1)
    #expect(isFree)
    #expect(done.with(\.self) == [0])
  }

  @Test(.timeLimit(.minutes(20)), arguments: [true, false])
  func `nobody waits after a failure`(ofWriter: Bool) {
    let ring = Ring(cells: 1, textCapacity: 1)
    let reader = Self.sending(Int.max, to: ring)
    while let delivery = ring.next() {
      let table = delivery.table
      if ofWriter, table == 20 { ring.end() }
      ring.giveBack(delivery) { $0.table != 20 }
    }
    #expect(reader.result() < 20 + 3 * Ring.size)
  }

  @Test func `the time that each thread waits is its own`() {
    let ring = Ring(cells: 1, textCapacity: 1)
    var sender = BatchSender(ring)
    let start = ContinuousClock.now
    let isSent = sender.begin(columns: 1) && sender.send(table: 0, isLast: false)
    let (reader, none) = ring.secondsWaited
    #expect(isSent && reader > 0 && none == 0)
    let isReceived = ring.next() != nil
    let (unchanged, writer) = ring.secondsWaited
    #expect(isReceived && unchanged == reader && writer > 0)
    #expect(reader + writer <= (ContinuousClock.now - start).seconds)
  }

  @Test func `a closed ring accepts nothing, and delivers what was sent`() {
    let ring = Ring(cells: 1, textCapacity: 1)
    var sender = BatchSender(ring)
    var (isFree, isSent) = (sender.begin(columns: 1), sender.send(table: 7, isLast: true))
    #expect(isFree && isSent)
    sender.close()
    (isFree, isSent) = (sender.begin(columns: 1), sender.send(table: 8, isLast: true))
    #expect(isFree && !isSent)
    guard let last = ring.next() else {
      Issue.record("nothing was delivered")
      return
    }
    let (table, isLast) = (last.table, last.isLast)
    #expect(table == 7 && isLast)
    let isOver = ring.next() == nil
    #expect(isOver)
  }

  /// Sends batches from another thread, whose result is the number of those accepted.
  private static func sending(_ count: Int, to ring: Ring) -> Worker<Int> {
    do {
      return try Worker("reader") {
        var sender = BatchSender(ring)
        defer { sender.close() }
        for table in 0..<count {
          guard sender.begin(columns: 1), sender.send(table: table, isLast: false) else {
            return table
          }
        }
        return count
      }
    } catch {
      fatalError("no thread: \(error)")
    }
  }
}
