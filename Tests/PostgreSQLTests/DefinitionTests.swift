#if PostgreSQL
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  @Suite struct DefinitionTests {
    static let sets = TableDescription(
      "sets",
      columns: [
        ColumnDescription("set_num", .text, domain: .singleLine, meaning: "The set's number."),
        ColumnDescription("year", .integer, isNullable: true, domain: .within(1900...2199)),
        ColumnDescription("theme id", .integer, defaultValue: -1),
        ColumnDescription("weight", .real, isNullable: true, defaultValue: .real(0.5)),
        ColumnDescription("is_new", .boolean, defaultValue: 1),
        ColumnDescription("image", .blob, isNullable: true, defaultValue: .blob([1, 255])),
        ColumnDescription("note", .text, isNullable: true, defaultValue: "it's \\"),
      ], primaryKey: ["set_num"], uniqueKeys: [["note", "year"]],
      foreignKeys: [ForeignKeyDescription("theme id", references: "themes", "id")],
      indexes: [["theme id", "year"]], meaning: "A box.")

    @Test func `a table is created as it is described`() throws {
      let definition = try TableDefinition(Self.sets, in: "lego")
      #expect(
        definition.creation() == """
          CREATE TABLE "lego"."sets" (
            "set_num" text COLLATE "C" NOT NULL CHECK ("set_num" <> '' AND strpos("set_num", E'\\n') = 0),
            "year" smallint CHECK ("year" BETWEEN 1900 AND 2199),
            "theme id" bigint NOT NULL DEFAULT -1,
            "weight" double precision DEFAULT '0.5'::double precision,
            "is_new" boolean NOT NULL DEFAULT true,
            "image" bytea DEFAULT '\\x01FF'::bytea,
            "note" text COLLATE "C" DEFAULT 'it''s \\'
          )
          """)
      #expect(
        definition.keyAdditions == [
          #"ALTER TABLE "lego"."sets" ADD PRIMARY KEY ("set_num")"#,
          #"ALTER TABLE "lego"."sets" ADD UNIQUE ("note", "year")"#,
        ])
      #expect(definition.indexCreations == [#"CREATE INDEX ON "lego"."sets" ("theme id", "year")"#])
      #expect(
        definition.foreignKeyAdditions == [
          #"ALTER TABLE "lego"."sets" ADD FOREIGN KEY ("theme id") REFERENCES "lego"."themes" ("id") DEFERRABLE NOT VALID"#
        ])
      #expect(
        definition.comments == [
          #"COMMENT ON TABLE "lego"."sets" IS 'A box.'"#,
          #"COMMENT ON COLUMN "lego"."sets"."set_num" IS 'The set''s number.'"#,
        ])
      #expect(definition.analysis == [#"ANALYZE "lego"."sets""#])
      #expect(
        definition.copy
          == #"COPY "lego"."sets" ("set_num", "year", "theme id", "weight", "is_new", "image", "note") "#
          + "FROM STDIN (FORMAT binary)")
    }

    @Test func `a primary key can be an index first`() throws {
      let definition = try TableDefinition(Self.sets, in: "lego")
      let key = try #require(definition.indexedKey(besides: ["sets", "sets_key", "sets_pkeys"]))
      #expect(key.index == #"CREATE UNIQUE INDEX "sets_pkey" ON "lego"."sets" ("set_num")"#)
      #expect(key.key == #"ALTER TABLE "lego"."sets" ADD PRIMARY KEY USING INDEX "sets_pkey""#)
      #expect(
        definition.uniqueKeyAdditions == [
          #"ALTER TABLE "lego"."sets" ADD UNIQUE ("note", "year")"#
        ])
    }

    @Test func `the server chooses a key's name where the usual one cannot be had`() throws {
      func definition(_ name: String, _ key: [String] = ["c"]) throws -> TableDefinition {
        try TableDefinition(
          TableDescription(name, columns: [ColumnDescription("c", .text)], primaryKey: key),
          in: "s")
      }
      #expect(try definition("t").indexedKey(besides: ["t", "t_pkey"]) == nil)
      #expect(try definition("t", []).indexedKey(besides: []) == nil)
      let longest = String(repeating: "é", count: 29)
      #expect(try definition(longest).indexedKey(besides: []) != nil)
      #expect(try definition(longest + "x").indexedKey(besides: []) == nil)
    }

    @Test func `a few rows are one statement`() throws {
      let definition = try TableDefinition(Self.sets, in: "lego")
      #expect(definition.insertions(of: []) == [])
      let row: [SQLiteValue] = [
        .text("it's"), .integer(1999), .integer(-1), .real(0.5), .integer(1), .blob([1, 255]),
        .null,
      ]
      #expect(
        definition.insertions(of: [row, row]) == [
          #"INSERT INTO "lego"."sets" VALUES "#
            + #"('it''s', 1999, -1, '0.5'::double precision, true, '\x01FF'::bytea, NULL),"# + "\n"
            + #"('it''s', 1999, -1, '0.5'::double precision, true, '\x01FF'::bytea, NULL)"#
        ])
    }

    @Test(arguments: ["schema", "table", "column"])
    func `a name that PostgreSQL would cut off is refused`(kind: String) throws {
      // 63 bytes in 62 characters are just not too many.
      let longest = "é" + String(repeating: "x", count: 61)
      let tooLong = longest + "y"
      func define(_ name: String) throws -> TableDefinition {
        let table = TableDescription(
          kind == "table" ? name : "t",
          columns: [ColumnDescription(kind == "column" ? name : "c", .text)], primaryKey: [])
        return try TableDefinition(table, in: kind == "schema" ? name : "s")
      }
      _ = try define(longest)
      let error = try #require(throws: PostgreSQLError.self) { try define(tooLong) }
      #expect(error.kind == .misuse)
      #expect(
        error.message.text
          == "The name \"\(tooLong)\" has 64 bytes, but PostgreSQL allows at most 63")
    }

    @Test func `a description with faults is refused`() throws {
      let error = try #require(throws: PostgreSQLError.self) {
        try TableDefinition(TableDescription("t", columns: [], primaryKey: []), in: "s")
      }
      #expect(error.message.detail == "there are no columns")
    }

    @Test(arguments: [
      ("[A-Z]{2}\\d+", #"^(?:(?:[A-Z]){2,2}(?:[0-9]){1,})$"#),
      (
        "a|b.?",
        #"^(?:(?:[a]|[b](?:[\u0001-\u0009\u000b-\u000c\u000e-\ud7ff\ue000-\U0010ffff]){0,1}))$"#
      ),
      ("\\^'\\]", #"^(?:[\u005e][\u0027][\u005d])$"#),
    ])
    func `a pattern is written as PostgreSQL reads it`(pattern: String, expected: String) {
      #expect(RegularExpression(pattern)?.text == expected)
    }

    @Test(arguments: ["a{256}", "(a{100}){100}", "(", "\\p{L}\\p{L}\\p{L}"])
    func `a pattern that is too large for the server is not checked by it`(pattern: String) {
      #expect(RegularExpression(pattern) == nil)
    }
  }
#endif
