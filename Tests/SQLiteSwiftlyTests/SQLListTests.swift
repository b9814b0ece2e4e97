import SQLiteSwiftly
import Testing

/// Lists of values and of pieces of SQL in a literal.
struct SQLListTests {
  /// The numbers from 1 to 5 of which a condition is true.
  private func numbers(where condition: SQL) throws -> [Int] {
    let connection = try Connection.inMemory()
    return try connection.query(
      "SELECT column1 FROM (VALUES (1), (2), (3), (4), (5)) WHERE \(sql: condition)", as: Int.self)
  }

  @Test func `each value of a list is bound`() throws {
    let list = [4, 2, 9]
    #expect(try numbers(where: "column1 IN (\(list))") == [2, 4])
    #expect(try numbers(where: "column1 NOT IN (\(list))") == [1, 3, 5])
    #expect(try numbers(where: "column1 IN (\(list)) AND column1 <> \(2)") == [4])
    #expect(try numbers(where: "column1 IN (\(Set(list)))") == [2, 4])
    #expect(try numbers(where: "column1 IN (\(list.lazy.map { $0 - 1 }))") == [1, 3])
    #expect(try numbers(where: "column1 IN (\(2...4))") == [2, 3, 4])
    #expect(try numbers(where: "column1 IN (\(list.dropFirst()))") == [2])
    #expect(try numbers(where: "column1 IN (\([SQLiteValue.integer(5), .null, "x"]))") == [5])
  }

  @Test func `IN an empty list is false`() throws {
    let (none, noBytes) = ([Int64](), [UInt8]())
    #expect(try numbers(where: "column1 IN (\(none))") == [])
    #expect(try numbers(where: "column1 NOT IN (\(none))") == [1, 2, 3, 4, 5])
    #expect(try numbers(where: "column1 IN (\(noBytes))") == [])
    #expect(("IN (\(none))" as SQL).text == "IN ()")
    #expect(("IN (\([]))" as SQL).text == "IN ()")
  }

  @Test func `nil in a list is NULL, so that NOT IN is never true`() throws {
    let list: [Int?] = [1, nil]
    #expect(try numbers(where: "column1 IN (\(list))") == [1])
    #expect(try numbers(where: "column1 NOT IN (\(list))") == [])
    #expect(("\(list)" as SQL).values == [1, .null])
  }

  @Test func `a literal of numbers is a list of them, as in a variable, and never bytes`() throws {
    #expect(try numbers(where: "column1 IN (\([1, 2]))") == [1, 2])
    #expect(try numbers(where: "column1 IN (\([3]))") == [3])
    #expect(try numbers(where: "column1 IN (\((1...2).map { $0 * 2 }))") == [2, 4])
    #expect(try numbers(where: "column1 IN (\((1...2).lazy.map { $0 + 2 }))") == [3, 4])
    #expect(("\(["a", "b"]), \([1.5, 2]), \([true])" as SQL).values == ["a", "b", 1.5, 2.0, 1])
    #expect(("\([1, nil])" as SQL).values == [1, .null])
  }

  @Test func `bytes are one blob, and lists of them one each`() throws {
    let bytes: [UInt8] = [1, 2]
    let noBytes: [UInt8]? = nil
    #expect(("\(bytes)" as SQL) == "\(SQLiteValue.blob([1, 2]))")
    #expect(("\([0xff] as [UInt8])" as SQL).values == [.blob([0xff])])
    #expect(("\(Optional(bytes)), \(noBytes)" as SQL).values == [.blob([1, 2]), .null])
    #expect(("\([bytes, [3]])" as SQL).values == [.blob([1, 2]), .blob([3])])
    #expect(("\(bytes.map(Int.init))" as SQL).values == [1, 2])
    // As the whole is one blob, so is a part of it.
    #expect(("\(bytes[1...]), \(bytes.prefix(1))" as SQL).values == [.blob([2]), .blob([1])])
    #expect(("\(bytes.dropFirst(2))" as SQL).values == [.blob([])])
    #expect(("\(bytes.lazy.map { $0 + 1 })" as SQL).values == [.blob([2, 3])])
    #expect(("\(ContiguousArray(bytes))" as SQL).values == [.blob([1, 2])])
    #expect(("\("é".utf8)" as SQL).values == [.blob([0xc3, 0xa9])])
    #expect(("\(Set(bytes.prefix(1)))" as SQL).values == [1])
  }

  @Test func `a list of bytes is one number each, if asked for`() throws {
    let connection = try Connection.inMemory()
    let sizes: [UInt8] = [1, 2, 255]
    let sql: SQL =
      "SELECT 2 IN (\(list: sizes)), 3 IN (\(list: sizes)), 1 IN (\(list: sizes[1...]))"
    #expect(try connection.query(sql) == [[1, 0, 0]])
    #expect(("\(list: [UInt8]())" as SQL).text == "" && sql.values.prefix(3) == [1, 2, 255])
    #expect(
      try connection.query("SELECT typeof(\(sizes)), 'b' IN (\(list: ["a", "b"]))") == [
        ["blob", 1]
      ])
  }

  @Test func `a list has as many values as SQLite accepts`() throws {
    let connection = try Connection.inMemory()
    let options = try connection.query("PRAGMA compile_options", as: String.self)
    let option = options.first { $0.hasPrefix("MAX_VARIABLE_NUMBER=") }
    let limit = option.flatMap { Int($0.drop { $0 != "=" }.dropFirst()) } ?? 32_766
    #expect(limit >= 32_766)
    #expect(try connection.value(of: "SELECT \(limit - 1) IN (\(2...limit))") == 1)
    let error = try failure { _ = try connection.value(of: "SELECT 1 IN (\(1...(limit + 1)))") }
    #expect(error.code == .error)
    #expect(error.message == "too many SQL variables")
  }

  @Test func `a value without a form in a list is the error of the statement`() throws {
    let list = [1, UInt64.max, UInt64.max - 1]
    let error = try failure { _ = try numbers(where: "column1 IN (\(list))") }
    #expect(error.code == .range)
    #expect(error.message == "a value of type UInt64 does not fit into SQLite's 64-bit integers")
  }

  @Test func `pieces are joined with their values`() {
    let conditions: [SQL] = ["a = \(1)", "b IN (\([2, 3]))", "c IS NULL"]
    let joined = conditions.joined(separator: " AND ")
    #expect(joined.text == "a = ? AND b IN (?, ?) AND c IS NULL")
    #expect(joined.values == [1, 2, 3])
    #expect(
      conditions.lazy.map { "(\(sql: $0))" }.joined(separator: " OR \(7) OR ").values == [
        1, 7, 2, 3, 7,
      ])
    #expect(conditions.prefix(1).joined(separator: " AND ") == "a = \(1)")
    #expect([SQL]().joined(separator: " AND ") == "")
    #expect((["a", "b"] as [SQL]).joined() == "ab")
    // Texts are joined as ever.
    #expect(["a", "b"].joined(separator: ", ") == "a, b" as String)
  }

  @Test func `pieces without text are joined like others`() {
    #expect((["", "a", ""] as [SQL]).joined(separator: ",").text == ",a,")
  }

  @Test func `an error in a piece or a separator stays the first one`() throws {
    let connection = try Connection.inMemory()
    for pieces: [SQL] in [["SELECT 1", "\(UInt64.max)", "\(UInt.max - 1)"], ["SELECT", ""]] {
      let error = try failure {
        _ = try connection.query(pieces.joined(separator: " + \(UInt64.max) + "))
      }
      #expect(error.code == .range)
      #expect(error.message.hasPrefix("a value of type UInt64 does not fit"))
    }
  }
}
