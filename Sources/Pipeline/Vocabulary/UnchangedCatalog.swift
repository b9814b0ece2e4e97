/// A previous database that a run would recreate unchanged.
package struct UnchangedCatalog: Equatable, Sendable {
  package let files: Int
  package let rows: Int
  package let rejected: Int
  package let bytes: Int

  package init(files: Int, rows: Int, rejected: Int, bytes: Int) {
    self.files = files
    self.rows = rows
    self.rejected = rejected
    self.bytes = bytes
  }
}
