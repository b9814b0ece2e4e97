import SQLiteSwiftly
import Schema
import Testing

/// The explanations of tables, views and columns.
struct WordsTests {
  private let plain = ColumnDescription("kind", .text, domain: .singleLine)
  private let explained = ColumnDescription(
    "kind", .text, domain: .singleLine, meaning: "What it is.", since: "2020-02", example: "a")

  @Test func `explanations are optional`() {
    #expect(plain.meaning == nil && plain.since == nil && plain.example == nil)
    let table = TableDescription("things", columns: [plain], primaryKey: ["kind"])
    #expect(table.meaning == nil && table.since == nil)
    let view = ViewDescription("kinds", "SELECT kind FROM things")
    #expect(view.meaning == nil && view.columns.isEmpty)
  }

  @Test func `explanations do not affect a table`() throws {
    #expect(plain == explained && plain.hashValue == explained.hashValue)
    let tables = [
      TableDescription("things", columns: [plain], primaryKey: ["kind"]),
      TableDescription(
        "things", columns: [explained], primaryKey: ["kind"], meaning: "A thing.", since: "2019"),
    ]
    #expect(tables[0] == tables[1] && tables[0].hashValue == tables[1].hashValue)
    #expect(try tables[0].creation == tables[1].creation)
    let connection = try Connection.inMemory(with: tables[1])
    #expect(try connection.differences(fromTable: tables[0]) == [])
    #expect(try connection.differences(fromTable: tables[1]) == [])
  }

  @Test func `explanations do not affect a view`() throws {
    let views = [
      ViewDescription("kinds", "SELECT kind FROM things"),
      ViewDescription(
        "kinds", "SELECT kind FROM things", columns: [explained], meaning: "A kind of things."),
    ]
    #expect(try views[0].creation == views[1].creation)
    #expect(views[1].columns[0].meaning == "What it is." && views[1].faults == [])
  }
}
