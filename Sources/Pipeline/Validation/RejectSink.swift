package import Facts
package import CSV

package protocol RejectSink: ~Copyable {
  /// Adds a record with all its faults; it is counted under the first.
  mutating func add(
    _ record: Record, _ faults: [RecordFault], table: Int, in batch: borrowing RecordBatch,
    _ reasons: ReasonWriter
  ) throws(IngestError)
}
