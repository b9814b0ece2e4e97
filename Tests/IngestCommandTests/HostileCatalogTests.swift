import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Previous databases made to use time or memory in the comparison.
@Suite struct HostileCatalogTests {
  private static let pageBytes = 512

  /// A run over a database changed by `change`.
  private func run(
    changing change: (String) throws -> Void
  ) throws -> (Command, MeasuredRun) {
    let command = try Command()
    let dumps = try command.makeDumps(["themes.csv": Array("id,name,parent_id\n1,a,\n2,b,\n".utf8)])
    #expect(try command.load(dumps, "--allow-missing", "all").status == 0)
    try change(command.catalog)
    return (
      command,
      try command.measure(loading: dumps)
    )
  }

  /// SQLite reports a lack of memory for some damage.
  @Test(
    arguments: LongTests.areOn
      ? [(0, 1), (3, 5), (8, 16), (8, 1), (9, 1), (16368, 16), (16370, 4), (16380, 4), (16300, 80)]
      : [(0, 1), (8, 16), (16380, 4)])
  func `a damaged page of the history does not stop the next run`(
    offset: Int, bytes: Int
  ) throws {
    var isReadable = false
    let (command, run) = try run { path in
      let pages = try Connection(path, opening: .readOnly).query(
        """
        SELECT rootpage FROM sqlite_schema
        WHERE type = 'table' AND (name LIKE 'ingest_history%' OR name = 'ingest_baseline')
        """, as: Int.self)
      let url = URL(fileURLWithPath: path)
      var contents = try Data(contentsOf: url)
      #expect(pages.count == 4)
      for page in pages {
        let start = (page - 1) * 16384 + offset
        for place in start..<start + bytes { contents[place] ^= 0xff }
      }
      try contents.write(to: url)
      let damaged = try Connection(path, opening: .readOnly)
      let queries: [SQL] = ["history", "history_tables", "history_warnings", "baseline"].map {
        SQL(generated: "SELECT * FROM ingest_\($0)")
      }
      isReadable = queries.allSatisfy { (try? damaged.query($0)) != nil }
    }
    #expect(run.result.status == 0, "\(run.result)")
    #expect(run.result.errors.contains("catalog-unreadable") == !isReadable, "\(run.result)")
    #expect(try command.run(["check", command.catalog]).status == 0)
  }

  /// Ten pages; each has the next one as its child sixty times.
  @Test(arguments: ["themes", "others"])
  func `pages that share a child do not cause an endless walk`(table: String) throws {
    let (command, run) = try run { path in
      let number = try Connection(path, opening: .readOnly)
        .query("PRAGMA application_id", as: Int.self).first
      try FileManager.default.removeItem(atPath: path)
      try makeSharedChildren(path, table: table, applicationID: try #require(number))
    }
    #expect(run.result.status == 0, "\(run.result)")
    #expect(
      run.result.errors.contains(
        "catalog-unreadable: \(command.catalog): the previous database cannot be read, so nothing was "
          + "compared with it: it seems to contain more than a file of its size can hold"),
      "\(run.result)")
    #expect(try command.rows("SELECT count(*) FROM themes") == [[2]])
  }

  private func makeSharedChildren(_ path: String, table: String, applicationID: Int) throws {
    let connection = try Connection(path, opening: .createNew)
    try connection.execute(SQL(generated: "PRAGMA page_size = \(Self.pageBytes)"))
    try connection.execute(SQL(generated: "PRAGMA application_id = \(applicationID)"))
    try connection.execute(
      SQL(
        generated:
          "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, name TEXT NOT NULL, parent_id INTEGER)"))
    try connection.execute("CREATE TABLE room (x)")
    try connection.execute("INSERT INTO room VALUES (zeroblob(6000))")
    let root = try #require(
      try connection.query(
        "SELECT rootpage FROM sqlite_schema WHERE name = \(table)", as: Int.self
      ).first)
    let last = try #require(try connection.query("PRAGMA page_count", as: Int.self).first)
    try connection.close()
    var file = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let chain = [root] + Array(last - 8...last)
    for (page, child) in zip(chain, chain.dropFirst()) { file.makeParent(page, of: child) }
    file.makeLeaf(last)
    try Data(file).write(to: URL(fileURLWithPath: path))
  }

  @Test func `a long value in the previous database uses no memory`() throws {
    let (command, run) = try run { path in
      try changeDatabase(
        path, ["UPDATE themes SET name = CAST(zeroblob(300000000) AS TEXT) WHERE id = 1"])
    }
    #expect(run.result.status == 0, "\(run.result)")
    #expect(
      run.result.errors.contains(
        ": themes has a value of more than 16,777,216 bytes in the previous "
          + "database, so only its rows were counted"), "\(run.result)")
    #expect(run.peakBytes < 100 << 20)
    #expect(try command.names().contains("catalog.sqlite"))
  }

  /// Losses are still found.
  @Test func `lost rows are found despite a long value`() throws {
    let (_, run) = try run { path in
      try changeDatabase(
        path,
        [
          "UPDATE themes SET name = CAST(zeroblob(20000000) AS TEXT) WHERE id = 1"
        ] + (3...9).map { "INSERT INTO themes VALUES (\($0), 'x', NULL)" })
    }
    #expect(run.result.status == 65, "\(run.result)")
    #expect(
      run.result.errors.contains("catalog-shrunk: themes shrank from 9 to 2 rows"), "\(run.result)")
  }
}

extension [UInt8] {
  private static let pageBytes = 512

  /// Turns a page into an interior table page with the same child sixty times
  /// (<https://www.sqlite.org/fileformat.html#b_tree_pages>).
  fileprivate mutating func makeParent(_ page: Int, of child: Int) {
    let cells = 60
    var bytes = [UInt8](repeating: 0, count: Self.pageBytes)
    bytes[0] = 5
    bytes[4] = UInt8(cells)
    let pointer = (0..<4).map { UInt8(truncatingIfNeeded: child >> (24 - 8 * $0)) }
    bytes.replaceSubrange(8..<12, with: pointer)
    for cell in 0..<cells {
      let place = Self.pageBytes - 5 * (cell + 1)
      bytes.replaceSubrange(place..<place + 5, with: pointer + [UInt8(cell + 1)])
      bytes.setNumber(place, at: 12 + 2 * cell)
      bytes.setNumber(place, at: 5)
    }
    replaceSubrange((page - 1) * Self.pageBytes..<page * Self.pageBytes, with: bytes)
  }

  /// Turns a page into a table leaf with the row 1, 'a', 0.
  fileprivate mutating func makeLeaf(_ page: Int) {
    var bytes = [UInt8](repeating: 0, count: Self.pageBytes)
    bytes[0] = 13
    bytes[4] = 1
    let cell: [UInt8] = [5, 1, 4, 0, 15, 8, 0x61]
    let place = Self.pageBytes - cell.count
    bytes.replaceSubrange(place..., with: cell)
    bytes.setNumber(place, at: 5)
    bytes.setNumber(place, at: 8)
    replaceSubrange((page - 1) * Self.pageBytes..<page * Self.pageBytes, with: bytes)
  }

  private mutating func setNumber(_ number: Int, at place: Int) {
    self[place] = UInt8(number >> 8)
    self[place + 1] = UInt8(number & 0xff)
  }
}
