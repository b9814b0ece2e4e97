import Schema
@testable import SQLiteDestination
@testable import Vocabulary
import SQLiteFormat
import Platform
import Glibc
import SQLiteSwiftly
import Testing

/// A finished file is looked at before it is published.
@Suite struct DatabaseVerifierTests {
  /// A file that was published, and what its tables held then.
  private final class Subject {
    let workplace: Workplace
    let descriptor: Int32
    let rows: [EntryChecksum]

    init() throws {
      workplace = try Family.workplace()
      #expect(load(workplace, Family.schema).error == nil)
      descriptor = try openFile(workplace.output, O_RDONLY)
      rows = try Self.scans(workplace.output, descriptor).map(\.rows)
      #expect(rows.map(\.entries) == [2, 1, 1, 2])
    }

    deinit { close(descriptor) }

    private static func scans(_ path: String, _ descriptor: Int32) throws -> [TableScan] {
      let tables = try FinishedTables(
        path, descriptor: descriptor, schema: Family.schema, longestRow: 1 << 20)
      return try Family.schema.tables.indices.map { try tables.scan(at: $0) }
    }

    func change(_ statements: SQL...) throws {
      try changeDatabase(workplace.output, statements)
    }

    /// Verifies the file as it is now; it must have the rows that it was published with, or those that it has now.
    func verify(asPublished: Bool = true) throws -> [TableScan] {
      let path = workplace.output
      let rows = try asPublished ? rows : Self.scans(path, descriptor).map(\.rows)
      let verifier = DatabaseVerifier(
        path: path, descriptor: descriptor, schema: Family.schema, sums: InsertedSums(rows: rows),
        helper: Helper(), longestRow: 1 << 20)
      return try verifier.check { _ in 0 }.scans
    }
  }

  @Test func `the verifier finds values that a check forbids`() throws {
    let subject = try Subject()
    #expect(try subject.verify().map(\.rows) == subject.rows)
    try subject.change("PRAGMA ignore_check_constraints = ON", "UPDATE things SET size = 11")
    let error = #expect(throws: IngestError.self) { try subject.verify(asPublished: false) }
    #expect(error?.message.contains(", column size: expected ") == true)
    #expect(error?.message.contains(", found 11.") == true)
  }

