import SQLiteSwiftly
import Testing

struct ParameterTests {
  /// The parameters of an insert, the values given for them, and what is wrong with that.
  private var wrong: [(SQL, SQLParameters, String)] {
    [
      ("INSERT INTO words VALUES (?, ?)", [1], "parameter 2 has none"),
      ("INSERT INTO words VALUES (?, ?)", [], "parameter 1 has none"),
      ("INSERT INTO words VALUES (?, ?)", [1, "a", "b"], "value 3 is one too many"),
      ("INSERT INTO words VALUES (1, 'a')", [1], "value 1 is one too many"),
      ("INSERT INTO words VALUES (?3, 'a')", [1], "parameter 2 has none"),
      ("INSERT INTO words VALUES (:id, :word)", [1], "parameter 2 (:word) has none"),
      (
        "INSERT INTO words VALUES (:id, :word)", ["id": 1], "parameter 2 (:word) was given no value"
      ),
      (
        "INSERT INTO words VALUES (:id, :word)", ["id": 1, "word": "a", "wrod": "b"],
        "A value was given for \"wrod\", but no parameter has that name"
      ),
      (
        "INSERT INTO words VALUES (:id, :word)", ["id": 1, ":id": 2, "word": "a"],
        "parameter 1 (:id) was given two values"
      ),
      (
        "INSERT INTO words VALUES (:id, :word)", ["id": 1, "id": 2, "word": "a"],
        "parameter 1 (:id) was given two values"
      ),
      (
        "INSERT INTO words VALUES (:a, $a)", ["a": 1],
        "\"a\" may be one of several parameters; write it as in the SQL"
      ),
      ("INSERT INTO words VALUES (?, :word)", ["word": "a"], "parameter 1 was given no value"),
      (
        "INSERT INTO words VALUES (:id, 'a')", ["id\0": 1],
        "A value was given for \"id\0\", but no parameter has that name"
      ),
      (
        "INSERT INTO words VALUES (\(1), ?)", ["a"],
        "Values were interpolated into the SQL, and others given"
      ),
    ]
  }

  // Static cases would look like leaks: an enumeration changes the pointers that are in it.
  @Test func `SW-55 every parameter has one value, and every value a parameter`() throws {
    for (sql, parameters, message) in wrong { try expectRefusal(sql, parameters, message) }
  }

  private func expectRefusal(
    _ sql: SQL, _ parameters: SQLParameters, _ message: String
  ) throws {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: words)
    let error = try failure { try connection.execute(sql, parameters) }
    #expect(error.message.hasSuffix(message), "\(error.message)")
    #expect(error.code == .range || error.code == .misuse)
    #expect(error.sql == sql.text)
    var statement = try connection.prepare(sql)
    do {
      try statement.run(parameters)
      Issue.record("the parameters are wrong")
    } catch {
      #expect(error.message.hasSuffix(message))
    }
    #expect(try connection.rows(of: "words") == [])
  }

  /// The parameters of an insert, and values that fit them.
  private var right: [(SQL, SQLParameters)] {
    [
      ("INSERT INTO words VALUES (?, ?)", [1, "a"]),
      ("INSERT INTO words VALUES (\(1), \("a"))", .none),
      ("INSERT INTO words VALUES (?2, ?1)", ["a", 1]),
      ("INSERT INTO words VALUES (?2, ?1)", ["?1": "a", "?2": 1]),
      ("INSERT INTO words VALUES (:id, :word)", [1, "a"]),
      ("INSERT INTO words VALUES (:id, :word)", ["word": "a", "id": 1]),
      ("INSERT INTO words VALUES (@id, $word)", ["$word": "a", "@id": 1]),
      ("INSERT INTO words VALUES (:a, $a)", [":a": 1, "$a": "a"]),
      ("INSERT INTO words SELECT :id, :word WHERE :id = 1", ["id": 1, "word": "a"]),
      ("INSERT INTO words SELECT :id, :word WHERE :id = 1", [1, "a"]),
    ]
  }

  @Test func `SW-55 a name that is used twice is one parameter`() throws {
    for (sql, parameters) in right {
      let connection = try Connection.inMemory()
      try connection.createTable(describedBy: words)
      try connection.execute(sql, parameters)
      #expect(try connection.rows(of: "words") == [[1, "a"]], "\(sql.text)")
    }
  }

  @Test func `SW-55 NULL is a value`() throws {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: words)
    try connection.execute("INSERT INTO words VALUES (1, ?)", [.null])
    try connection.execute("INSERT INTO words VALUES (2, :word)", ["word": .null])
    try connection.execute("INSERT INTO words VALUES (3, \(nil as String?))")
    #expect(try connection.rows(of: "words") == [[1, .null], [2, .null], [3, .null]])
  }

  @Test func `SW-60 each run has its own values, whatever came before`() throws {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: words)
    var insert = try connection.prepare("INSERT INTO words VALUES (:id, :word)")
    try insert.run([1, "one"])
    #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO words VALUES (1, '')") }
    do {
      try insert.run([1, "again"])
      Issue.record("the key is taken")
    } catch {
      #expect(error.extendedCode == .constraintPrimaryKey)
    }
    do {
      try insert.run(["id": 5])
      Issue.record("a value is missing")
    } catch {
      #expect(error.code == .range)
    }
    try insert.run([2, .null])
    try insert.run(["word": "three", "id": 3])
    #expect(try connection.rows(of: "words") == [[1, "one"], [2, .null], [3, "three"]])

    var reading = try connection.prepare("SELECT id FROM words WHERE id >= ? ORDER BY id")
    do {
      var rows = reading.rows([1])
      guard let row = try rows.next() else { return }
      #expect(try row.integer(at: 0) == 1)
    }
    let rest = try reading.query([2])
    let all = try reading.query([1])
    #expect(rest == [[2], [3]] && all == [[1], [2], [3]])
  }
}
