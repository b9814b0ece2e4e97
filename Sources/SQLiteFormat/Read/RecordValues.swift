import Glibc
import SQLiteSwiftly

/// The positions of a record's values, for any table (<https://www.sqlite.org/fileformat2.html#record_format>).
struct RecordValues {
  private struct Value {
    var type = RecordFormat.null
    var start = 0
    var count = 0
  }

  private var values: [Value]

  init(count: Int) { values = [Value](repeating: Value(), count: count) }

  /// Finds the values of the record at `record` of `bytes`; false if it is invalid, or has fewer values.
  mutating func find(in record: Range<Int>, of bytes: borrowing ByteBuffer) -> Bool {
    var type = record.lowerBound
    guard let header = RecordFormat.varint(in: bytes, at: &type), header >= 1,
      header <= record.count
    else { return false }
    let body = record.lowerBound + header
    var place = body
    for index in values.indices {
      guard type < body, let serial = RecordFormat.varint(in: bytes, at: &type),
        let count = RecordFormat.bytes(ofType: serial), count <= record.upperBound - place
      else { return false }
      values[index] = Value(type: serial, start: place, count: count)
      place += count
    }
    return type == body && place == record.upperBound
  }

  func countNulls(in counts: inout [Int]) {
    for index in values.indices where values[index].type == RecordFormat.null { counts[index] += 1 }
  }

  /// The order of a record's value relative to that of another: less than, equal to or greater than
  /// 0 (<https://www.sqlite.org/datatype3.html#sort_order>).
  func order(
    _ index: Int, in bytes: borrowing ByteBuffer, _ other: RecordValues,
    in otherBytes: borrowing ByteBuffer
  ) -> Int {
    let (value, otherValue) = (values[index], other.values[index])
    let rank = RecordFormat.rank(ofType: value.type)
    let otherRank = RecordFormat.rank(ofType: otherValue.type)
    if rank != otherRank { return rank - otherRank }
    switch rank {
    case 0: return 0
    case 1:
      if value.type != RecordFormat.real, otherValue.type != RecordFormat.real {
        let integer = RecordFormat.integer(value.type, value.count, in: bytes, at: value.start)
        let other = RecordFormat.integer(
          otherValue.type, otherValue.count, in: otherBytes, at: otherValue.start)
        return compare(integer, other)
      }
      return compare(real(value, in: bytes), real(otherValue, in: otherBytes))
    default:
      let range = value.start..<value.start + value.count
      let otherRange = otherValue.start..<otherValue.start + otherValue.count
      if bytes.isLess(range, than: otherRange, of: otherBytes) { return -1 }
      return otherBytes.isLess(otherRange, than: range, of: bytes) ? 1 : 0
    }
  }

  func areEqual(
    _ indices: [Int], in bytes: borrowing ByteBuffer, _ other: RecordValues,
    in otherBytes: borrowing ByteBuffer
  ) -> Bool {
    for index in indices where order(index, in: bytes, other, in: otherBytes) != 0 { return false }
    return true
  }

  /// The hash of some values, the same for values that are equal.
  func hash(of indices: [Int], in bytes: borrowing ByteBuffer, seed: UInt64) -> UInt64 {
    var hash = EntryHash(seed: seed)
    for index in indices {
      let value = values[index]
      switch RecordFormat.rank(ofType: value.type) {
      case 0: hash.addNull()
      case 1:
        let real = value.type == RecordFormat.real ? real(value, in: bytes) : nil
        let integer =
          real.map { Int64(exactly: $0) ?? Int64(bitPattern: $0.bitPattern) }
          ?? RecordFormat.integer(value.type, value.count, in: bytes, at: value.start)
        hash.add(integer)
      default:
        hash.add(
          textAt: value.start..<value.start + value.count, of: bytes.span(0..<bytes.count))
      }
    }
    return hash.value
  }

  func value(_ index: Int, in bytes: borrowing ByteBuffer) -> SQLiteValue {
    let value = values[index]
    switch RecordFormat.rank(ofType: value.type) {
    case 0: return .null
    case 1 where value.type == RecordFormat.real: return .real(real(value, in: bytes))
    case 1:
      return .integer(RecordFormat.integer(value.type, value.count, in: bytes, at: value.start))
    case let rank:
      let span = bytes.span(value.start..<value.start + value.count)
      return unsafe span.withUnsafeBytes { bytes in
        rank == 2
          ? .text(unsafe String(decoding: bytes, as: UTF8.self)) : .blob(unsafe Array(bytes))
      }
    }
  }

  private func real(_ value: Value, in bytes: borrowing ByteBuffer) -> Double {
    RecordFormat.real(value.type, value.count, in: bytes, at: value.start)
  }
}

/// Less than, equal to or greater than 0.
@inline(__always)
func compare<Value: Comparable>(_ value: Value, _ other: Value) -> Int {
  value < other ? -1 : value == other ? 0 : 1
}
