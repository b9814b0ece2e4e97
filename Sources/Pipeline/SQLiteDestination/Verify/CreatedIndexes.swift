import SQLiteSwiftly

extension Connection {
  /// The indexes of a table and its keys, except the `loaded` ones, with the number of their entries.
  func entriesOfIndexes(
    on table: String, besides loaded: [String]
  ) throws(SQLiteError) -> [(name: String, entries: Int)] {
    // The key of a table without rowids is the table itself. Rows cannot be counted in a partial index or an index on
    // expressions, which only custom SQL makes.
    let names = try query(
      """
      SELECT list.name FROM pragma_index_list(\(table)) AS list JOIN main.sqlite_schema USING (name)
      WHERE type = 'index' AND NOT partial
        AND NOT EXISTS (SELECT 1 FROM pragma_index_xinfo(list.name) WHERE cid = -2)
      ORDER BY list.name
      """)
    let others = names.compactMap { $0[0].textValue }.filter { !loaded.hasName($0) }
    return try others.map { name throws(SQLiteError) in
      // Without a condition, SQLite counts in the smallest index.
      let count = try value(
        of: """
          SELECT count(*) FROM main.\(identifier: table) INDEXED BY \(identifier: name) WHERE true
          """)
      return (name, Int(count?.integerValue ?? -1))
    }
  }
}
