import Testing

@testable import SQLiteFormat

struct RecordFormatTests {
  @Test(
    arguments: [
      (0, 8, 0), (1, 9, 0), (-1, 1, 1), (2, 1, 1), (1 << 7 - 1, 1, 1), (-1 << 7, 1, 1),
      (1 << 7, 2, 2), (-1 << 7 - 1, 2, 2), (1 << 15 - 1, 2, 2), (-1 << 15, 2, 2),
      (1 << 15, 3, 3), (-1 << 15 - 1, 3, 3), (1 << 23 - 1, 3, 3), (-1 << 23, 3, 3),
      (1 << 23, 4, 4), (-1 << 23 - 1, 4, 4), (1 << 31 - 1, 4, 4), (-1 << 31, 4, 4),
      (1 << 31, 5, 6), (-1 << 31 - 1, 5, 6), (1 << 47 - 1, 5, 6), (-1 << 47, 5, 6),
      (1 << 47, 6, 8), (-1 << 47 - 1, 6, 8), (.max, 6, 8), (.min, 6, 8),
    ] as [(Int64, Int, Int)])
  func `serial types of integers`(value: Int64, type: Int, bytes: Int) {
    let found = RecordFormat.serialType(of: value)
    #expect(found.type == type)
    #expect(found.bytes == bytes)
    #expect(RecordFormat.integerBytes(type) == bytes)
  }

  @Test func `integers are read in every width that has room for them`() {
    let types = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (6, 8)]
    for value in EntryKeyTests.borders {
      for (type, count) in types where value >> Int64(min(63, 8 * count - 1)) + 1 &>> 1 == 0 {
        var buffer = ByteBuffer(count: 12)
        buffer.put(value << Int64(64 - 8 * count), at: 3)
        let read = RecordFormat.integer(type, count, in: buffer, at: 3)
        #expect(read == value)
      }
    }
    let empty = ByteBuffer(count: 0)
    for value in 0...1 {
      let read = RecordFormat.integer(8 + value, 0, in: empty, at: 0)
      #expect(read == Int64(value))
    }
  }

  @Test func `only some serial types are those of integers`() {
    let bytes = (-1...14).map { RecordFormat.integerBytes($0) }
    #expect(bytes == [nil, nil, 1, 2, 3, 4, 6, 8, nil, 0, 0, nil, nil, nil, nil, nil])
    #expect([0, 1, 57, 8186].map(RecordFormat.serialType(ofTextOf:)) == [13, 15, 127, 16385])
  }

  @Test(
    arguments: [
      (0, [0]), (0x7f, [0x7f]), (0x80, [0x81, 0]), (0x3fff, [0xff, 0x7f]),
      (0x4000, [0x81, 0x80, 0]), (0x1f_ffff, [0xff, 0xff, 0x7f]),
      (0x20_0000, [0x81, 0x80, 0x80, 0]), (0xfff_ffff, [0xff, 0xff, 0xff, 0x7f]),
      (0x1000_0000, [0x81, 0x80, 0x80, 0x80, 0]),
      (0x7_ffff_ffff, [0xff, 0xff, 0xff, 0xff, 0x7f]),
    ] as [(Int, [UInt8])])
  func `variable-length integers`(value: Int, bytes: [UInt8]) {
    #expect(RecordFormat.varintBytes(value) == bytes.count)
    var buffer = ByteBuffer(count: 8)
    let end = RecordFormat.put(varint: value, in: &buffer, at: 1)
    #expect(buffer.bytes(1..<end) == bytes)
    var place = 1
    let read = RecordFormat.varint(in: buffer, at: &place)
    #expect(read == value)
    #expect(place == end)
  }

  @Test func `a variable-length integer has nine bytes at most, and does not go beyond the end`() {
    for count in 0...9 {
      let buffer = ByteBuffer([UInt8](repeating: 0xff, count: count))
      var place = 0
      let read = RecordFormat.varint(in: buffer, at: &place)
      #expect(read == (count == 9 ? -1 : nil))
      #expect(place == count)
    }
    let long = ByteBuffer([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 0x02, 0x03])
    var place = 0
    let read = RecordFormat.varint(in: long, at: &place)
    #expect(read == 0x102)
    #expect(place == 9)
  }

  @Test func `the size of a header includes its own`() {
    for types in Array(0...300) + Array(16_300...16_400) {
      let size = RecordFormat.headerBytes(types: types)
      let own = size < 0x80 ? 1 : size < 0x4000 ? 2 : 3
      #expect(size == types + own)
    }
  }
}
