import SQLiteDestination
import Facts
import IngestReport

extension CatalogChanges.Table {
  static let header = ["changed table", "rows before", "now", "keys added", "removed", "changed"]

  /// The cells below that header.
  var cells: [String] {
    [
      name, rowsBefore?.grouped ?? "-", rowsAfter?.grouped ?? "-", keys?.added.grouped ?? "-",
      keys?.removed.grouped ?? "-", keys?.changed.grouped ?? "-",
    ]
  }
}

/// The tables in which two catalogs differ: how much in each, and after that in which columns.
struct DiffTable {
  let tables: [(table: TablePair, found: CatalogChanges.Table)]

  var lines: [String] {
    guard !tables.isEmpty else { return [] }
    return columns([CatalogChanges.Table.header] + tables.map(\.found.cells)) + changedColumns
      + onesidedColumns
  }

  private var changedColumns: [String] {
    let rows = tables.flatMap { table, found in
      zip(table.columns, found.changes).filter { $1 > 0 }.map {
        ["\(table.name).\($0)", $1.grouped]
      }
    }
    return rows.isEmpty ? [] : [""] + columns([["changed column", "keys"]] + rows)
  }

  private var onesidedColumns: [String] {
    let names = tables.flatMap { table, _ in
      table.removedColumns.map { "\(table.name).\($0): only in the old catalog" }
        + table.addedColumns.map { "\(table.name).\($0): only in the new catalog" }
    }
    return names.isEmpty ? [] : [""] + names
  }
}
