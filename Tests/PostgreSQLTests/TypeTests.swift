#if PostgreSQL
  import SQLiteSwiftly
  import Schema
  import Testing

  @testable import PostgreSQL

  @Suite struct TypeTests {
    /// A format with a pattern, or the default format.
    static func format(_ pattern: String?) -> FieldFormat {
      var format = FieldFormat()
      if let pattern { format.spelling = .time(pattern: pattern) }
      return format
    }

    struct TextCase: Sendable, CustomTestStringConvertible {
      let domain: ColumnDescription.Domain?
      var pattern: String?
      let type: ServerType
      var check: String?

      var testDescription: String { "\(domain as Any) \(pattern ?? "")" }
    }

    private static let noon = "2024-02-29T12:00:00"

    static let textCases: [TextCase] = [
      TextCase(domain: nil, type: .text), TextCase(domain: .all([]), type: .text),
      TextCase(domain: .singleLine, type: .text, check: #""c" <> '' AND strpos("c", E'\n') = 0"#),
      TextCase(domain: .time(.date), type: .date),
      TextCase(domain: .time(.date), pattern: "%d.%m.%Y", type: .date),
      TextCase(
        domain: .all([.time(.date), .sorted(.init("2024-01-01"), .init("2024-12-31"))]),
        type: .date, check: #""c" >= '2024-01-01' AND "c" <= '2024-12-31'"#),
      TextCase(
        domain: .all([.time(.date), .oneOf(["2024-01-01", "2024-02-29"])]), type: .date,
        check: #""c" IN ('2024-01-01', '2024-02-29')"#),
      TextCase(domain: .time(.time), pattern: "%H:%M", type: .time),
      TextCase(domain: .time(.time), pattern: "%I:%M %p", type: .time),
      TextCase(domain: .time(.dateTime), pattern: "%d.%m.%Y %H:%M", type: .timestamp),
      TextCase(domain: .time(.dateTime), pattern: "%Y-%m-%dT%H:%M:%S%z", type: .timestamptz),
      TextCase(domain: .time(.dateTime), pattern: "%Y-%m-%d %H:%M %Z", type: .timestamptz),
      TextCase(
        domain: .all([.time(.dateTime), .sorted(.init(noon, isExclusive: true), nil)]),
        pattern: "%F %T", type: .timestamp, check: #""c" > '2024-02-29T12:00:00'"#),
      TextCase(
        domain: .all([.time(.dateTime), .sorted(nil, .init(noon + "Z"))]),
        pattern: "%F %T%z", type: .timestamptz, check: #""c" <= '2024-02-29T12:00:00Z'"#),
      TextCase(domain: .json(.value), type: .json),
      TextCase(domain: .json(.object), type: .json, check: #"json_typeof("c"::json) = 'object'"#),
      TextCase(domain: .json(.array), type: .json, check: #"json_typeof("c"::json) = 'array'"#),
      TextCase(
        domain: .all([.json(.value), .length(1...9)]), type: .text,
        check: #"json_typeof("c"::json) <> '' AND length("c") BETWEEN 1 AND 9"#),
      TextCase(domain: .sorted(.init("B"), nil), type: .text, check: #""c" COLLATE "C" >= 'B'"#),
    ]

    /// Columns that stay text: a type would lose digits, offsets or signs.
    static let losses: [(ColumnDescription.Domain, String?)] = [
      (.time(.time), nil), (.time(.dateTime), nil), (.time(.time), "%H:%M:%S.%f"),
      (.time(.dateTime), "%F %T.%f%z"), (.time(.year), nil), (.time(.yearMonth), nil),
      (.time(.duration), nil), (.all([.time(.date), .matching("2.*")]), nil),
      (.all([.time(.date), .sorted(.init("0000-01-01"), nil)]), nil),
      (.all([.time(.dateTime), .sorted(.init(noon + "Z"), nil)]), "%F %T"),
      (.all([.time(.dateTime), .sorted(.init(noon), nil)]), "%F %T%z"),
      (.all([.time(.dateTime), .sorted(.init(noon + ".1234567"), nil)]), "%F %T"),
    ]

    private func definition(
      _ column: ColumnDescription, _ pattern: String? = nil
    ) throws -> TableDefinition {
      try TableDefinition(
        TableDescription("t", columns: [column], primaryKey: []), in: "s",
        formats: [Self.format(pattern)])
    }

    @Test(arguments: textCases)
    func `a text has the type of its domain`(test: TextCase) throws {
      let column = ColumnDescription("c", .text, isNullable: true, domain: test.domain)
      let definition = try definition(column, test.pattern)
      let check = test.check.map { " CHECK (\($0))" } ?? ""
      #expect(
        definition.creation() == """
          CREATE TABLE "s"."t" (
            "c" \(test.type.rawValue)\(check)
          )
          """)
    }

    @Test(arguments: losses)
    func `a text that a type would change stays a text`(
      domain: ColumnDescription.Domain, pattern: String?
    ) throws {
      let column = ColumnDescription("c", .text, domain: domain)
      #expect(try definition(column, pattern).types == [.text])
    }

    @Test(arguments: [("2024-02-29T12:00:00Z", ServerType.timestamptz), (noon, .text)])
    func `a default is a value of the type`(value: String, type: ServerType) throws {
      let column = ColumnDescription(
        "c", .text, domain: .time(.dateTime), defaultValue: .text(value))
      #expect(try definition(column, "%F %T%z").types == [type])
    }

    @Test(arguments: [
      (ColumnDescription.Domain.within(-32768...32767), ServerType.smallint),
      (.within(-32769...0), .integer), (.within(0...32768), .integer),
      (.within(-2_147_483_648...2_147_483_647), .integer), (.within(0...2_147_483_648), .bigint),
      (.within(-2_147_483_649...0), .bigint), (.oneOfIntegers([1, 0, -32768]), .smallint),
      (.oneOfIntegers([1, 40_000]), .integer), (.oneOfIntegers([.min]), .bigint),
      (.atLeast(0), .bigint), (.atMost(0), .bigint),
      (.all([.atLeast(0), .atMost(9)]), .smallint),
    ])
    func `an integer has the smallest type of its domain`(
      domain: ColumnDescription.Domain, type: ServerType
    ) throws {
      #expect(try definition(ColumnDescription("c", .integer, domain: domain)).types == [type])
    }

    @Test func `columns with the same values have the same type, and keys are sorted by bytes`()
      throws
    {
      let date = ColumnDescription.Domain.time(.date)
      let small = ColumnDescription.Domain.within(0...9)
      func table(
        _ name: String, _ columns: [ColumnDescription], key: [String],
        foreignKeys: [ForeignKeyDescription] = [], indexes: [[String]] = []
      ) -> TableDescription {
        TableDescription(
          name, columns: columns, primaryKey: key, foreignKeys: foreignKeys, indexes: indexes)
      }
      let days = table(
        "days",
        [
          ColumnDescription("day", .text, domain: date),
          ColumnDescription("number", .integer, domain: small),
          ColumnDescription("name", .text),
        ], key: ["day"])
      let events = table(
        "events",
        [
          ColumnDescription("day", .text, domain: date), ColumnDescription("code", .text),
          ColumnDescription("number", .integer, domain: small),
          ColumnDescription("until", .text, domain: date),
          ColumnDescription("data", .text, domain: .json(.object)),
          ColumnDescription("facts", .text, domain: .json(.object)),
          ColumnDescription("place", .text),
        ], key: ["code", "until", "number"],
        foreignKeys: [ForeignKeyDescription("day", references: "days", "day")],
        indexes: [["data"], ["place"]])
      let parts = table(
        "parts", [ColumnDescription("number", .integer, domain: small)], key: ["number"])
      let schema = SchemaDescription(
        tables: [days, events, parts],
        keyUnions: [
          KeyUnionDescription(
            "numbers", column: "number", type: .integer, members: [.init("parts", "number")])
        ], applicationID: 1, version: 1)
      let definitions = try TableDefinition.all(of: schema, in: "s")
      #expect(
        definitions.map(\.types) == [
          [.key, .smallint, .text], [.key, .key, .smallint, .date, .key, .json, .key], [.bigint],
        ])
      let union = try TableDefinition(schema.keyUnions[0].table, in: "s")
      #expect(union.types == [.bigint])
    }
  }

  extension ServerTests {
    @Suite struct StoredTypeTests {
      static let columns:
        [(
          name: String, type: ColumnDescription.DataType, domain: ColumnDescription.Domain?,
          pattern: String?
        )] = [
          ("day", .text, .time(.date), nil), ("clock", .text, .time(.time), "%H:%M:%S"),
          ("local", .text, .time(.dateTime), "%Y-%m-%d %H:%M:%S"),
          ("moment", .text, .time(.dateTime), "%Y-%m-%d %H:%M:%S%z"),
          ("facts", .text, .json(.value), nil),
          ("small", .integer, .within(-32_768...32_767), nil),
          ("medium", .integer, .within(-2_147_483_648...2_147_483_647), nil),
          ("big", .integer, .atLeast(.min), nil), ("flag", .boolean, nil, nil),
          ("stamp", .text, .time(.dateTime), nil), ("name", .text, nil, nil),
        ]

      static let typed = TableDescription(
        "typed",
        columns: columns.map {
          ColumnDescription($0.name, $0.type, isNullable: true, domain: $0.domain)
        }, primaryKey: [])

      static let rows: [[SQLiteValue]] = [
        [
          "0001-01-01", "00:00:00", "0001-01-01T00:00:00", "0001-01-01T00:00:00Z",
          #"{"a": 1, "a": 2}"#,
          -32_768, -2_147_483_648, .integer(.min), 0, "0001-01-01T00:00:00.1234567Z", "",
        ],
        [
          "9999-12-31", "23:59:59", "9999-12-31T23:59:59", "9999-12-31T23:59:59Z",
          " [ 1.50 ,\t1e400 ]\n",
          32_767, 2_147_483_647, .integer(.max), 1, "9999-12-31T23:59:59", "ü€😀",
        ],
        [
          "2024-02-29", "12:30:01", "2000-02-29T01:02:03", "1999-12-31T23:00:59Z",
          #""\u0000 \ud83d\ude00 \/ é""#, 0, 0, 0, 1, "2024-02-29T12:30:00.5", "e\u{301}",
        ],
        [
          "2000-01-01", "00:00:01", "1900-02-28T12:00:00", "2000-03-01T00:00:00Z", "null", -1, -1,
          -1, 0, "1900-03-01T00:00:00Z", "x",
        ],
        .init(repeating: .null, count: 11),
      ]

      @Test(arguments: [
        "", "SET datestyle = 'German'; SET timezone = 'Asia/Kathmandu'",
        "SET datestyle = 'SQL, DMY'; SET timezone = 'America/St_Johns'; SET intervalstyle = 'sql_standard'",
      ])
      func `what a file has as text, the server has as a type`(session: String) throws {
        let connection = try connect()
        try connection.execute("SELECT 1; " + session)
        let definition = try create(
          Self.typed, formats: Self.columns.map { TypeTests.format($0.pattern) }, on: connection)
        #expect(
          definition.types == [
            .date, .time, .timestamp, .timestamptz, .json, .smallint, .integer, .bigint, .boolean,
            .text, .text,
          ])
        try copy(Self.rows, into: definition, on: connection)
        let file = try Connection.inMemory()
        try file.createTable(describedBy: Self.typed)
        for row in Self.rows {
          let values = row.map(\.literal).joined(separator: ", ")
          try file.execute(SQL(generated: "INSERT INTO typed VALUES (\(values))"))
        }
        let expected = try file.query("SELECT * FROM typed").map { row in
          row.map { $0.textValue ?? $0.integerValue.map(String.init) }
        }
        let found = try connection.query(
          """
          SELECT to_char(day, 'YYYY-MM-DD'), to_char(clock, 'HH24:MI:SS'),
            to_char(local, 'YYYY-MM-DD"T"HH24:MI:SS'),
            to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
            facts::text, small, medium, big, flag::integer, stamp, name
          FROM \(definition.qualifiedName)
          """)
        #expect(found == expected)
        // As literals as well, which provenance is written by.
        try connection.execute(
          ["TRUNCATE \(definition.qualifiedName)"] + definition.insertions(of: Self.rows))
        #expect(
          try connection.query("SELECT count(*) FROM \(definition.qualifiedName)")
            == [["\(Self.rows.count)"]])
      }

      @Test(
        arguments: [
          (
            "day",
            [
              "2023-02-29", "1900-02-29", "2023-04-31", "2023-13-01", "2023-00-10", "2023-01-00",
              "0000-01-01", "2023-1-1", "", "2023-01-01 ", "02023-01-01", "2023/01/01", "infinity",
            ]
          ),
          ("clock", ["24:00:00", "23:60:00", "23:59:60", "12:00", "12:00:00.5", "12:00:00Z", ""]),
          (
            "local",
            [
              "2024-02-30T00:00:00", "2024-02-29 00:00:00", "2024-02-29T24:00:00",
              "2024-02-29", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00.5",
            ]
          ),
          ("moment", ["2024-02-29T00:00:00", "2024-02-29T00:00:00+00:00", "2024-02-29T00:00:00z"]),
        ] as [(String, [SQLiteValue])])
      func `a text that is not of the type is refused`(column: String, texts: [SQLiteValue]) throws
      {
        try refuse(
          texts, in: column, "A value does not have the type of the column \(column) of typed")
      }

      @Test(
        arguments: [
          ("small", [32_768, -32_769]), ("medium", [2_147_483_648, -2_147_483_649]),
          ("day", [1, .real(1), .blob([1])]), ("small", ["1", .real(1)]), ("flag", ["t"]),
        ] as [(String, [SQLiteValue])])
      func `a number that is not of the type is refused`(column: String, values: [SQLiteValue])
        throws
      {
        try refuse(
          values, in: column, "A value does not have the type of the column \(column) of typed")
      }

      private func refuse(_ values: [SQLiteValue], in column: String, _ message: String) throws {
        let connection = try connect()
        let definition = try create(
          Self.typed, formats: Self.columns.map { TypeTests.format($0.pattern) }, on: connection)
        for value in values {
          let row = Self.columns.map { $0.name == column ? value : .null }
          let error = try #require(throws: PostgreSQLError.self, "\(value)") {
            try copy([row], into: definition, on: connection)
          }
          #expect(error.kind == .misuse && error.message.text == message, "\(value)")
        }
      }

      @Test func `each month begins and ends on the server's days`() throws {
        let connection = try connect()
        let days = try connection.query(
          """
          SELECT to_char(day, 'YYYY-MM-DD'), day::date - date '2000-01-01'
          FROM generate_series(timestamp '0001-01-01', '9999-12-01', '1 month') AS month (start),
            LATERAL (VALUES (start), (start + interval '1 month - 1 day')) AS days (day)
          """)
        #expect(days.count == 9999 * 24)
        let wrong = days.filter { row in
          let text = Array((row[0] ?? "").utf8)
          return ServerType.date.count(of: text.span).map(String.init) != row[1]
        }
        #expect(wrong.isEmpty)
      }

      @Test(
        arguments: [
          (
            ColumnDescription.Domain.sorted(
              .init("2024-01-01"), .init("2024-12-31", isExclusive: true)),
            ["2024-01-01", "2024-12-30"], ["2023-12-31", "2024-12-31"]
          ),
          (.oneOf(["2024-01-01", "2024-02-29"]), ["2024-02-29"], ["2024-01-02"]),
        ] as [(ColumnDescription.Domain, [SQLiteValue], [SQLiteValue])])
      func `bounds are conditions on the type`(
        domain: ColumnDescription.Domain, inside: [SQLiteValue], outside: [SQLiteValue]
      ) throws {
        let connection = try connect()
        try connection.execute("SET datestyle = 'SQL, DMY'")
        let table = TableDescription(
          "t", columns: [ColumnDescription("day", .text, domain: .all([.time(.date), domain]))],
          primaryKey: [])
        let definition = try create(table, formats: [FieldFormat()], on: connection)
        #expect(definition.types == [.date])
        for value in inside { try copy([[value]], into: definition, on: connection) }
        for value in outside {
          let error = try #require(throws: PostgreSQLError.self) {
            try copy([[value]], into: definition, on: connection)
          }
          #expect(error.message.sqlState == "23514")
        }
      }

      @Test func `an offset is a part of a bound`() throws {
        let connection = try connect()
        try connection.execute("SET timezone = 'Asia/Kathmandu'")
        let table = TableDescription(
          "t",
          columns: [
            ColumnDescription(
              "moment", .text,
              domain: .all([.time(.dateTime), .sorted(.init("2024-01-01T00:00:00Z"), nil)]),
              defaultValue: "2024-01-01T00:00:00Z")
          ], primaryKey: ["moment"])
        let definition = try create(table, formats: [TypeTests.format("%F %T%z")], on: connection)
        try copy([["2024-01-01T00:00:01Z"]], into: definition, on: connection)
        try connection.execute("INSERT INTO \(definition.qualifiedName) DEFAULT VALUES")
        #expect(throws: PostgreSQLError.self) {
          try copy([["2023-12-31T23:59:59Z"]], into: definition, on: connection)
        }
        #expect(
          try connection.query(
            "SELECT moment AT TIME ZONE 'UTC' FROM \(definition.qualifiedName) ORDER BY 1")
            == [["2024-01-01 00:00:00"], ["2024-01-01 00:00:01"]])
      }

      @Test func `names are sorted as in the database, and keys by bytes`() throws {
        let connection = try connectToEnglish()
        let definition = try create(
          TableDescription(
            "t", columns: [ColumnDescription("key", .text), ColumnDescription("name", .text)],
            primaryKey: ["key"]), on: connection)
        let names = ["b", "B", "a", "é", "Z", "f"]
        try copy(names.map { [.text($0), .text($0)] }, into: definition, on: connection)
        func sorted(by column: String) throws -> [String?] {
          try connection.query("SELECT key FROM \(definition.qualifiedName) ORDER BY \(column)")
            .map { $0[0] }
        }
        #expect(try sorted(by: "key") == ["B", "Z", "a", "b", "f", "é"])
        #expect(try sorted(by: "name") == ["a", "b", "B", "é", "f", "Z"])
      }
    }
  }
#endif
