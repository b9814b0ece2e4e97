#if PostgreSQL
  import SQLiteSwiftly
  import Schema
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    @Suite struct CreationTests {
      static let themes = TableDescription(
        "themes", columns: [ColumnDescription("id", .integer), ColumnDescription("name", .text)],
        primaryKey: ["id"])

      /// Runs all statements of a description but those of the foreign keys.
      private func createAll(
        _ table: TableDescription, in schema: String, on connection: PostgreSQLConnection
      ) throws -> TableDefinition {
        let definition = try TableDefinition(table, in: schema)
        let statements =
          [definition.creation()] + definition.comments + definition.keyAdditions
          + definition.indexCreations + definition.analysis
        for statement in statements { try connection.execute(statement) }
        return definition
      }

      /// As for the server's own choice: there is only just room for the name of the last.
      @Test(arguments: ["plain", "with \"quotes\" and é", String(repeating: "é", count: 29)])
      func `a key that was an index first is like any other`(name: String) throws {
        let connection = try connect()
        let table = TableDescription(
          name, columns: [ColumnDescription("id", .integer), ColumnDescription("name", .text)],
          primaryKey: ["name", "id"], uniqueKeys: [["id"]])
        var found: [[[String?]]] = []
        for isIndexFirst in [false, true] {
          let definition = try TableDefinition(table, in: try newSchema(on: connection))
          let key = try #require(definition.indexedKey(besides: [name]))
          try connection.execute(
            [definition.creation()]
              + (isIndexFirst
                ? [key.index, key.key] + definition.uniqueKeyAdditions : definition.keyAdditions))
          found.append(
            try connection.query(
              """
              SELECT k.conname, k.contype, k.conkey::text, c.relname, i.indisprimary, i.indisunique, i.indkey::text
              FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conindid
              JOIN pg_index AS i ON i.indexrelid = c.oid WHERE k.conrelid = $1::regclass ORDER BY 1
              """, [definition.qualifiedName]))
        }
        #expect(found[0].count == 2 && found[0] == found[1])
      }

      @Test func `the server takes it all`() throws {
        let connection = try connect()
        let schema = try newSchema(on: connection)
        _ = try createAll(Self.themes, in: schema, on: connection)
        let sets = try createAll(DefinitionTests.sets, in: schema, on: connection)
        #expect(
          try server.psql(
            """
            SELECT column_name, data_type, collation_name, is_nullable, column_default FROM information_schema.columns
            WHERE table_schema = '\(schema)' AND table_name = 'sets' ORDER BY ordinal_position
            """) == """
              set_num|text|C|NO|∅
              year|smallint|∅|YES|∅
              theme id|bigint|∅|NO|'-1'::integer
              weight|double precision|∅|YES|'0.5'::double precision
              is_new|boolean|∅|NO|true
              image|bytea|∅|YES|'\\x01ff'::bytea
              note|text|C|YES|'it''s \\'::text
              """)
        try connection.execute("INSERT INTO \(sets.qualifiedName) (set_num) VALUES ('1'), ('2')")
        for statement in sets.foreignKeyAdditions { try connection.execute(statement) }
        let error = try #require(throws: PostgreSQLError.self) {
          try connection.validateForeignKeys(of: sets)
        }
        #expect(error.message.sqlState == "23503")
        #expect(error.message.detail == "Key (theme id)=(-1) is not present in table \"themes\".")
        try connection.execute("INSERT INTO \"\(schema)\".themes VALUES (-1, 'x')")
        try connection.validateForeignKeys(of: sets)
        #expect(
          try connection.query(
            "SELECT conname, convalidated FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('f', 'p', 'u') ORDER BY 1",
            [sets.qualifiedName]) == [
              ["sets_note_year_key", "t"], ["sets_pkey", "t"], ["sets_theme id_fkey", "t"],
            ])
        // NULL differs from everything.
        try connection.execute(
          "INSERT INTO \(sets.qualifiedName) (set_num, note) VALUES ('3', 'x'), ('4', 'x')")
      }

      @Test func `keys are sorted by bytes`() throws {
        let connection = try connectToEnglish()
        let table = TableDescription(
          "themes", columns: Self.themes.columns, primaryKey: ["id"], uniqueKeys: [["name"]])
        let themes = try createAll(table, in: try newSchema(on: connection), on: connection)
        let names = ["é", "Z", "a", "z", "😀", "\u{ff5e}", "", " b", "e\u{301}"]
        try copy(
          names.enumerated().map { [.integer(Int64($0)), .text($1)] }, into: themes, on: connection)
        let sqlite = try Connection.inMemory()
        try sqlite.createTable(describedBy: table)
        for name in names { try sqlite.execute("INSERT INTO themes (name) VALUES (\(name))") }
        let sorted = try sqlite.query("SELECT name FROM themes ORDER BY name", as: String.self)
        #expect(
          try connection.query("SELECT name FROM \(themes.qualifiedName) ORDER BY name")
            == sorted.map { [$0] })
      }

      @Test func `a table of keys is filled`() throws {
        let connection = try connect()
        let schema = try newSchema(on: connection)
        func keys(_ name: String, _ column: String) -> TableDescription {
          TableDescription(name, columns: [ColumnDescription(column, .text)], primaryKey: [column])
        }
        try copy(
          [["1"], ["2"]], into: try createAll(keys("sets", "set_num"), in: schema, on: connection),
          on: connection)
        try copy(
          [["2"], ["3"]],
          into: try createAll(keys("minifigs", "fig_num"), in: schema, on: connection),
          on: connection)
        let union = KeyUnionDescription(
          "set_nums", column: "set_num", type: .text,
          members: [
            .init("sets", "set_num", reference: "of_set"),
            .init("minifigs", "fig_num", reference: "of_minifig"),
          ])
        let definition = try createAll(union.table, in: schema, on: connection)
        try connection.execute(union.postgreSQLFilling(in: schema))
        for statement in definition.foreignKeyAdditions { try connection.execute(statement) }
        try connection.validateForeignKeys(of: definition)
        #expect(
          try connection.query("SELECT * FROM \(definition.qualifiedName) ORDER BY 1")
            == [["1", "1", nil], ["2", "2", "2"], ["3", nil, "3"]])
      }
    }
  }
#endif
