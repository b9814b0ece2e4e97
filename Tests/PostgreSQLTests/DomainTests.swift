#if PostgreSQL
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    @Suite struct DomainTests {
      struct Case: Sendable, CustomTestStringConvertible {
        let domain: ColumnDescription.Domain
        var type = ColumnDescription.DataType.text
        let inside: [SQLiteValue]
        let outside: [SQLiteValue]

        var testDescription: String { "\(domain)" }
      }

      static let cases: [Case] = [
        Case(
          domain: .atLeast(-3), type: .integer, inside: [-3, .integer(.max)],
          outside: [-4, .integer(.min)]),
        Case(
          domain: .atMost(3), type: .integer, inside: [3, .integer(.min)],
          outside: [4, .integer(.max)]),
        Case(
          domain: .within(Int64.min...5), type: .integer, inside: [.integer(.min), 5], outside: [6]),
        Case(
          domain: .oneOfIntegers([1, .min, 7]), type: .integer, inside: [1, .integer(.min)],
          outside: [2]),
        Case(
          domain: .between(.init(-1.5), .init(0.1, isExclusive: true)), type: .real,
          inside: [.real(-1.5), .real(0.1.nextDown), .real(-0.0)],
          outside: [.real(0.1), .real(-1.6), .real(.infinity)]
        ),
        Case(domain: .between(nil, nil), type: .real, inside: [.real(.infinity)], outside: []),
        Case(
          domain: .oneOfReals([0.1, 2]), type: .real, inside: [.real(0.1), .real(2)],
          outside: [.real(0.2)]),
        Case(
          domain: .oneOf(["a", "it's", "é"]), inside: ["a", "it's", "é"],
          outside: ["A", "", "e\u{301}", "a "]),
        Case(domain: .oneOf(["a"]), inside: ["a"], outside: ["b"]),
        Case(
          domain: .singleLine, inside: ["a", " ", "a\rb\\n", "n"], outside: ["", "a\nb", "\n"]),
        Case(
          domain: .hexadecimalDigits(6), inside: ["05131D", "abcdef"],
          outside: ["05131", "05131D0", "05131G", "05131\n", "0513é"]),
        Case(
          domain: .hexadecimalDigits(300), inside: [.text(String(repeating: "a", count: 300))],
          outside: ["a"]),
        Case(domain: .length(2...3), inside: ["ab", "é😀", "abc"], outside: ["a", "abcd", ""]),
        Case(domain: .length(2...Int.max), inside: ["ab", "abcd"], outside: ["a"]),
        Case(
          domain: .sorted(.init("B"), .init("b", isExclusive: true)),
          inside: ["B", "Z", "a", "az"],
          outside: ["A", "b", "é", ""]),
        Case(
          domain: .matching("[A-Z]{2}-\\d+(\\.[^x]|é)?"),
          inside: ["AB-1", "AB-12.é", "AB-1é", "AB-1.😀"],
          outside: ["ab-1", "AB-", "AB-1.x", "AB-1\n", "xAB-1"]),
        Case(domain: .matching("a|bc"), inside: ["a", "bc"], outside: ["ac", "abc", "b"]),
        Case(
          domain: .time(.date),
          inside: ["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31", "2023-04-30"],
          outside: [
            "2023-02-29", "1900-02-29", "2023-04-31", "2023-13-01", "2023-00-10", "2023-01-00",
            "2023-1-1", "",
            "2023-01-32", "02023-01-01", "2023-01-01 ", "2023-01-01\n",
          ]),
        Case(
          domain: .time(.time), inside: ["00:00:00", "23:59:59", "12:30:00.125"],
          outside: ["24:00:00", "12:60:00", "12:00", "1:00:00", "12:00:00."]),
        Case(
          domain: .time(.dateTime),
          inside: ["2024-02-29T23:59:59", "2024-02-29T00:00:00Z", "2024-02-29T12:30:00.5Z"],
          outside: [
            "2024-02-30T00:00:00", "2024-02-29 00:00:00", "2024-02-29T24:00:00", "2024-02-29",
          ]),
        Case(
          domain: .time(.year), inside: ["2024", "-0044", "12024"], outside: ["24", "20x4", ""]),
        Case(
          domain: .time(.yearMonth), inside: ["2024-12", "2024-01"],
          outside: ["2024-13", "2024-00", "2024-1"]),
        Case(domain: .time(.duration), inside: ["P1DT12H"], outside: []),
        Case(
          domain: .all([.time(.dateTime), .sorted(.init("2024-01-01T00:00:00Z"), nil)]),
          inside: ["2024-01-01T00:00:00Z", "2024-01-01T00:00:00.5Z"],
          outside: ["2023-12-31T23:59:59Z"]),
        Case(
          domain: .all([.time(.year), .sorted(.init("-0044"), .init("12024"))]),
          inside: ["-0044", "0000", "12024"],
          outside: ["-0045", "12025", "x"]),
        Case(
          domain: .json(.value), inside: ["1", "null", "{\"a\": [1, \"\\u0000\"]}", " [] "],
          outside: ["", "{", "{a: 1}", "nul"]),
        Case(domain: .json(.object), inside: ["{}"], outside: ["[]", "1", "{"]),
        Case(domain: .json(.array), inside: ["[1]"], outside: ["{}", "null"]),
        Case(
          domain: .form(.uuid), inside: ["123e4567-e89b-12d3-a456-426614174000"],
          outside: ["123e4567e89b12d3a456426614174000", "g23e4567-e89b-12d3-a456-426614174000"]),
        Case(domain: .form(.email), inside: ["a@b"], outside: []),
      ]

      /// What SQLite lets in that is not in the domain is not compared; the other way round there must be nothing.
      @Test(arguments: cases)
      func `what is outside a domain is refused`(test: Case) throws {
        let table = TableDescription(
          "t", columns: [ColumnDescription("v", test.type, isNullable: true, domain: test.domain)],
          primaryKey: [])
        let connection = try connect()
        let definition = try create(table, on: connection)
        let sqlite = try Connection.inMemory()
        try sqlite.createTable(describedBy: table)
        for value in test.inside { try sqlite.execute("INSERT INTO t VALUES (\(value))") }
        let inside = test.inside + [.null]
        for value in inside {
          #expect(throws: Never.self, "\(value)") {
            try copy([[value]], into: definition, on: connection)
          }
        }
        for value in test.outside {
          let error = try #require(throws: PostgreSQLError.self, "\(value)") {
            try copy([[value]], into: definition, on: connection)
          }
          // A check, or what a cast within it finds wrong.
          #expect(["23514", "22P02"].contains(error.message.sqlState), "\(error)")
          #expect(error.message.context?.contains("COPY t, line 1") == true, "\(error)")
        }
        #expect(
          try connection.query("SELECT count(*) FROM \(definition.qualifiedName)") == [
            ["\(inside.count)"]
          ])
      }
    }
  }
#endif
