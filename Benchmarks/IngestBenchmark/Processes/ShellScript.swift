import Schema
import RebrickableCatalog
import SQLiteSwiftly

/// What the shell runs to load all dumps, with the keys and indexes of a catalog that exists.
///
/// It checks nothing: there are no foreign keys, domains or statistics, booleans stay words, and
/// empty fields empty texts. Keys are made after the rows, which is fastest.
struct ShellScript {
  private(set) var lines: [String] = []

  /// Reads keys and indexes from `catalog`.
  init(_ source: String, catalog: String, contents: DumpContents) throws {
    let connection = try Connection(catalog, opening: .readOnly)
    var indexes: [String] = []
    for table in RebrickableCatalog.schema.tables.map(\.name) {
      let known = try connection.query(
        "SELECT name, type, pk FROM pragma_table_info(\(table))"
      ).map { (name: $0[0].textValue ?? "", type: $0[1].textValue ?? "", key: $0[2].integerValue) }
      let key = known.filter { $0.key != 0 }.sorted { $0.key ?? 0 < $1.key ?? 0 }
      let isRowid = key.count == 1 && key[0].type == "INTEGER"
      let columns = (contents.columns[table] ?? []).map { name in
        let type = known.first { $0.name == name }?.type ?? "TEXT"
        return "\(name) \(type)" + (isRowid && key[0].name == name ? " PRIMARY KEY" : "")
      }
      lines.append("CREATE TABLE \(table) (\(columns.joined(separator: ", ")));")
      lines.append(Shell.importing("\(source)/\(table).csv.gz", into: table))
      if !isRowid {
        let names = key.map(\.name).joined(separator: ", ")
        indexes.append("CREATE UNIQUE INDEX \(table)_key ON \(table) (\(names));")
      }
      indexes += try connection.query(
        """
        SELECT sql || ';' FROM sqlite_schema
        WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = \(table)
        """, as: String.self)
    }
    lines += indexes
  }
}

/// Throws unless a database has as many rows in each table as the dumps have records.
func checkRows(of database: String, are contents: DumpContents, in work: String) throws {
  let connection = try Connection(database, opening: .readOnly)
  for (table, records) in contents.records {
    let rows = try connection.query("SELECT count(*) FROM \(identifier: table)", as: Int.self)
    try check(rows, is: [records], in: "\(work), rows of \(table)")
  }
}
