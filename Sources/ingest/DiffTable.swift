import SQLiteDestination
import Facts
import IngestReport

/// The tables in which two catalogues differ, as text.
struct DiffTable {
  private let tables: [(table: TablePair, found: CatalogChanges.Table)]

  init(_ tables: [(TablePair, CatalogChanges.Table)]) { self.tables = tables }

  /// The lines: how much differs in each table, and after that in which columns.
  var lines: [String] {
    let header = ["changed table", "rows before", "now", "keys added", "removed", "changed"]
    let counts = tables.map { table, found in
      [
        table.name, found.rowsBefore?.grouped ?? "-", found.rowsAfter?.grouped ?? "-",
        found.keys?.added.grouped ?? "-", found.keys?.removed.grouped ?? "-",
        found.keys?.changed.grouped ?? "-",
      ]
    }
    return columns([header] + counts) + changedColumns + onesidedColumns
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
      table.removedColumns.map { "\(table.name).\($0): only in the old catalogue" }
        + table.addedColumns.map { "\(table.name).\($0): only in the new catalogue" }
    }
    return names.isEmpty ? [] : [""] + names
  }
}
