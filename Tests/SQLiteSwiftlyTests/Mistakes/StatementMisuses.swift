import SQLiteSwiftly

/// Misuses of SQL, parameters, statements, rows and transactions.
extension MistakeTests {
  private static func sql(_ text: String) -> SQL { SQL(BuiltScript(text: text)) }

  private static func repeated(_ piece: String, _ count: Int) -> String {
    String(repeating: piece, count: count)
  }

  static let sqlMisuses: [Mistake] = [
    refused(.misuse, "the SQL contains a NUL") {
      _ = try $0.query("SELECT * FROM \(identifier: "words\0")")
    },
    refused(.error, "no such table: ") { _ = try $0.query("SELECT * FROM \(identifier: "")") },
    refused(.error, #"no such table: """#) {
      _ = try $0.query("SELECT * FROM \(identifier: #""""#)")
    },
    refused(.error, "parser stack overflow") {
      _ = try $0.query(sql("SELECT " + repeated("(", 500) + "1" + repeated(")", 500)))
    },
    refused(.error, "Expression tree is too large") {
      _ = try $0.query(sql("SELECT 1" + repeated("+1", 5000)))
    },
    refused(.error, "too many terms in compound SELECT") {
      _ = try $0.query(sql("SELECT 1" + repeated(" UNION SELECT 1", 600)))
    },
    refused(.error, "too many columns in result set") {
      _ = try $0.query(sql("SELECT 1" + repeated(",1", 3000)))
    },
    refused(.error, "at most 64 tables in a join") {
      _ = try $0.query(sql("SELECT 1 FROM words" + repeated(", words", 70)))
    },
    refused(.error, "too many attached databases") {
      for number in 0..<20 { try $0.execute("ATTACH ':memory:' AS \(identifier: "d\(number)")") }
    },
    refused(.error, "too many levels of trigger recursion") {
      try $0.execute(
        script: """
          PRAGMA recursive_triggers = ON;
          CREATE TRIGGER r AFTER UPDATE ON words BEGIN UPDATE words SET word = 'x'; END;
          UPDATE words SET word = 'y';
          """)
    },
    returned("nil") { try $0.value(of: "CREATE TABLE t (a)") as Any },
    returned("[]") { try $0.query("DELETE FROM words WHERE id = 9", as: Int.self) },
    returned("1") {
      try $0.first(
        "WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT a FROM n",
        as: Int.self) ?? 0
    },
    returned("SQLITE_OK_-2147483648") { _ in SQLiteError.ResultCode(rawValue: .min) },
    returned(" (SQLITE_OK, 0) in: ") { _ in SQLiteError(.ok, "", sql: "") },
  ]

  private struct Formless: SQLiteValueConvertible {
    var sqliteValue: SQLiteValue {
      get throws(SQLiteError) { throw SQLiteError(.ok, "no form today") }
    }
  }

  static let parameterMisuses: [Mistake] = [
    refused(.range, "no parameter is named") {
      _ = try $0.query("SELECT :a", [repeated("a", 99_999): 1])
    },
    refused(.range, "no parameter is named") {
      _ = try $0.query("SELECT :a", ["\u{1F9F1}e\u{301}": 1])
    },
    refused(.range, #"no parameter is named ":""#) { _ = try $0.query("SELECT :a", [":": 1]) },
    refused(.error, "variable number must be between") { _ = try $0.query("SELECT ?0", [1]) },
    refused(.error, "variable number must be between") {
      _ = try $0.query("SELECT ?99999999999999999999", [1])
    },
    refused(.range, "but 1 value: parameter 2 has no value") {
      _ = try $0.query("SELECT ?32766", [1])
    },
    refused(.range, "but 100000 values: 99999 extra values") {
      _ = try $0.query("SELECT ?", SQLParameters(Array(0..<100_000)))
    },
    refused(.range, "1 extra value") {
      var statement = try $0.prepare("SELECT ?")
      var rows = statement.rows(1, 2)
      _ = try rows.next()
    },
    refused(.ok, "no form today") { _ = try $0.query("SELECT ?", [Formless()]) },
    returned("[1, 2]") {
      var statement = try $0.prepare("SELECT ?")
      let first = try statement.query([1], as: Int.self)
      for wrong in [SQLParameters.none, [1, 2], ["a": 1], [UInt64.max]] {
        _ = try? statement.query(wrong)
      }
      return first + (try statement.query([2], as: Int.self))
    },
    returned("null real -inf") {
      try $0.first(
        "SELECT typeof(?1) || ' ' || typeof(?2) || ' ' || lower(?3)",
        [Double.nan, Double.infinity, -Double.infinity], as: String.self) ?? ""
    },
    returned("[97, 0, 0]") {
      try $0.first("SELECT ?", ["a\0\0"], as: [UInt8].self, decoding: .lenient) ?? []
    },
    returned("32766") {
      let places = [SQL](repeating: "(?)", count: 32_766).joined(separator: ", ")
      return try $0.first(
        "SELECT sum(column1) FROM (VALUES \(sql: places))",
        SQLParameters([Int](repeating: 1, count: 32_766)), as: Int.self) ?? 0
    },
    returned("32766 32766") {
      let statement = try $0.prepare("SELECT ?32766")
      return "\(statement.parameterNames.count) \(statement.parameterCount)"
    },
    returned("[[], []]") {
      var statement = try $0.prepare("DELETE FROM words WHERE id = \(1)")
      try statement.run()
      return [try statement.query(), try statement.query(SQLParameters([] as [SQLiteValue]))]
    },
  ]

  private static let three: SQL = "SELECT column1 FROM (VALUES (1), (2), (3))"

  static let statementMisuses: [Mistake] = [
    returned("3") {
      var statement = try $0.prepare(three)
      var rows = statement.rows()
      var count = 0
      while try rows.next() != nil { count += 1 }
      for _ in 0..<5 where try rows.next() != nil { count += 1 }
      return count
    },
    returned("3") {
      var statement = try $0.prepare(three)
      do { _ = statement.rows() }
      do { _ = statement.rows([1, 2, 3]) }
      return try statement.query().count
    },
    returned("100") {
      var statement = try $0.prepare(three)
      var sum = 0
      for _ in 0..<100 {
        var rows = statement.rows()
        if let row = try rows.next() { sum += try row[0] }
      }
      return sum
    },
    refused(.error, "no such table: words") { connection in
      var statement = try connection.prepare("SELECT * FROM words")
      try connection.transaction {
        try connection.execute("DROP TABLE words")
        _ = try statement.query()
      }
    },
    returned("[]") {
      var statement = try $0.prepare("SELECT * FROM words")
      try $0.execute("DROP TABLE words")
      _ = try? statement.query()
      try $0.execute("CREATE TABLE words (other)")
      return try statement.query()
    },
    returned(#"["id", "word"]"#) {
      let statement = try $0.prepare("SELECT * FROM words")
      try $0.execute("DROP TABLE words")
      return statement.columnNames
    },
    returned("1") { connection in
      var count = 0
      try connection.forEachRow(of: "SELECT * FROM words") { _ in
        count += 1
        try connection.execute("DELETE FROM words")
      }
      return count
    },
    returned("2") { connection in
      var count = 0
      try connection.execute("BEGIN")
      try connection.forEachRow(of: "SELECT * FROM words") { _ in
        count += 1
        if count == 1 { try connection.execute("ROLLBACK") }
      }
      return count
    },
    refused(.abortRollback, "abort") { connection in
      try connection.execute("BEGIN")
      try connection.execute("CREATE TABLE t AS SELECT * FROM words")
      try connection.forEachRow(of: "SELECT * FROM t") { _ in try connection.execute("ROLLBACK") }
    },
    returned("256") { connection in
      var count = 0
      func descend(_ depth: Int) throws {
        try connection.forEachRow(of: "SELECT * FROM words") { _ in
          if depth == 0 { count += 1 } else { try descend(depth - 1) }
        }
      }
      try descend(7)
      return count
    },
    returned("[1, 2]") { connection in
      try connection.query("SELECT id FROM words ORDER BY id") { row throws(SQLiteError) in
        try connection.execute("UPDATE words SET word = word || 'x'")
        return try row.decode(Int.self) ?? 0
      }
    },
    returned("/* a */ SELECT 1 -- b") { try $0.prepare("/* a */ SELECT 1 -- b").text },
    returned("2") { connection in
      try? connection.transaction {
        var statement = try connection.prepare("DELETE FROM words RETURNING id")
        var rows = statement.rows()
        _ = try rows.next()
        throw CancellationError()
      }
      return try connection.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
  ]

  private struct Pair: QueryDecodable {
    init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
      decoder: inout Decoder
    ) throws(Decoder.Failure) {
      _ = try decoder.decode(String.self)
      _ = try decoder.decode(String.self)
    }
  }

  static let rowMisuses: [Mistake] = [
    refused(.range, "no column 2 in the row (it has 2 columns)") {
      try $0.forEachRow(of: "SELECT * FROM words") { let _: Pair = try $0["word"] }
    },
    refused(.range, "no column") {
      try $0.forEachRow(of: "SELECT * FROM words") { let _: Pair = try $0[Int.max] }
    },
    returned("column -1 (): expected a value, found NULL; read it as an optional") {
      try $0.query("SELECT id FROM words LIMIT 1") { $0.failure(.missingValue).message }[0]
    },
    returned("9") {
      var count = 0
      try $0.forEachRow(of: "SELECT 123456789, x'00ff' FROM words LIMIT 1") { row in
        count =
          try row.withBytes(at: 0) { bytes throws(SQLiteError) in
            _ = try row.integer(at: 0)
            _ = try row.text(at: 0)
            _ = try row.values
            return bytes.count
          } ?? 0
      }
      return count
    },
    refused(.range, "no column 0 in the row (it has 0 columns)") { _ in
      var decoder = ValueQueryDecoder([])
      _ = try decoder.decode(Int.self)
    },
    refused(.range, "no column 1") { _ in
      var decoder = ValueQueryDecoder([1])
      for _ in 0..<9 { _ = try? decoder.decode(String.self) }
      _ = try decoder.decode(Double.self)
    },
    returned("column -1: expected y") { _ in
      ValueQueryDecoder([]).failure(.invalidValue(expected: "y")).message
    },
    returned("4") { _ in Set<SQLiteValue>([.real(.nan), .real(.nan), 0, 0.0, .real(-0.0)]).count },
    refused(.range, "no column x in the description") {
      let _: Int = try $0.readAllRows(fromTable: words)[0].value("x")
    },
    refused(.mismatch, "column word: expected a value, found NULL; read it as an optional") {
      let _: String = try $0.readAllRows(fromTable: words)[1].value("word")
    },
    returned("true") {
      let row = try $0.readAllRows(fromTable: words)[0]
      return row[""] == nil && row["x\0"] == nil && row["WORD"] == "one"
    },
  ]

  private static let savepoint = "SQLiteSwiftly.transaction"

  /// Runs a statement in a transaction, which continues afterwards.
  private static func ending(
    _ code: SQLiteError.ResultCode, _ part: String, _ sql: SQL, line: Int = #line
  ) -> Mistake {
    refused(code, part, line: line) { connection in
      try connection.transaction {
        try connection.execute(sql)
        try connection.execute("DELETE FROM words")
      }
    }
  }

  static let transactionMisuses: [Mistake] = [
    ending(.abortRollback, "the transaction has already ended", "ROLLBACK"),
    ending(.error, "cannot VACUUM from within a transaction", "VACUUM"),
    ending(.error, "no such savepoint: absent", "RELEASE absent"),
    ending(.error, "no such savepoint: absent", "ROLLBACK TO absent"),
    refused(.error, "no such savepoint") { connection in
      try connection.transaction {
        try connection.transaction { try connection.execute("RELEASE \(identifier: savepoint)") }
      }
    },
    returned("1") { connection in
      try connection.transaction {
        try connection.transaction {
          try connection.execute("DELETE FROM words WHERE id = 1")
          try connection.execute("SAVEPOINT \(identifier: savepoint)")
        }
      }
      return try connection.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
    returned("[1, 2]") { connection in
      try connection.transaction { try connection.execute("SAVEPOINT a") }
      try connection.execute("BEGIN")
      try connection.execute("COMMIT")
      return try connection.query("SELECT id FROM words", as: Int.self)
    },
    refused(.error, "no transaction is active") { try $0.execute("COMMIT") },
    returned("2") { connection in
      try connection.execute("BEGIN")
      try connection.transaction { try connection.execute("DELETE FROM words") }
      try connection.execute("ROLLBACK")
      return try connection.first("SELECT count(*) FROM words", as: Int.self) ?? 0
    },
    returned("150") { connection in
      var depth = 0
      func descend() throws {
        depth += 1
        try connection.execute("UPDATE words SET word = \("\(depth)")")
        if depth < 150 { try connection.transaction { try descend() } }
      }
      try connection.transaction { try descend() }
      return try connection.first("SELECT word FROM words", as: String.self) ?? ""
    },
    refused(.abort, "deep enough") { connection in
      func descend(_ depth: Int) throws {
        try connection.execute("DELETE FROM words")
        if depth == 0 { throw SQLiteError(.abort, "deep enough") }
        try connection.transaction(.exclusive) { try descend(depth - 1) }
      }
      try connection.transaction { try descend(100) }
    },
    refusedInFolder(.busy, "database is locked") { connection, folder in
      let other = try Connection(folder + "/a.sqlite", opening: .openExisting)
      try connection.transaction(.deferred) {
        _ = try connection.query("SELECT * FROM words")
        try other.transaction { try connection.execute("DELETE FROM words") }
      }
    },
    returned("2") { connection in
      var count = 0
      try connection.forEachRow(of: "SELECT id FROM words") { _ in
        try connection.transaction(.deferred) { count += 1 }
      }
      return count
    },
    returned("[1, 2]") { connection in
      var ids: [Int] = []
      try connection.forEachRow(of: "SELECT id FROM words") { row in
        ids.append(try row[0])
        try? connection.transaction {
          try connection.execute("DELETE FROM words")
          throw CancellationError()
        }
      }
      return ids
    },
    returned("false 1") { connection in
      var found = ""
      try? connection.transaction {
        try connection.execute("DELETE FROM words WHERE id = 1")
        try connection.execute("ROLLBACK")
        found = "\(try connection.isInTransaction) \(try connection.changes)"
      }
      return found
    },
  ]
}
