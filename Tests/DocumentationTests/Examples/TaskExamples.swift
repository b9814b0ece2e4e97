import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyData
import TestSupport
import Testing

/// The ten tasks of the pages for those who come from GRDB and SQLite.swift.
struct TaskExamples {
  @Test func `the ten tasks return the expected results`() async throws {
    let workplace = try Workplace()
    try await doTenTasks(workplace.output)
  }

  @Test(arguments: ["FromGRDB", "FromSQLiteSwift"])
  func `the line counts of the ten tasks match the page`(page: String) throws {
    let folder = LoadedCatalog.package + "/Sources/SQLiteSwiftly/SQLiteSwiftly.docc/"
    let text = try String(contentsOf: URL(filePath: folder + page + ".md"), encoding: .utf8)
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

  // Example: FromGRDB # Open

  // Example: FromGRDB # Create a table

  let list = [
    User(id: 1, name: "Ada", score: 3), User(id: 2, name: "Bea", score: 4),
    User(id: 3, name: "Cy", score: nil),
  ]

  // Example: FromGRDB # Insert a list

  // Example: FromGRDB # Read typed rows

  // Example: FromGRDB # Read one row and count

  // Example: FromGRDB # Roll back

  // Example: FromGRDB # Migrate

  // Example: FromGRDB # Insert or update and return

  // Example: FromGRDB # Find a list of values

  // Example: FromGRDB # Read while another connection writes

  #expect(users.map(\.id) == [1, 2, 3] && users.map(\.name) == ["Ada", "Bea", "Cy"])
  #expect(users.map(\.score) == [3, 4, nil])
  #expect(first?.name == "Ada" && first?.id == 1 && count == 3)
  #expect(try connection.query("SELECT * FROM teams") == [])
  #expect(changed?.id == 1 && changed?.score == 9 && names == ["Bea", "Cy"] && total == 13)
}
