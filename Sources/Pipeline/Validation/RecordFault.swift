package import Facts
import CSV

package struct RecordFault: Equatable {
  package let code: RecordCode
  /// The column that is to blame, or -1.
  package var column = -1
  /// For a fault in the record's form: its offset in the decompressed file.
  package var offset = -1
  /// For a duplicate: the key, among those of the table.
  package var key = -1
  /// For a missing parent: the foreign key, among those of the table, or -1 for the first one of the column
  /// alone.
  package var reference = -1
}
