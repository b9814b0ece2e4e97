import SQLiteSwiftly
import TestSupport
import Testing

@testable import SQLiteFormat

struct EntryKeyTests {
  /// The numbers around each power of two, and the least and the greatest ones.
  static let borders: [Int64] = {
    var numbers: Set<Int64> = [.min, .min + 1, .max - 1, .max]
    for bit in 0..<63 {
      for near in -1...1 as ClosedRange<Int64> {
        numbers.formUnion([1 << bit + near, -(1 << bit) + near])
      }
    }
    return numbers.sorted()
  }()

  private func key(of value: Int64) -> [UInt8] {
    var buffer = ByteBuffer(count: 20)
    let end = EntryKey.put(value, in: &buffer, at: 2)
    return buffer.bytes(2..<end)
  }

  private func key(of text: [UInt8]) -> [UInt8] {
    var buffer = ByteBuffer(count: 2 * text.count + 12)
    let end = EntryKey.put(textAt: 0..<text.count, of: text.span, in: &buffer, at: 3)
    return buffer.bytes(3..<end)
  }

  @Test func `integers have as few bytes as they need, sort as numbers, and are read again`() {
    var last: [UInt8] = []
    for value in Self.borders {
      let key = key(of: value)
      // The values written in n bytes are from -256^n up to 256^n - 1.
      let needed = (0...8).first { bytes in
        let reach = Int128(1) << (8 * bytes)
        return Int128(value) >= -reach && Int128(value) < reach
      }
      #expect(key.count - 1 == needed, "\(value)")
      #expect(last.lexicographicallyPrecedes(key), "\(value)")
      let buffer = ByteBuffer([9] + key + [9])
      var place = 1
      let read = EntryKey.integer(in: buffer, at: &place)
      #expect(read == value)
      #expect(place == 1 + key.count, "\(value)")
      last = key
    }
  }

  @Test(
    arguments: [
      (0, [0x80]), (1, [0x81, 1]), (255, [0x81, 0xff]), (256, [0x82, 1, 0]), (-1, [0x7f]),
      (-2, [0x7e, 0xfe]), (-256, [0x7e, 0]), (-257, [0x7d, 0xfe, 0xff]),
      (.max, [0x88, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
      (.min, [0x77, 0x80, 0, 0, 0, 0, 0, 0, 0]),
    ] as [(Int64, [UInt8])])
  func `the bytes of an integer`(value: Int64, bytes: [UInt8]) {
    #expect(key(of: value) == bytes)
  }

  @Test(
    arguments: [
      ("", "\0"), ("a", "a\0"), ("1234567", "1234567\0"), ("12345678", "12345678\0"),
      ("123456789", "123456789\0"),
    ])
  func `a text is its bytes and an end`(text: String, bytes: String) {
    #expect(key(of: Array(text.utf8)) == Array(bytes.utf8))
  }

  @Test func `a NUL at any place of a text is marked, and read again`() {
    for count in 0...20 {
      for first in 0..<max(count, 1) {
        for second in first..<max(count, 1) {
          var text = [UInt8](repeating: 0x61, count: count)
          if count > 0 { (text[first], text[second]) = (0, 0) }
          let key = key(of: text)
          #expect(key == text.flatMap { $0 == 0 ? [0, 0xff] : [$0] } + [0])
          // The key ends there, or goes on with a column.
          for rest in [[], [EntryKey.null], [EntryKey.mark], [0x77], [0x88]] as [[UInt8]] {
            let buffer = ByteBuffer(key + rest)
            var copy = ByteBuffer(count: key.count + 8)
            var place = 0
            let found = EntryKey.copyText(
              at: &place, end: buffer.count, of: buffer, to: 0, in: &copy)
            #expect(found == text.count && place == key.count)
            #expect(copy.bytes(0..<text.count) == text)
          }
        }
      }
    }
  }

  @Test(
    arguments: [
      [], [0x61], [0x61, 0, 0xff], [0x61, 0, 0xff, 0x62], [UInt8](repeating: 0x61, count: 8),
      [UInt8](repeating: 0x61, count: 30),
    ] as [[UInt8]])
  func `a text without a terminator is invalid`(bytes: [UInt8]) {
    // The bytes after the key in memory are not its terminator.
    let buffer = ByteBuffer(bytes + [0, 0])
    var copy = ByteBuffer(count: 64)
    var place = 0
    let count = EntryKey.copyText(at: &place, end: bytes.count, of: buffer, to: 0, in: &copy)
    #expect(count == nil)
  }

  @Test(arguments: [0x89, 0x76, 0, 0xff] as [UInt8]) func `a number of nine bytes is invalid`(
    size: UInt8
  ) {
    let buffer = ByteBuffer([size] + [UInt8](repeating: 1, count: 16))
    var place = 0
    let number = EntryKey.integer(in: buffer, at: &place)
    #expect(number == nil)
  }

  @Test func `a text at any place of others is the same`() {
    let text = Array("ab\0cdefghijklmnopq\0\0r".utf8)
    for start in text.indices {
      for end in start...text.count {
        var buffer = ByteBuffer(count: 2 * text.count + 8)
        let after = EntryKey.put(textAt: start..<end, of: text.span, in: &buffer, at: 0)
        #expect(buffer.bytes(0..<after) == key(of: Array(text[start..<end])))
      }
    }
  }

  @Test func `keys sort as SQLite sorts the values`() throws {
    var random = SeededGenerator(seed: 1)
    func text() -> [UInt8] {
      (0..<Int.random(in: 0...10, using: &random)).map { _ in
        [0, 1, 0x61, 0x61, 0x7f][Int.random(in: 0..<5, using: &random)]
      }
    }
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c INTEGER)")
    var keys: [(id: Int64, bytes: [UInt8])] = []
    for id in 0..<3000 as Range<Int64> {
      let first = Int.random(in: 0..<4, using: &random) == 0 ? nil : text()
      let second = text()
      let third = Self.borders.randomElement(using: &random).flatMap { number in
        Int.random(in: 0..<4, using: &random) == 0 ? nil : number
      }
      // The third column needs no mark, and neither does one that is not NULL after an integer.
      var bytes = first.map { [EntryKey.mark] + key(of: $0) } ?? [EntryKey.null]
      bytes += [EntryKey.mark] + key(of: second)
      bytes += third.map { key(of: $0) } ?? [EntryKey.null]
      keys.append((id, bytes + key(of: id)))
      let texts = [first, second].map { $0.map { String(decoding: $0, as: UTF8.self) } }
      try connection.execute("INSERT INTO t VALUES (\(id), \(texts[0]), \(texts[1]), \(third))")
    }
    let sorted = keys.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    let ids = try connection.query("SELECT id FROM t ORDER BY a, b, c, id", as: Int64.self)
    #expect(sorted.map(\.id) == ids)
  }
}
