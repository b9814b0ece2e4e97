import Vocabulary
import Platform
import Foundation
import SQLiteSwiftly
import Schema
import Testing

/// Tables whose names cannot be those of files, or are those of other files: a description comes from elsewhere.
@Suite struct TableFileNameTests {
  /// The names, and what the names of their files begin with.
  static let names: [(table: String, file: String)] = [
    ("../pwned", "%2E.%2Fpwned"), ("/tmp/x", "%2Ftmp%2Fx"), ("a/b", "a%2Fb"), ("a%2Fb", "a%252Fb"),
    ("a%2Eb", "a%252Eb"), (".hidden", "%2Ehidden"), (".", "%2E"), ("..", "%2E."),
    ("manifest", "%6Danifest"), ("unfinished", "unfinished"), ("replayed", "replayed"),
    ("README", "README"), ("t", "t"), ("t.reasons", "t%2Ereasons"), ("t.repaired", "t%2Erepaired"),
    ("t.Replaced", "t%2EReplaced"), ("t.saved", "t%2Esaved"), ("t.csv", "t.csv"),
    ("t.add", "t.add"), ("t~", "t~"),
    ("stops.v2", "stops.v2"), (".reasons", "%2Ereasons"), (".t.reasons", "%2Et%2Ereasons"),
    ("a\nb\t\u{1b}", "a%0Ab%09%1B"), ("a\u{7f}\u{9b}\u{202e}", "a%7F%C2%9B%E2%80%AE"),
    ("größe ‘x’", "größe ‘x’"), ("-x y'\"\\*?", "-x y'\"\\*?"), ("e\u{301}", "e\u{301}"),
    (String(repeating: "n", count: 200), String(repeating: "n", count: 200)),
  ]

  private static let schema: SchemaDescription = {
    var schema = SchemaDescription(
      tables: names.map { name in
        TableDescription(
          name.table, columns: [ColumnDescription("id", .integer)], primaryKey: ["id"])
      }, applicationID: 7, version: 1)
    for number in names.indices { schema.sources[number].place = .files(["\(number).csv"]) }
    return schema
  }()

  /// A workplace in which every table has a record that is rejected.
  private func workplace() throws -> Workplace {
    let workplace = try Workplace()
    for number in Self.names.indices { try workplace.write("\(number).csv", "id\n1\n2x\n") }
    return workplace
  }

  private func ids(_ workplace: Workplace) throws -> [[String]] {
    let connection = try Connection(workplace.output, opening: .readOnly)
    return try Self.names.map { name in
      let table = name.table.replacingOccurrences(of: "\"", with: "\"\"")
      return try connection.query(
        SQL(generated: "SELECT id FROM \"\(table)\" ORDER BY id"), as: Int.self
      ).map { "\($0)" }
    }
  }

  private func bytes(_ names: [String]) -> Set<[UInt8]> { Set(names.map { Array($0.utf8) }) }

  @Test func `each table has a unique, valid file name`() {
    for name in Self.names {
      #expect(Array(fileName(ofTable: name.table).utf8) == Array(name.file.utf8), "\(name.table)")
    }
  }

  @Test func `rejected records stay in their folder, and are repaired there`() throws {
    let workplace = try workplace()
    let first = load(workplace, Self.schema)
    #expect(first.error == nil && first.whole.rejected == Self.names.count)
    #expect(try workplace.names == ["dumps", "out.sqlite", "out.sqlite.rejects"])
    let files = Self.names.flatMap { ["\($0.file).csv", "\($0.file).reasons.csv"] }
    #expect(bytes(try workplace.kept.names) == bytes(files + ["manifest.csv"]))
    #expect(try workplace.kept.manifest.map { $0["table"] } == Self.names.map(\.table))
    for name in Self.names { try workplace.kept.replace("2x", by: "2", in: "\(name.file).csv") }
    try repair(workplace, Self.schema)
    let saved = Self.names.map { "\($0.file).saved.csv" }
    #expect(bytes(try workplace.kept.names) == bytes(files + saved + ["manifest.csv"]))
    try checkRepairs(workplace)
  }

  /// What was saved is applied from then on.
  private func checkRepairs(_ workplace: Workplace) throws {
    let files = Self.names.flatMap { ["\($0.file).add.csv", "\($0.file).leave-out.csv"] }
    #expect(bytes(try Kept(workplace.repairs).names) == bytes(files))
    let night = loadRepaired(workplace, Self.schema)
    #expect(night.error == nil && night.rejected.isEmpty, "\(String(describing: night.error))")
    #expect(night.whole.tables.map(\.leftOut) == Self.names.map { _ in 1 })
    #expect(try ids(workplace) == Self.names.map { _ in ["1", "2"] })
    #expect(
      try workplace.names == ["dumps", "out.sqlite", "out.sqlite.rejects.previous", "repairs"])
  }

  @Test func `a message about an unknown file lists the names of table files`() throws {
    let workplace = try workplace()
    #expect(load(workplace, Self.schema).error == nil)
    try workplace.kept.write("a.csv", "id\n9\n")
    let error = #expect(throws: IngestError.self) { try repair(workplace, Self.schema) }
    let message = error?.message ?? ""
    #expect(message.contains("\"a.csv\" is not a file of rejected records"), "\(message)")
    #expect(
      message.contains("where TABLE is one of %2E.%2Fpwned, %2Ftmp%2Fx, a%2Fb,"), "\(message)")
  }
}
