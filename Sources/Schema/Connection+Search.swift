package import SQLiteSwiftly

extension Connection {
  /// Whether the SQLite library can create and use the index of a search.
  package func canSearch(_ search: SearchDescription) throws(SQLiteError) -> Bool {
    try value(of: "SELECT 1 FROM pragma_module_list WHERE name = \(search.module)") != nil
  }

  /// Creates and fills a search, in one transaction, and returns the number of entries.
  package func createSearch(_ search: SearchDescription) throws(SQLiteError) -> Int {
    try search.validate()
    return try transaction { () throws(SQLiteError) in
      try execute(search.entriesCreation)
      for filling in search.fillings { try execute(filling) }
      try execute(search.indexCreation)
      try configure(search, "rank", .text(search.ranking))
      // Words that fit into this memory are written as one segment. A full catalog makes two
      // instead of six, and is 0.8 MB smaller; with 64 MB it makes one, and takes 13 MB more memory.
      // The usual setting, which is restored afterwards, suits indexes that change.
      try configure(search, "hashsize", .integer(4 << 20))
      let index = search.indexTable
      try execute("INSERT INTO \(identifier: index) (\(identifier: index)) VALUES ('rebuild')")
      try configure(search, "hashsize", .integer(1 << 20))
      try execute(search.wordsCreation)
      try execute(search.view.creation)
      let entries = try value(
        of: "SELECT count(*) FROM \(identifier: search.entriesTable)")
      return Int(entries?.integerValue ?? 0)
    }
  }

  /// Throws `corrupt` unless the index contains exactly the words of the entries.
  ///
  /// SQLite's own checks do not cover it.
  package func checkSearch(_ search: SearchDescription) throws(SQLiteError) {
    try configure(search, "integrity-check", .integer(1))
  }

  /// Checks the same for a read-only file, using a copy in memory.
  ///
  /// FTS5 runs a check as an insert, although it writes nothing.
  package static func checkSearch(
    _ search: SearchDescription, ofFileAt path: String, of bytes: Int
  ) throws(SQLiteError) {
    let copy = try Connection.inMemory()
    // The copy of a sound index is smaller than its file.
    _ = try copy.query(SQL(generated: "PRAGMA max_page_count = \(1000 + bytes / 4096)"))
    try copy.execute(search.entriesCreation)
    try copy.execute(search.indexCreation)
    let file = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    try copy.execute("ATTACH \(file) AS original")
    try copy.limitLength(to: 16 << 20)
    for table in search.storedTables {
      try copy.execute("DELETE FROM main.\(identifier: table)")
      try copy.execute(
        "INSERT INTO main.\(identifier: table) SELECT * FROM original.\(identifier: table)")
    }
    try copy.checkSearch(search)
    try copy.close()
  }

  func hasSearch(_ search: SearchDescription) throws(SQLiteError) -> Bool {
    let text = search.indexCreation.text
    return try value(
      of: """
        SELECT 1 FROM main.sqlite_schema
        WHERE type = 'table' AND name = \(search.indexTable) AND sql = \(text)
        """) != nil
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
