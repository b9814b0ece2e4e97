#if PostgreSQL
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// The server says to which partition a value belongs.
    @Suite struct HashPartitionTests {
      private let connection: PostgreSQLConnection

      init() throws { connection = try connect() }

      /// Creates a partitioned table in a schema of its own.
      private func partitionedTable(_ type: String) throws -> String {
        let table = "\(try newSchema(on: connection)).parts"
        try connection.execute("CREATE TABLE \(table) (value \(type)) PARTITION BY HASH (value)")
        return table
      }

      private func numbers(
        of values: [String?], as type: String, _ count: Int
      ) throws -> [Int] {
        let table = try partitionedTable(type)
        return try values.map { value in
          let rows = try connection.query(
            """
            SELECT number FROM generate_series(0, \(count) - 1) AS number
            WHERE satisfies_hash_partition('\(table)'::regclass, \(count), number, $1::\(type))
            """, [value])
          try #require(rows.count == 1)
          return try #require(rows[0][0].flatMap(Int.init))
        }
      }

      @Test(arguments: [1, 2, 3, 7, 64])
      func `an integer is where the server has it`(count: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let random = (0..<60).map { Int64.random(in: .min ... .max, using: &generator) >> $0 }
        let values = [0, 1, -1, 42, .max, .min, 1 << 32, -(1 << 32), (1 << 32) - 1] + random
        let partition = HashPartition(count: count)
        let expected = try numbers(of: values.map { "\($0)" }, as: "bigint", count)
        for (value, number) in zip(values, expected) {
          #expect(partition.number(of: value) == number, "\(value)")
        }
      }

      @Test(arguments: [1, 2, 3, 7, 64])
      func `a text is where the server has it`(count: Int) throws {
        let letters = Array("abcdefghijklmnopqrstuvwxyz\u{e9}\u{1f9f1}0123456789")
        let values = (0..<40).map { String(letters.prefix($0)) } + ["3001", "973pb0001c01", " "]
        let partition = HashPartition(count: count)
        let expected = try numbers(of: values, as: "text", count)
        for (value, number) in zip(values, expected) {
          #expect(partition.number(of: Array(value.utf8).span) == number, "\(value)")
        }
      }

      @Test func `no value is in the first partition`() throws {
        #expect(try numbers(of: [nil], as: "bigint", 5) == [HashPartition.ofNull])
      }
    }
  }
#endif
