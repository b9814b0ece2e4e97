import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The ten tasks of the pages for those who come from GRDB and SQLite.swift.
struct DocumentationTaskTests {
  @Test func `the ten tasks return the expected results`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: nil)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await doTenTasks(folder + "/users.sqlite")
  }

  @Test(arguments: ["FromGRDB", "FromSQLiteSwift"])
  func `the line counts of the ten tasks match the page`(page: String) throws {
    let folder = "../../Sources/SQLiteSwiftly/SQLiteSwiftly.docc/"
    let url = URL(filePath: folder + page + ".md", relativeTo: URL(filePath: #filePath))
    let text = try String(contentsOf: url, encoding: .utf8)
    let tasks = try #require(text.components(separatedBy: "## Corresponding calls").first)
    let rows = tasks.matches(of: /\| [^|]+ \| (\d+) \| (\d+) \|/)
    let told = rows.flatMap { [Int($0.1) ?? 0, Int($0.2) ?? 0] }
    let blocks = tasks.matches(of: /```(?:swift)?\n((?s).*?)\n```/).map { block in
      block.1.split(separator: "\n", omittingEmptySubsequences: false)
    }
    let lines = blocks.map(\.count)
    #expect(blocks.joined().allSatisfy { $0.count <= 100 })
    #expect(lines.count == 20 && told.count == 22)
    #expect(Array(told.prefix(20)) == lines)
    let theirs = stride(from: 0, to: 20, by: 2).map { told[$0] }.reduce(0, +)
    let ours = stride(from: 1, to: 20, by: 2).map { told[$0] }.reduce(0, +)
    #expect(Array(told.suffix(2)) == [theirs, ours])
    #expect(ours <= 28)
  }
}

/// Outside of the type, since the lines are as long as they may be.
private func doTenTasks(_ path: String) async throws {
  let (id, ids, name) = (1, [2, 3], "Ada")

  let connection = try Connection(path, opening: .openOrCreate)

  struct User: Codable { var id: Int, name: String, score: Int? }
  try connection.execute("CREATE TABLE user (id INTEGER PRIMARY KEY, name TEXT, score INTEGER)")

  let list = [
    User(id: 1, name: "Ada", score: 3), User(id: 2, name: "Bea", score: 4),
    User(id: 3, name: "Cy", score: nil),
  ]

  var insert = try connection.prepare("INSERT INTO user VALUES (?, ?, ?)")
  try connection.transaction {
    for user in list { try insert.run(user.id, user.name, user.score) }
  }

  let users = try connection.query("SELECT * FROM user", as: User.self)

  let first = try connection.first("SELECT * FROM user WHERE id = \(id)", as: User.self)
  let count = try connection.first("SELECT count(*) FROM user", as: Int.self)

  try? connection.transaction {
    try connection.execute("DELETE FROM user")
    throw CancellationError()
  }

  try connection.migrate([Migration(to: 1, "teams", "CREATE TABLE teams (name TEXT PRIMARY KEY)")])

  let changed = try connection.first(
    "INSERT INTO user VALUES (\(id), \(name), 9) ON CONFLICT DO UPDATE SET score = 9 RETURNING *",
    as: User.self)

  let names = try connection.query("SELECT name FROM user WHERE id IN (\(ids))", as: String.self)

  let pool = try ConnectionPool(path)
  let total = try await pool.read { try $0.first("SELECT sum(score) FROM user", as: Int.self) }

  #expect(users.map(\.id) == [1, 2, 3] && users.map(\.name) == ["Ada", "Bea", "Cy"])
  #expect(users.map(\.score) == [3, 4, nil])
  #expect(first?.name == "Ada" && first?.id == 1 && count == 3)
  #expect(try connection.query("SELECT * FROM teams") == [])
  #expect(changed?.id == 1 && changed?.score == 9 && names == ["Bea", "Cy"] && total == 13)
}
