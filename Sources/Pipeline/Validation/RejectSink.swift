package import Facts
package import CSV

package protocol RejectSink: ~Copyable {
  /// Takes a record with all that is wrong with it, the fault that it is counted under first.
  mutating func add(
    _ record: Record, _ faults: [RecordFault], table: Int, in batch: borrowing RecordBatch,
    _ reasons: ReasonWriter
  ) throws(IngestError)
}
