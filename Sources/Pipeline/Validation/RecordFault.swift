package import Vocabulary
package import CSV

package struct RecordFault: Equatable {
  package let code: RecordCode
  /// The column with the fault, or -1.
  package var column = -1
  /// The offset of a fault of form in the decompressed file.
  package var offset = -1
  /// The index of a duplicate key among those of the table.
  package var key = -1
  /// The index of the foreign key of a missing parent, or -1 for the first one of the column alone.
  package var reference = -1
}

package protocol RejectSink: ~Copyable {
  /// Adds a record with all its faults; it is counted under the first.
  mutating func add(
    _ record: Record, _ faults: [RecordFault], table: Int, in batch: borrowing RecordBatch,
    _ reasons: ReasonWriter
  ) throws(IngestError)
}
