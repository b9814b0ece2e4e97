package import Vocabulary
import SQLiteFormat
import SQLiteSwiftly
import Schema
import Provenance

extension CatalogComparison {
  /// Counts the differences if the rows read for each table were loaded; keys can only be compared after a load.
  package func foreseenChanges(
    _ read: [ReadRows], in run: RunContext
  ) throws(IngestError) -> CatalogChanges? {
    try changes(of: .foreseen(read, run.options), run.recorder)
  }

  func foreseenChange(
    of table: TablePair, from old: Connection, to new: Connection, _ read: [ReadRows],
    onlyRows: Bool
  ) throws(ComparisonError) -> CatalogChanges.Table {
    var table = table
    table.key = []
    var change = try table.change(from: old, to: new, onlyRows: onlyRows)
    guard let place = schema.tables.firstIndex(where: { haveSameBytes($0.name, table.name) }),
      change.rowsAfter != nil
    else { return change }
    change.rowsAfter = read[place].rows
    for index in change.nulls.indices {
      let column = schema.tables[place].columnIndex(change.nulls[index].column)
      change.nulls[index].after = column.map { read[place].nulls[$0] } ?? 0
    }
    return change
  }

  /// A database with all objects of the schema, but without rows.
  func emptyCatalog(withSearch hasSearch: Bool) throws(SQLiteError) -> Connection {
    let connection = try Connection.inMemory()
    for table in schema.tables + schema.allDerivedTables + Provenance.tables {
      try connection.createTable(describedBy: table)
    }
    for view in schema.views { try connection.execute(view.creation) }
    if hasSearch, let search = schema.search, try connection.canSearch(search) {
      _ = try connection.createSearch(search)
    }
    return connection
  }
}
