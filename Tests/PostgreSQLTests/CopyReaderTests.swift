#if PostgreSQL
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    @Suite struct CopyReaderTests {
      private static let columns = [
        ColumnDescription("id", .integer), ColumnDescription("text", .text, isNullable: true),
        ColumnDescription("flag", .boolean, isNullable: true),
      ]

      /// The rows of a query, as `psql` would print them, and the number of batches.
      private func read(
        _ source: String, on connection: PostgreSQLConnection
      ) throws -> (rows: [String], batches: Int) {
        var reader = try CopyReader(Self.columns, from: source, on: connection)
        var (rows, batches): ([String], Int) = ([], 0)
        while let batch = try reader.next() {
          batches += 1
          for row in 0..<batch.rows {
            let cells = (0..<batch.columns).map { column in
              let cell = row * batch.columns + column
              switch batch.classes[cell] {
              case RowBatch.StorageClass.null: return "∅"
              case RowBatch.StorageClass.text:
                let (start, count) = RowBatch.textPlace(batch.values[cell])
                return String(decoding: batch.text[start..<start + count], as: UTF8.self)
              default: return "\(batch.values[cell])"
              }
            }
            rows.append(cells.joined(separator: "|"))
          }
        }
        return (rows, batches)
      }

      @Test(
        arguments: [
          ("(VALUES (1::smallint, 'a', true)) AS r (id, text, flag)", ["1|a|1"]),
          (
            """
            (VALUES (9223372036854775807, '', false), (-9223372036854775808, NULL, NULL), (0, 'ü€😀', NULL)) AS r
              (id, text, flag)
            """,
            ["9223372036854775807||0", "-9223372036854775808|∅|∅", "0|ü€😀|∅"]
          ),
          (
            "(VALUES (2, 'ab', true), (1, 'a', true), (3, 'ab', true)) AS r (id, text, flag) ORDER BY r.text, r.id",
            ["1|a|1", "2|ab|1", "3|ab|1"]
          ), ("(SELECT 1 AS id, 'a' AS text, true AS flag WHERE false) AS r", []),
        ])
      func `rows are those of the query`(source: String, rows: [String]) throws {
        let connection = try connect()
        #expect(try read(source, on: connection).rows == rows)
        #expect(try connection.query("SELECT 1") == [["1"]])
      }

      @Test func `many rows come in order, in batches`() throws {
        let connection = try connect()
        let source =
          "(SELECT id, 'text ' || id / 3 AS text, id % 2 = 0 AS flag FROM generate_series(0, 4999) AS id) AS r"
        let (rows, batches) = try read(source, on: connection)
        #expect(rows == (0..<5000).map { "\($0)|text \($0 / 3)|\(1 - $0 % 2)" })
        #expect(batches == 3)
      }

      @Test func `an error among the rows is thrown`() throws {
        let connection = try connect()
        let source =
          "(SELECT 1 / (4000 - id) AS id, '' AS text, true AS flag FROM generate_series(0, 9999) AS id) AS r"
        let error = #expect(throws: PostgreSQLError.self) { try read(source, on: connection) }
        #expect(error?.message.sqlState == "22012")
        #expect(try connection.query("SELECT 1") == [["1"]])
        #expect(throws: PostgreSQLError.self) { try read("no_such_table", on: connection) }
        #expect(try connection.query("SELECT 2") == [["2"]])
      }

      @Test func `a reader that is not read to the end leaves the connection free`() throws {
        let connection = try connect()
        do {
          var reader = try CopyReader(
            Self.columns,
            from: "(SELECT id, 'x' AS text, true AS flag FROM generate_series(0, 9999) AS id) AS r",
            on: connection)
          #expect(try reader.next()?.rows == 2048)
          #expect(throws: PostgreSQLError.self) { try connection.query("SELECT 1") }
        }
        #expect(try connection.query("SELECT 1") == [["1"]])
      }
    }
  }
#endif
