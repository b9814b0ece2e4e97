/// A catalogue that a run would make again as it is.
package struct UnchangedCatalog: Equatable, Sendable {
  /// The files that it was made from.
  package let files: Int
  /// The rows in its tables.
  package let rows: Int
  /// The records that were rejected when it was made.
  package let rejected: Int
  /// Its size in bytes.
  package let bytes: Int

  package init(files: Int, rows: Int, rejected: Int, bytes: Int) {
    self.files = files
    self.rows = rows
    self.rejected = rejected
    self.bytes = bytes
  }
}
