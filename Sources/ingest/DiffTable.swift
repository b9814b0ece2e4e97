import SQLiteDestination
import Vocabulary
import Text

extension CatalogChanges.Table {
  static let header = ["changed table", "rows before", "now", "keys added", "removed", "changed"]

  var cells: [String] {
    [
      name, rowsBefore?.grouped ?? "-", rowsAfter?.grouped ?? "-", keys?.added.grouped ?? "-",
      keys?.removed.grouped ?? "-", keys?.changed.grouped ?? "-",
    ]
  }
}

/// The differing tables of two databases with their counts, followed by the differing columns.
struct DiffTable {
  let tables: [(table: TablePair, changes: CatalogChanges.Table)]

  var lines: [String] {
    guard !tables.isEmpty else { return [] }
    return columns([CatalogChanges.Table.header] + tables.map(\.changes.cells)) + changedColumns
      + addedAndRemovedColumns
  }

  private var changedColumns: [String] {
    let rows = tables.flatMap { table, changes in
      zip(table.columns, changes.changes).filter { $1 > 0 }.map {
        ["\(table.name).\($0)", $1.grouped]
      }
    }
    return rows.isEmpty ? [] : [""] + columns([["changed column", "keys"]] + rows)
  }

  private var addedAndRemovedColumns: [String] {
    let names = tables.flatMap { table, _ in
      table.removedColumns.map { "\(table.name).\($0): only in the old database" }
        + table.addedColumns.map { "\(table.name).\($0): only in the new database" }
    }
    return names.isEmpty ? [] : [""] + names
  }
}
