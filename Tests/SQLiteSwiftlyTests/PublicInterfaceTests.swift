import SQLiteSwiftlyData
import Foundation
import Testing

/// Tests of the public interface, by the listing that CI compares with the sources.
struct PublicInterfaceTests {
  /// The members of each type, by its heading; those of no type have an empty one.
  private let members: [String: [String]]

  init() throws {
    let listings = try ["SQLiteSwiftly", "SQLiteSwiftlyData", "Schema"].map { module in
      try String(
        contentsOf: URL(
          filePath: "../System/Interface/\(module).txt", relativeTo: URL(filePath: #filePath)),
        encoding: .utf8)
    }
    var members: [String: [String]] = [:]
    var heading = ""
    for line in listings.joined().split(separator: "\n") {
      if line.hasPrefix("  ") {
        members[heading, default: []].append(String(line.dropFirst(2)))
      } else if line.contains(/^(?:@\w+ )*(?:final )?(?:class|enum|extension|protocol|struct)\b/) {
        heading = String(line)
        members[heading] = members[heading] ?? []
      } else {
        members["", default: []].append(String(line))
      }
    }
    self.members = members
    try #require(members.count > 10)
  }

  /// The members of the one type of that name.
  private func members(of type: String) throws -> [String] {
    let headings = members.keys.filter {
      " \($0) ".contains(" \(type) ") && !$0.hasPrefix("extension ")
    }
    try #require(headings.count == 1, "\(type): \(headings)")
    return members[headings[0]] ?? []
  }

  @Test("SW-8 every public declaration belongs to a type") func outsideOfTypes() {
    #expect(members[""] == nil)
  }

  @Test("SW-12 SW-14 no public declaration uses a pointer or a C type") func pointers() {
    let lines = members.flatMap { [$0] + $1 }
    let found = lines.filter { $0.contains(/Pointer|sqlite3_|csqlite|CSQLite/) }
    #expect(found == [])
  }

  @Test("SW-30 models are called descriptions") func models() throws {
    #expect(try members(of: "TableDescription").contains("let name: String"))
    #expect(try members(of: "ColumnDescription").contains("let name: String"))
    #expect(members.keys.filter { $0.contains(/\b(?:Table|Column)\b/) } == [])
  }

  @Test("SW-31 models do nothing to a database") func operations() {
    let models = members.filter { $0.key.contains(/^\w+ \w+Description\b/) }
    #expect(models.count >= 5)
    let found = models.flatMap(\.value).filter { $0.contains(/\bmutating\b|Connection/) }
    #expect(found == [])
  }

  @Test(
    "SW-63 one type of errors is thrown, and mapped by the data access layer alone",
    arguments: ["Connection", "PreparedStatement", "InsertStatement", "Cursor", "Row"])
  func errors(type: String) throws {
    let errors = members.keys.filter { $0.contains(/: (?:.*, )?Error\b/) }
    let names = errors.map { $0.split(separator: " ")[1] }
    #expect(names.sorted() == ["DataAccessError", "SQLiteError"])
    let throwing = try members(of: type).filter { $0.contains("throws(") }
    #expect(!throwing.isEmpty)
    #expect(throwing.filter { $0.contains(/throws\((?!SQLiteError\))/) } == [])
  }

  @Test("SW-70 a connection does not publish its last message") func message() throws {
    #expect(try members(of: "Connection").filter { $0.contains(/[mM]essage/) } == [])
  }

  @Test("SW-74 there are no filters and no joins") func filters() {
    let found = members.flatMap(\.value).filter {
      $0.contains(/func (?:\w*[fF]ilter|join\b|where)/)
    }
    #expect(found == [])
  }

  @Test("SQ-2 the protocol of decoders names no type of SQLite's") func decoders() throws {
    let decoder = try #require(members.keys.first { $0.hasPrefix("protocol QueryDecoder") })
    #expect(!decoder.contains("SQLite"))
    #expect(members[decoder]?.filter { $0.contains("SQLite") } == [])
  }
}
