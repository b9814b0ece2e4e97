import SQLiteSwiftly
import Testing

/// Bound values belong to SQLite, regardless of their original memory.
struct BoundMemoryTests {
  static let sizes = [0, 1, 15, 16, 64, 5000, 70_000]

  @Test(arguments: sizes)
  func `X-9 a blob whose memory is overwritten while rows are read stays as it was`(
    size: Int
  ) throws {
    let connection = try Connection.inMemory()
    var statement = try connection.prepare("SELECT ?1, typeof(?1) FROM (VALUES (1), (2), (3))")
    var bytes = [UInt8](repeating: 0xAA, count: size)
    let place = unsafe bytes.withUnsafeBufferPointer { $0.baseAddress }
    var rows = statement.rows([.blob(bytes)])
    var found = [try rows.next()?.values]
    for index in bytes.indices { bytes[index] = 0x55 }
    let isSamePlace = unsafe bytes.withUnsafeBufferPointer { $0.baseAddress } == place
    #expect(isSamePlace)
    found.append(try rows.next()?.values)
    bytes = []
    found.append(try rows.next()?.values)
    #expect(
      found == Array(repeating: [.blob([UInt8](repeating: 0xAA, count: size)), "blob"], count: 3))
  }

  @Test(arguments: sizes)
  func `X-9 a text whose memory is overwritten while rows are read stays as it was`(
    size: Int
  ) throws {
    let connection = try Connection.inMemory()
    var statement = try connection.prepare("SELECT ?1, typeof(?1) FROM (VALUES (1), (2), (3))")
    var text = String(repeating: "a", count: size)
    var rows = statement.rows([.text(text)])
    var found = [try rows.next()?.values]
    text.removeAll(keepingCapacity: true)
    text.append(contentsOf: repeatElement("z", count: size))
    found.append(try rows.next()?.values)
    text = ""
    found.append(try rows.next()?.values)
    #expect(
      found == Array(repeating: [.text(String(repeating: "a", count: size)), "text"], count: 3))
  }

  @Test func `X-9 values whose memory is reused while rows are read stay as they were`()
    throws
  {
    let connection = try Connection.inMemory()
    var statement = try connection.prepare("SELECT :text, :blob FROM (VALUES (1), (2), (3))")
    for number in 0..<50 {
      var rows = statement.rows([
        "text": .text(Self.text(number)), "blob": .blob(Array(Self.text(number).utf8)),
      ])
      var strangers: [String] = []
      while let row = try rows.next() {
        strangers += (0..<10).map { Self.text(-$0) }
        let values = try row.values
        #expect(values == [.text(Self.text(number)), .blob(Array(Self.text(number).utf8))])
      }
      #expect(strangers.count == 30)
    }
  }

  /// A text that is too long to be anywhere but on the heap, and as long as the others.
  private static func text(_ number: Int) -> String {
    "\(100_000 + number) is the number of this text, which is on the heap"
  }

  @Test func `X-9 rows whose values came from one reused memory are all as they were`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c BLOB) STRICT")
    var insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?)")
    var bytes = [UInt8](repeating: 0, count: 40)
    var text = ""
    try connection.transaction { () throws(SQLiteError) in
      for number in 0..<2000 {
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: number &* index) }
        text.removeAll(keepingCapacity: true)
        text += Self.text(number)
        try insert.run([.integer(Int64(number)), .text(text), .blob(bytes)])
      }
    }
    let rows = try connection.rows(of: "t")
    #expect(rows.count == 2000)
    for (number, row) in rows.enumerated() {
      let expected = bytes.indices.map { UInt8(truncatingIfNeeded: number &* $0) }
      #expect(row == [.integer(Int64(number)), .text(Self.text(number)), .blob(expected)])
    }
  }
}