  /// With many checks in a row, they are evaluated apart from SQLite's own check.
  @Test(arguments: [1, 3, 4, 20])
  func `the verifier finds forbidden values, however many checks a row has`(checks: Int) throws {
    let file = try CheckedFile(checks: checks, rows: 1, forbidden: 1)
    let error = #expect(throws: IngestError.self) { try file.verify() }
    let words = "t (1), column c\(checks): expected \"c\(checks)\" >= 0, found -7"
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  /// The rows of a long table are checked in four parts if they are numbered.
  @Test(
    arguments: CheckedFile.Key.allCases,
    [1, 24, 25, 26, 27, 49, 50, 51, 52, 53, 75, 76, 77, 78, 79, 102])
  func `the verifier finds forbidden values, whatever part of the rows has them`(
    key: CheckedFile.Key, forbidden: Int
  ) throws {
    let file = try CheckedFile(checks: 5, rows: 102, forbidden: forbidden, key: key)
    let error = #expect(throws: IngestError.self) { try file.verify() }
    let words =
      "t (\(key == .text ? "'\(forbidden)'" : "\(forbidden)")), column c5: expected \"c5\" >= 0, found -7"
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    try file.change("UPDATE t SET c5 = 7 WHERE c5 = -7")
    #expect(throws: Never.self) { try file.verify() }
  }

  @Test func `a column without values may not get one later`() throws {
    let file = try CheckedFile(checks: 6, rows: 2, forbidden: 0, emptyColumns: [5])
    try file.change("UPDATE t SET c5 = NULL")
    let inserted = try file.rows()
    #expect(throws: Never.self) { try file.verify(inserted) }
    try file.change("UPDATE t SET c5 = -7 WHERE c0 = 2")
    let error = #expect(throws: IngestError.self) { try file.verify(inserted) }
    #expect(error?.message.contains("the table t has rows other than those inserted") == true)
  }

  @Test func `a column with values is not taken for one without`() throws {
    let file = try CheckedFile(checks: 5, rows: 2, forbidden: 1, emptyColumns: [5])
    let error = #expect(throws: IngestError.self) { try file.verify() }
    #expect(error?.message.contains("the table t has rows other than those inserted") == true)
  }

  @Test func `foreign keys without values need no parents, and others do`() {
    let table = TableDescription(
      "t", columns: ["a", "b", "c"].map { ColumnDescription($0, .integer, isNullable: true) },
      primaryKey: [],
      foreignKeys: [
        ForeignKeyDescription("a", references: "p", "id"),
        ForeignKeyDescription(["b", "c"], references: "q", ["b", "c"]),
        ForeignKeyDescription("c", references: "p", "id"),
      ])
    let sums = InsertedSums(emptyColumns: [[0, 1, 2], [1]])
    let keys = (0..<3).map { place in
      sums.foreignKeys(of: table, at: place).map(\.columns)
    }
    #expect(keys == [[], [["a"], ["c"]], [["a"], ["b", "c"], ["c"]]])
  }

  /// A table `t` with the columns `c0`, the number of the row, and `c1`, `c2`, …, which must not be negative.
  struct CheckedFile {
    enum Key: CaseIterable { case none, rowid, text, withoutRowid }

    private let workplace: Workplace
    private let schema: SchemaDescription
    private let emptyColumns: [Int]
    private var path: String { workplace.path + "/t" }

    /// The last check is broken by one row, unless `forbidden` is 0.
    init(
      checks: Int, rows: Int, forbidden: Int, key: Key = .rowid, emptyColumns: [Int] = []
    ) throws {
      let number = ColumnDescription("c0", key == .text ? .text : .integer)
      // Without a key, the name of the rowid is another one.
      let columns =
        key == .none
        ? [ColumnDescription("rowid", .text, isNullable: true, domain: .oneOf([""]))] : []
      let table = TableDescription(
        "t",
        columns: [number]
          + (1...checks).map {
            ColumnDescription("c\($0)", .integer, isNullable: true, domain: .atLeast(0))
          } + columns,
        primaryKey: key == .none ? [] : ["c0"], isWithoutRowid: key == .withoutRowid)
      workplace = try Workplace()
      schema = SchemaDescription(tables: [table], applicationID: 78, version: 1)
      self.emptyColumns = emptyColumns
      try changeDatabase(path) { connection in
        try connection.createTable(describedBy: table)
        try connection.set(.ignoreCheckConstraints, to: true)
        try connection.bulkInsert(intoTable: table) { insert throws(SQLiteError) in
          for row in 1...rows {
            let numbers = (1...checks).map { $0 == checks && row == forbidden ? -7 : 1 }
            try insert.append(
              [key == .text ? .text("\(row)") : .integer(Int64(row))]
                + numbers.map { .integer(Int64($0)) } + columns.map { _ in .null })
          }
        }
      }
    }

    func change(_ statement: SQL) throws {
      try changeDatabase(path) { connection in
        try connection.set(.ignoreCheckConstraints, to: true)
        try connection.execute(statement)
      }
    }

    /// The checksum of the rows as they are now.
    func rows() throws -> EntryChecksum {
      let descriptor = try openFile(path, O_RDONLY)
      defer { close(descriptor) }
      return try FinishedTables(
        path, descriptor: descriptor, schema: schema, longestRow: 1 << 20
      ).scan(at: 0).rows
    }

    /// Verifies the file as it is now, which must have the rows of that checksum, or those that it has now.
    func verify(_ inserted: EntryChecksum? = nil) throws {
      let descriptor = try openFile(path, O_RDONLY)
      defer { close(descriptor) }
      let sums = InsertedSums(rows: [try inserted ?? rows()], emptyColumns: [emptyColumns])
      let verifier = DatabaseVerifier(
        path: path, descriptor: descriptor, schema: schema, sums: sums, helper: Helper(),
        longestRow: 1 << 20)
      _ = try verifier.check { _ in 0 }
    }
  }

  @Test func `the verifier finds rows that are missing, or have other values`() throws {
    let subject = try Subject()
    try subject.change("UPDATE things SET size = 7")
    var error = #expect(throws: IngestError.self) { try subject.verify() }
    #expect(error?.kind == .inputOutput)
    let words = "the table things has rows other than those inserted"
    #expect(error?.message.contains(words) == true)
    try subject.change("DELETE FROM things")
    error = #expect(throws: IngestError.self) { try subject.verify() }
    #expect(error?.kind == .fault)
    #expect(error?.message.contains("the table things has 0 rows, but 1 was inserted") == true)
  }

  @Test func `the verifier finds missing parents`() throws {
    let subject = try Subject()
    try subject.change("UPDATE things SET node = 'nobody'")
    let error = #expect(throws: IngestError.self) { try subject.verify(asPublished: false) }
    #expect(error?.message.contains("things.node has the value") == true)
  }

  @Test(arguments: ["INSERT INTO things (id, node) VALUES (2, 'leaf')", "DELETE FROM things"])
  func `the verifier finds an index that has not the rows of its table`(change: String) throws {
    let subject = try Subject()
    let workplace = subject.workplace
    let rows = change.hasPrefix("INSERT") ? 2 : 0
    try pretendNoIndexes(in: workplace.output) { try $0.execute(SQL(generated: change)) }
    let connection = try Connection(workplace.output, opening: .readOnly)
    // It does not look for that.
    #expect(try connection.faults(.structure).isEmpty)
    #expect(try !connection.faults(.full).isEmpty)
    try connection.close()
    let error = #expect(throws: IngestError.self) { try subject.verify(asPublished: false) }
    #expect(error?.kind == .inputOutput)
    let words = "the index things_node_code has 1 entries for the \(rows) rows of things"
    #expect(error?.message.contains(words) == true)
  }

  /// Changes a file of whose indexes SQLite knows nothing meanwhile.
  private func pretendNoIndexes(in path: String, _ change: (Connection) throws -> Void) throws {
    var connection = try Connection(path, opening: .openExisting)
    let indexes = try connection.query(
      "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema WHERE type = 'index' AND sql != ''"
    )
    #expect(!indexes.isEmpty)
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute("DELETE FROM sqlite_schema WHERE type = 'index' AND sql != ''")
    try connection.close()
    connection = try Connection(path, opening: .openExisting)
    try change(connection)
    try connection.execute("PRAGMA writable_schema = ON")
    for index in indexes {
      try connection.execute(
        "INSERT INTO sqlite_schema VALUES (\(index[0]), \(index[1]), \(index[2]), \(index[3]), \(index[4]))"
      )
    }
    try connection.close()
  }
}
