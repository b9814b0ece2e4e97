package import Facts
package import CSV

/// Takes the records that a validator rejects.
package protocol RejectSink: ~Copyable {
  /// Takes a record of a table.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - faults: all that is wrong with it, the one that it is counted under first.
  ///   - table: the number of the table.
  ///   - batch: has the record.
  ///   - reasons: describes what is wrong.
  /// - Throws: `IngestError` if it cannot be kept.
  mutating func add(
    _ record: Record, _ faults: [RecordFault], table: Int, in batch: borrowing RecordBatch,
    _ reasons: ReasonWriter
  ) throws(IngestError)
}
