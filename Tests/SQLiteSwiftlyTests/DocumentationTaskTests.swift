import Foundation
import SQLiteSwiftly
import Testing

/// The ten tasks of the pages for those who come from GRDB and SQLite.swift.
struct DocumentationTaskTests {
  @Test func `the ten tasks return the expected results`() throws {
    try withFolder { folder in try doTenTasks(folder + "/users.sqlite") }
  }

  @Test(arguments: ["FromGRDB", "FromSQLiteSwift"])
  func `the line counts of the ten tasks match the page`(page: String) throws {
    let folder = "../../Sources/SQLiteSwiftly/SQLiteSwiftly.docc/"
    let url = URL(filePath: folder + page + ".md", relativeTo: URL(filePath: #filePath))
    let text = try String(contentsOf: url, encoding: .utf8)
    let tasks = try #require(text.components(separatedBy: "## Corresponding calls").first)
    let rows = tasks.matches(of: /\| [^|]+ \| (\d+) \| (\d+) \|/)
    let told = rows.flatMap { [Int($0.1) ?? 0, Int($0.2) ?? 0] }
    let lines = tasks.matches(of: /```(?:swift)?\n((?s).*?)\n```/).map { block in
      block.1.split(separator: "\n", omittingEmptySubsequences: false).count
    }
    #expect(lines.count == 20 && told.count == 22)
    #expect(Array(told.prefix(20)) == lines)
    let theirs = stride(from: 0, to: 20, by: 2).map { told[$0] }.reduce(0, +)
    let ours = stride(from: 1, to: 20, by: 2).map { told[$0] }.reduce(0, +)
    #expect(Array(told.suffix(2)) == [theirs, ours])
    #expect(ours <= 28)
  }
}

/// Outside of the type, since the lines are as long as they may be.
private func doTenTasks(_ path: String) throws {
  let list = [("Ada", 3), ("Bea", 4), ("Cy", nil as Int?)]
  let (id, ids, name) = (1, [2, 3], "Ada")

  let connection = try Connection(path, opening: .openOrCreate)

  try connection.execute("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, score INTEGER)")

  var insert = try connection.prepare("INSERT INTO users (name, score) VALUES (?, ?)")
  try connection.transaction {
    for (name, score) in list { try insert.run(name, score) }
  }

  struct User: RowDecodable {
    var id: Int, name: String, score: Int?
    init(row: borrowing Row) throws(SQLiteError) {
      (id, name, score) = (try row["id"], try row["name"], try row["score"])
    }
  }
  let users = try connection.query("SELECT * FROM users", as: User.self)

  let first = try connection.first("SELECT * FROM users WHERE id = \(id)", as: User.self)
  let count = try connection.first("SELECT count(*) FROM users", as: Int.self)

  try? connection.transaction {
    try connection.execute("DELETE FROM users")
    throw CancellationError()
  }

  try connection.migrate([Migration(to: 1, "teams", "CREATE TABLE teams (name TEXT PRIMARY KEY)")])

  let changed = try connection.first(
    "INSERT INTO users VALUES (\(id), \(name), 1) ON CONFLICT DO UPDATE SET score = 9 RETURNING id",
    as: Int.self)

  let names = try connection.query("SELECT name FROM users WHERE id IN (\(ids))", as: String.self)

  try connection.set(.journalMode, to: .wal)
  let reader = try Connection(path, opening: .readOnly)
  let total = try reader.first("SELECT sum(score) FROM users", as: Int.self)

  #expect(users.map(\.name) == ["Ada", "Bea", "Cy"] && users.map(\.score) == [3, 4, nil])
  #expect(first?.name == "Ada" && first?.id == 1 && count == 3)
  #expect(try connection.query("SELECT * FROM teams") == [])
  #expect(changed == 1 && names == ["Bea", "Cy"] && total == 13)
}
