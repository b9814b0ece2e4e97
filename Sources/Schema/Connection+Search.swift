package import SQLiteSwiftly

extension Connection {
  /// Whether the library can make and use the index of a search.
  package func canSearch(_ search: SearchDescription) throws(SQLiteError) -> Bool {
    try value(of: "SELECT 1 FROM pragma_module_list WHERE name = \(search.module)") != nil
  }

  /// Makes and fills a search, in one transaction.
  ///
  /// - Parameter search: its description.
  /// - Returns: How many things can be found.
  /// - Throws: `SQLiteError`, as when there is no such module.
  package func createSearch(_ search: SearchDescription) throws(SQLiteError) -> Int {
    try search.validate()
    return try transaction { () throws(SQLiteError) in
      try execute(search.entriesCreation)
      for filling in search.fillings { try execute(filling) }
      try execute(search.indexCreation)
      try configure(search, "rank", .text(search.ranking))
      // What fits into this memory becomes one segment at once, which would otherwise be written in ten and
      // merged: 0.33 s instead of 0.89 at the size of a full catalog, and fewer bytes. The rest of the
      // default settings, to which this returns, are for indexes that change.
      try configure(search, "hashsize", .integer(64 << 20))
      try command(search, "rebuild")
      try configure(search, "hashsize", .integer(1 << 20))
      try execute(search.view.creation)
      let entries = try value(
        of: "SELECT count(*) FROM \(identifier: search.entriesTable)")
      return Int(entries?.integerValue ?? 0)
    }
  }

  /// Checks that the index has the words of what can be found, and no others.
  ///
  /// SQLite's own checks do not look into it.
  ///
  /// - Throws: `SQLiteError` with `corrupt` if it has not.
  package func checkSearch(_ search: SearchDescription) throws(SQLiteError) {
    try configure(search, "integrity-check", .integer(1))
  }

  /// Checks the same of a file that is only read: it is a copy in memory that is checked.
  ///
  /// To FTS5 a check is an insert, though nothing is written by it.
  package static func checkSearch(
    _ search: SearchDescription, ofFileAt path: String
  ) throws(SQLiteError) {
    let copy = try Connection.inMemory()
    try copy.execute(search.entriesCreation)
    try copy.execute(search.indexCreation)
    let file = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    try copy.execute("ATTACH \(file) AS original")
    for table in search.tableNames where !haveSameBytes(table, search.indexTable) {
      try copy.execute("DELETE FROM main.\(identifier: table)")
      try copy.execute(
        "INSERT INTO main.\(identifier: table) SELECT * FROM original.\(identifier: table)")
    }
    try copy.checkSearch(search)
    try copy.close()
  }

  /// Whether the main database has the search of a description, with all that it is made of.
  func hasSearch(_ search: SearchDescription) throws(SQLiteError) -> Bool {
    let text = search.indexCreation.text
    return try value(
      of: """
        SELECT 1 FROM main.sqlite_schema
        WHERE type = 'table' AND name = \(search.indexTable) AND sql = \(text)
        """) != nil
  }

  private func command(
    _ search: SearchDescription, _ command: String
  ) throws(SQLiteError) {
    let index = search.indexTable
    try execute("INSERT INTO \(identifier: index) (\(identifier: index)) VALUES (\(command))")
  }

  private func configure(
    _ search: SearchDescription, _ setting: String, _ value: SQLiteValue
  ) throws(SQLiteError) {
    let index = search.indexTable
    try execute(
      """
      INSERT INTO \(identifier: index) (\(identifier: index), "rank") VALUES (\(setting), \(value))
      """)
  }
}
