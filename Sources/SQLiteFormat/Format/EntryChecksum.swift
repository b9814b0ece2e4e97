package import SQLiteSwiftly
import Text

/// A checksum over the entries of an index that does not depend on their order.
///
/// It is computed once from the rows to write and once from the finished file: a missing, duplicate
/// or different entry changes it.
package struct EntryChecksum: Equatable, Sendable {
  package private(set) var entries = 0
  private(set) var sum: UInt64 = 0

  @inline(__always)
  mutating func add(_ entry: EntryHash) {
    entries += 1
    sum &+= entry.value
  }

  /// The checksum with some cells of each row of a batch added.
  fileprivate func adding(
    _ places: Span<Int>, after rowid: Int?, endsWithRowid: Bool = false,
    of batch: borrowing RowBatch
  ) -> Self {
    let (values, classes, text) = (batch.values, batch.classes, batch.text.span)
    var sum = self
    var firstCell = 0
    for _ in 0..<batch.rows {
      var hash = EntryHash()
      // SQLite counts rowids from 1.
      let counted = Int64(sum.entries &+ 1)
      if let rowid { hash.add(rowid < 0 ? counted : values[firstCell &+ rowid]) }
      for index in places.indices {
        let cell = firstCell &+ places[index]
        let value = values[cell]
        switch classes[cell] {
        case RowBatch.StorageClass.integer, RowBatch.StorageClass.real: hash.add(value)
        case RowBatch.StorageClass.text:
          let (start, count) = RowBatch.textPlace(value)
          hash.add(textAt: start..<start + count, of: text)
        default: hash.addNull()
        }
      }
      if endsWithRowid { hash.add(counted) }
      sum.add(hash)
      firstCell &+= batch.columns
    }
    return sum
  }
}

/// The hash of the values of one entry, in order.
struct EntryHash {
  private(set) var value: UInt64

  init(seed: UInt64 = 0x2545_f491_4f6c_dd1d) { value = seed }

  @inline(__always)
  mutating func addNull() { value = value.mixed(with: 0x5851_f42d_4c95_7f2d) }

  @inline(__always)
  mutating func add(_ integer: Int64) { value = value.mixed(with: UInt64(bitPattern: integer)) }

  @inline(__always)
  mutating func add(textAt range: Range<Int>, of bytes: Span<UInt8>) {
    let count = range.count
    let seed = UInt64(truncatingIfNeeded: count) ^ value
    if count <= 8 {
      value = seed.mixed(with: bytes.word(at: range.lowerBound).prefix(count))
    } else {
      value = seed.mixed(withTextAt: range, of: bytes)
    }
  }
}

extension UInt64 {
  /// The number, mixed with a text of more than eight bytes, sixteen at a time; the last bytes may be used twice.
  fileprivate func mixed(withTextAt range: Range<Int>, of bytes: Span<UInt8>) -> UInt64 {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= bytes.count && range.count > 8,
      "beyond the bytes")
    var value = self
    var place = range.lowerBound
    let raw = unsafe bytes.bytes
    while place &+ 16 < range.upperBound {
      // Both are within the range, which is within the bytes.
      let (first, second) = (
        unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self),
        unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: place &+ 8, as: UInt64.self)
      )
      value = (value ^ first).mixed(with: second)
      place &+= 16
    }
    let first = bytes.word(at: Swift.min(place, range.upperBound &- 8))
    return (value ^ first).mixed(with: bytes.word(at: range.upperBound &- 8))
  }
}

/// The checksum and the sizes of all entries of an index, computed as they arrive.
struct EntryTotals: Sendable {
  private(set) var checksum = EntryChecksum()
  private(set) var sizes: EntrySizes

  /// The values of one entry, in order.
  struct Entry {
    fileprivate var hash = EntryHash()
    /// The bytes of the serial types and of the values in its record.
    fileprivate var (types, body) = (0, 0)

    @inline(__always)
    mutating func add(_ value: Int64) {
      hash.add(value)
      types &+= 1
      body &+= RecordFormat.serialType(of: value).bytes
    }

    @inline(__always)
    mutating func add(textAt place: Range<Int>, of text: Span<UInt8>) {
      hash.add(textAt: place, of: text)
      types &+= RecordFormat.varintBytes(RecordFormat.serialType(ofTextOf: place.count))
      body &+= place.count
    }

    @inline(__always)
    mutating func addNull() {
      hash.addNull()
      types &+= 1
    }
  }

  init(usableBytes: Int) { sizes = EntrySizes(usableBytes: usableBytes) }

  @inline(__always)
  mutating func add(_ entry: Entry) {
    sizes.add(payload: RecordFormat.headerBytes(types: entry.types) &+ entry.body)
    checksum.add(entry.hash)
  }
}

/// Computes a checksum of a table's rows as they arrive.
package struct RowSum: Sendable {
  /// The cells of a row, in the order of its record.
  private let places: [Int]
  /// The cell of the rowid, which begins the sum of a row; -1 if SQLite counts it, nil without rowids.
  private let rowid: Int?
  /// The cells of an entry in the index of the key, followed by a rowid; empty if there is none.
  private let keyPlaces: [Int]
  package private(set) var checksum = EntryChecksum()
  /// The checksum of the entries in the index of the key; nil if there is none.
  package private(set) var keyChecksum: EntryChecksum?

  /// Begins a table without rows; `withKey` includes a checksum of the entries in the index of the key.
  package init(_ table: TableDescription, withKey: Bool = true) {
    let layout = RowLayout(table)
    places = layout.columns.map(\.place)
    rowid = layout.hasRowids ? layout.rowidColumn ?? -1 : nil
    let keyColumns = withKey ? KeyIndex(of: table)?.layout.columns.dropLast() ?? [] : []
    keyPlaces = keyColumns.map(\.place)
    if !keyPlaces.isEmpty { keyChecksum = EntryChecksum() }
  }

  /// Adds rows, in the order of their insertion.
  package mutating func add(_ batch: borrowing RowBatch) {
    keyChecksum = keyChecksum?.adding(keyPlaces.span, after: nil, endsWithRowid: true, of: batch)
    checksum = checksum.adding(places.span, after: rowid, of: batch)
  }
}
