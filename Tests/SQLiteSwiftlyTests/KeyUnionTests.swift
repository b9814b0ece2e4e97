import SQLiteSwiftly
import Schema
import Testing

/// Tables that hold the keys of several others.
struct KeyUnionTests {
  @Test func `a union of keys is filled from its members`() throws {
    let union = KeyUnionDescription(
      "all words", column: "key", type: .text, members: [.init("a", "x"), .init("b\"c", "y")])
    #expect(
      try union.table.creation.text == """
        CREATE TABLE "all words" (
          "key" TEXT NOT NULL,
          PRIMARY KEY ("key")
        ) STRICT, WITHOUT ROWID
        """)
    let connection = try makeMembers()
    try connection.createTable(describedBy: union.table)
    try connection.execute(union.derivedTable.insertion)
    #expect(
      try connection.rows(of: "all words") == [[.text("a")], [.text("z")], [.text("\u{E9}")]])
  }

  @Test func `a union refers to the rows that have its keys`() throws {
    let union = KeyUnionDescription(
      "all words", column: "key", type: .text,
      members: [.init("a", "x", reference: "of\"a"), .init("b\"c", "y", reference: "of b")])
    #expect(
      try union.table.creation.text == """
        CREATE TABLE "all words" (
          "key" TEXT NOT NULL,
          "of""a" TEXT,
          "of b" TEXT,
          PRIMARY KEY ("key"),
          FOREIGN KEY ("of""a") REFERENCES "a" ("x"),
          FOREIGN KEY ("of b") REFERENCES "b""c" ("y")
        ) STRICT, WITHOUT ROWID
        """)
    let connection = try makeMembers()
    try connection.createTable(describedBy: union.table)
    try connection.execute(union.derivedTable.insertion)
    #expect(
      try connection.rows(of: "all words") == [
        [.text("a"), .null, .text("a")], [.text("z"), .text("z"), .text("z")],
        [.text("\u{E9}"), .text("\u{E9}"), .null],
      ])
    #expect(try connection.foreignKeyViolations().isEmpty)
  }

  @Test func `one member of a union can be without a reference`() throws {
    let union = KeyUnionDescription(
      "all words", column: "key", type: .text,
      members: [.init("a", "x"), .init("b\"c", "y", reference: "b")])
    let connection = try makeMembers()
    try connection.createTable(describedBy: union.table)
    try connection.execute(union.derivedTable.insertion)
    #expect(
      try connection.rows(of: "all words") == [
        [.text("a"), .text("a")], [.text("z"), .text("z")], [.text("\u{E9}"), .null],
      ])
  }

  @Test func `texts do not affect a union`() {
    let members = [KeyUnionDescription.Member("a", "x", reference: "of_a")]
    let plain = KeyUnionDescription("u", column: "x", type: .text, members: members)
    let explained = KeyUnionDescription(
      "u", column: "x", type: .text, members: members, meaning: "A word.")
    #expect(plain == explained && plain.hashValue == explained.hashValue)
    #expect(explained.table.meaning == "A word." && plain.table == explained.table)
    let others = [
      KeyUnionDescription("v", column: "x", type: .text, members: members),
      KeyUnionDescription("u", column: "y", type: .text, members: members),
      KeyUnionDescription("u", column: "x", type: .blob, members: members),
      KeyUnionDescription("u", column: "x", type: .text, members: [.init("a", "x")]),
    ]
    for other in others { #expect(other != plain) }
  }

  /// Two tables, one of whose keys both have.
  private func makeMembers() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE a (x TEXT PRIMARY KEY) STRICT")
    try connection.execute(#"CREATE TABLE "b""c" (y TEXT PRIMARY KEY) STRICT"#)
    try connection.execute("INSERT INTO a VALUES ('z'), ('é')")
    try connection.execute(#"INSERT INTO "b""c" VALUES ('a'), ('z')"#)
    return connection
  }
}
