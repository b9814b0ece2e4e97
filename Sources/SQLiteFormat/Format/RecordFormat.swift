/// The constants of SQLite's record format (<https://www.sqlite.org/fileformat2.html#record_format>).
enum RecordFormat {
  static let null = 0
  /// The serial type of a real.
  static let real = 7

  /// The serial type of an integer, and the number of bytes of its value.
  @inline(__always)
  static func serialType(of value: Int64) -> (type: Int, bytes: Int) {
    if value &>> 1 == 0 { return (8 &+ Int(truncatingIfNeeded: value), 0) }
    let bits = 72 &- (value ^ (value &>> 63)).leadingZeroBitCount
    // A hexadecimal digit for each number of bytes of the value and its sign.
    let shift = bits &>> 3 &* 4
    return (0x6_6554_3210 &>> shift & 15, 0x8_8664_3210 &>> shift & 15)
  }

  /// The bytes of an integer with a serial type; nil for other types.
  @inline(__always)
  static func integerBytes(_ type: Int) -> Int? {
    // A hexadecimal digit for each type.
    guard type >= 1 && type <= 9 && type != real else { return nil }
    return 0x00_0864_3210 &>> (4 &* type) & 15
  }

  static func numberBytes(_ type: Int) -> Int? { type == real ? 8 : integerBytes(type) }

  @inline(__always)
  static func bytes(ofType type: Int) -> Int? {
    if type >= 12 { return (type - 12) / 2 }
    return type == null ? 0 : numberBytes(type)
  }

  /// The sort order of serial types: NULL first, then numbers, texts and blobs.
  @inline(__always)
  static func rank(ofType type: Int) -> Int {
    if type >= 12 { return type % 2 == 1 ? 2 : 3 }
    return type == null ? 0 : 1
  }

  /// Reads the integer at `offset` with a serial type and that number of bytes.
  @inline(__always)
  static func integer(
    _ type: Int, _ count: Int, in bytes: borrowing ByteBuffer, at offset: Int
  ) -> Int64 {
    guard count > 0 else { return Int64(type - 8) }
    return Int64(bitPattern: bytes.word(at: offset)) >> Int64(64 - 8 * count)
  }

  /// Reads a number of a real column, in which SQLite stores whole numbers as integers.
  static func real(
    _ type: Int, _ count: Int, in bytes: borrowing ByteBuffer, at offset: Int
  ) -> Double {
    type == real
      ? Double(bitPattern: bytes.word(at: offset))
      : Double(integer(type, count, in: bytes, at: offset))
  }

  @inline(__always)
  static func serialType(ofTextOf bytes: Int) -> Int { 13 + 2 * bytes }

  /// The bytes of a header with that many bytes of serial types, including its own size field.
  @inline(__always)
  static func headerBytes(types: Int) -> Int {
    var size = 1
    while varintBytes(types + size) > size { size += 1 }
    return types + size
  }

  /// The bytes of a variable-length integer; no record here needs more than 35 bits.
  @inline(__always)
  static func varintBytes(_ value: Int) -> Int {
    if value < 1 << 7 { return 1 }
    if value < 1 << 14 { return 2 }
    if value < 1 << 21 { return 3 }
    return value < 1 << 28 ? 4 : 5
  }

  /// Writes a variable-length integer, seven bits per byte, the highest first; a bit in all bytes
  /// but the last means that more follow; returns the position after it.
  @inline(__always)
  static func put(varint value: Int, in bytes: inout ByteBuffer, at offset: Int) -> Int {
    let count = varintBytes(value)
    for index in 0..<count {
      let bits = UInt8(truncatingIfNeeded: value >> (7 * (count - 1 - index)))
      bytes[offset + index] = index == count - 1 ? bits & 0x7f : bits | 0x80
    }
    return offset + count
  }

  /// Moves the serial types from the first bytes before the values, as a header; returns the position of the record.
  @inline(__always)
  static func addHeader(types: Int, to body: Range<Int>, in bytes: inout ByteBuffer) -> Range<Int> {
    let header = headerBytes(types: types)
    bytes.move(0..<types, to: body.lowerBound - types)
    _ = put(varint: header, in: &bytes, at: body.lowerBound - header)
    return body.lowerBound - header..<body.upperBound
  }

  /// Reads a variable-length integer of up to nine bytes and advances `offset`; nil if it exceeds the end.
  @inline(__always)
  static func varint(in bytes: borrowing ByteBuffer, at offset: inout Int) -> Int? {
    guard offset < bytes.count else { return nil }
    let byte = bytes[offset]
    guard byte >= 0x80 else {
      offset += 1
      return Int(byte)
    }
    return longVarint(in: bytes, at: &offset)
  }

  private static func longVarint(in bytes: borrowing ByteBuffer, at offset: inout Int) -> Int? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      if index == 8 { return Int(truncatingIfNeeded: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte < 0x80 { return Int(truncatingIfNeeded: value) }
    }
    return nil
  }
}
