/// A table whose rows the nodes of a Citus cluster share by the values of a column.
package struct DistributedTable: Equatable, Sendable {
  package let table: String
  package let column: String

  package init(table: String, column: String) {
    self.table = table
    self.column = column
  }
}
