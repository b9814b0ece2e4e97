#if PostgreSQL
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    @Suite struct CopyTests {
      static let everything = TableDescription(
        "every\"thing",
        columns: [
          ColumnDescription("id", .integer),
          ColumnDescription("Big one", .integer, isNullable: true),
          ColumnDescription("flag", .boolean, isNullable: true),
          ColumnDescription("number", .real, isNullable: true),
          ColumnDescription("text", .text, isNullable: true),
          ColumnDescription("bytes", .blob, isNullable: true),
        ], primaryKey: ["id"])

      static let notes = TableDescription(
        "notes",
        columns: [
          ColumnDescription("id", .integer),
          ColumnDescription("note", .text, domain: .oneOf(["a", "b"])),
        ], primaryKey: ["id"])

      @Test func `psql prints what was copied`() throws {
        let connection = try connect()
        let definition = try create(Self.everything, on: connection)
        let rows: [[SQLiteValue]] = [
          [1, .integer(.min), 0, .real(-0.0), "", .blob([])],
          [2, .integer(.max), 1, .real(.nan), "it's \"quoted\" \\ |", .blob([0, 255, 39])],
          [3, -1, .null, .real(.infinity), "two\nlines\r\tand a tab", .null],
          [4, .null, 1, .real(-.infinity), "ü€😀 e\u{301} \u{feff}", .null],
          [5, 0, 0, .real(.leastNonzeroMagnitude), .null, .null],
          [6, 1, 0, .real(.greatestFiniteMagnitude), "NULL", .null],
          [7, 1, 0, .real(0.1), "\\N", .null],
          // An integer in a column of reals, which SQLite would convert.
          [8, 1, 0, .integer(3), "\\.", .null],
        ]
        #expect(try copy(rows, into: definition, on: connection) == 8)
        #expect(
          try server.psql(
            """
            SELECT id, "Big one", flag, number, encode(convert_to(text, 'UTF8'), 'hex'), bytes
            FROM \(definition.qualifiedName) ORDER BY id
            """) == """
              1|-9223372036854775808|f|-0||\\x
              2|9223372036854775807|t|NaN|6974277320\("22")71756f74656422205c207c|\\x00ff27
              3|-1|∅|Infinity|74776f0a6c696e65730d09616e64206120746162|∅
              4|∅|t|-Infinity|c3bce282acf09f98802065cc8120efbbbf|∅
              5|0|f|5e-324|∅|∅
              6|1|f|1.7976931348623157e+308|4e554c4c|∅
              7|1|f|0.1|5c4e|∅
              8|1|f|3|5c2e|∅
              """)
      }

      @Test func `texts are longer than the buffer, and end where it ends`() throws {
        let connection = try connect()
        let definition = try create(Self.notes.withoutDomains, on: connection)
        let counts =
          [0, 1, 250, 1_000_000] + Array(CopyBuffer.capacity - 60...CopyBuffer.capacity + 3)
        let rows = counts.enumerated().map { place, count in
          [SQLiteValue.integer(Int64(place)), .text(String(repeating: "x", count: count) + "€")]
        }
        #expect(try copy(rows, into: definition, on: connection) == rows.count)
        let lengths = try connection.query(
          "SELECT octet_length(note), note = repeat('x', length(note) - 1) || '€' "
            + "FROM \(definition.qualifiedName) ORDER BY id")
        #expect(lengths == counts.map { ["\($0 + 3)", "t"] })
      }

      @Test func `many batches come in whole`() throws {
        let connection = try connect()
        let definition = try create(Self.notes.withoutDomains, on: connection)
        var writer = try CopyWriter(into: definition, on: connection)
        let empty = RowBatch(cells: 2, textCapacity: 0)
        for start in stride(from: 0, to: 50_000, by: 5_000) {
          try writer.write(
            RowBatch.of((start..<start + 5_000).map { [.integer(Int64($0)), .text("note \($0)")] }))
          try writer.write(empty)
        }
        #expect(try writer.end() == 50_000)
        let difference = try connection.query(
          """
          SELECT count(*), count(*) FILTER (WHERE note = 'note ' || id), min(id), max(id), count(DISTINCT id)
          FROM \(definition.qualifiedName)
          """)
        #expect(difference == [["50000", "50000", "0", "49999", "50000"]])
      }

      @Test func `a table without rows is copied`() throws {
        let connection = try connect()
        let definition = try create(Self.notes, on: connection)
        #expect(try copy([], into: definition, on: connection) == 0)
        #expect(try connection.query("SELECT 1") == [["1"]])
      }
    }
  }

  extension TableDescription {
    /// The table without conditions on what texts may be.
    var withoutDomains: TableDescription {
      TableDescription(
        name, columns: columns.map { ColumnDescription($0.name, $0.type) }, primaryKey: primaryKey)
    }
  }
#endif
