import Vocabulary
@testable import SQLiteDestination
@testable import Platform
import Glibc
import TestSupport
import Testing

@Suite struct EntryCollectionTests {
  /// The reader waits for a batch, and the writer for what the reader makes of it.
  @Test(.timeLimit(.minutes(10)))
  func `nobody waits for a thread of the indexes that has given up`() throws {
    let ring = Ring(columns: 1)
    for _ in 0..<HandOff<Delivery>.capacity { passOn(from: ring) }
    // There is no such file.
    let collection = try EntryCollection(Family.schema, ring, for: -1)
    #expect(!hasBatch(ring))
    #expect(throws: FileError(code: EBADF)) { try collection.result() }
  }

  /// Does what the reader and the writer do with a batch, in which there are no rows.
  private func passOn(from ring: Ring) {
    guard let batch = ring.free.receive() else { return }
    let isTaken = ring.inserted.send(batch)
    #expect(isTaken)
  }

  private func hasBatch(_ ring: Ring) -> Bool {
    let batch = ring.free.receive()
    return batch != nil
  }
}
