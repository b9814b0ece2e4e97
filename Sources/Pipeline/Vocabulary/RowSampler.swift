import Schema
package import SQLiteSwiftly
import Text

/// Samples the rows of a table as they pass, and counts the texts that were encoded twice: see `RowSample`.
package struct RowSampler {
  private let columns: [RowSample.Column]
  /// The columns by which rows are recognized: the primary key, or without one, all.
  let key: [Int]
  private var rows: [RowSample.Row] = []
  /// The values of these rows, up to `end`.
  private var bytes: [UInt8] = []
  private var end = 0
  /// Rows with larger hashes are not needed.
  private var largestHash = UInt64(1) << hashBits - 1
  private var isComplete = true
  var encodedTwice: [SampleChanges.Kind]

  package init(_ table: TableDescription) {
    let key = table.primaryKey.compactMap(table.columnIndex)
    self.key = key.isEmpty ? Array(table.columns.indices) : key
    columns = table.columns.indices.map { [key = self.key] index in
      RowSample.Column(
        name: table.columns[index].name, type: table.columns[index].type.name,
        isKey: key.contains(index))
    }
    encodedTwice = columns.map { _ in SampleChanges.Kind() }
  }

  package mutating func add(_ batch: borrowing RowBatch) {
    countEncodedTwice(batch)
    let (values, classes, text) = (batch.values, batch.classes, batch.text.span)
    for row in 0..<batch.rows {
      let hash = hash(of: row * batch.columns, values, classes, text)
      guard hash <= largestHash else { continue }
      let start = end
      for column in columns.indices { append(row * batch.columns + column, of: batch) }
      rows.append(RowSample.Row(hash: hash, place: start..<end - 1))
      if rows.count == 3 * RowSample.mostRows || end > 3 * RowSample.mostBytes { thin() }
    }
  }

  /// Leaves the rows with the smallest hashes, and of equal ones, the first.
  private mutating func thin() {
    var (kept, values) = ([RowSample.Row](), [UInt8]())
    for row in rows.sorted(by: { ($0.hash, $0.place.lowerBound) < ($1.hash, $1.place.lowerBound) })
    where row.hash != kept.last?.hash {
      guard kept.count < RowSample.mostRows, values.count + row.place.count <= RowSample.mostBytes
      else {
        (isComplete, largestHash) = (false, kept.last?.hash ?? 0)
        break
      }
      values += bytes[row.place]
      kept.append(
        RowSample.Row(hash: row.hash, place: values.count - row.place.count..<values.count))
    }
    (rows, bytes, end) = (kept, values, values.count)
  }

  package consuming func sample() -> RowSample {
    thin()
    return RowSample(
      columns: columns, rows: rows, bytes: bytes, isComplete: isComplete,
      encodedTwice: encodedTwice)
  }

  // A stored sample was made with the same hashes: another function needs another `Baseline.version`.

  private static let (seed, factor): (UInt64, UInt64) = (
    0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93
  )
  /// The hashes have this many bits, which keeps stored ones short.
  private static let hashBits = 48

  /// The hash of the key of the row that begins with this cell.
  @inline(__always)
  private func hash(
    of first: Int, _ values: Span<Int64>, _ classes: Span<UInt8>, _ text: Span<UInt8>
  ) -> UInt64 {
    var hash = Self.factor
    for column in key {
      let value = values[first + column]
      switch classes[first + column] {
      case RowBatch.StorageClass.text, RowBatch.StorageClass.blob:
        var (start, count) = RowBatch.textPlace(value)
        let size = UInt64(count) << 56
        // Seven bytes at a time, and at the end how many there were.
        while count >= 7 {
          hash = Self.fold(hash ^ text.word(at: start) >> 8)
          (start, count) = (start + 7, count - 7)
        }
        let rest = count == 0 ? 0 : text.word(at: start) >> UInt64(64 - 8 * count)
        hash = Self.fold(hash ^ rest ^ size)
      case RowBatch.StorageClass.null: hash = Self.fold(~hash)
      default: hash = Self.fold(hash ^ UInt64(bitPattern: value))
      }
    }
    return Self.fold(hash) >> UInt64(UInt64.bitWidth - Self.hashBits)
  }

  @inline(__always)
  private static func fold(_ word: UInt64) -> UInt64 { (word ^ seed).foldedProduct(factor) }

  /// Longer texts are cut to `cutText` bytes and their checksum.
  static let longestText = 60
  private static let cutText = 48

  /// The value of a cell as shown in examples.
  mutating func text(ofCell cell: Int, of batch: borrowing RowBatch) -> String {
    let start = end
    append(cell, of: batch)
    defer { end = start }
    return RowSample.text(of: bytes[start..<end - 1]) ?? "NULL"
  }

  /// Appends the value of a cell, and a tab.
  @inline(__always)
  private mutating func append(_ cell: Int, of batch: borrowing RowBatch) {
    if end + Self.longestText + 1 > bytes.count {
      bytes += [UInt8](repeating: 0, count: max(bytes.count, 4096))
    }
    let value = batch.values[cell]
    switch batch.classes[cell] {
    case RowBatch.StorageClass.null: append(RowSample.null)
    case RowBatch.StorageClass.integer: append(value)
    case RowBatch.StorageClass.real:
      for byte in "\(Double(bitPattern: UInt64(bitPattern: value)))".utf8 { append(byte) }
    default:
      let (start, count) = RowBatch.textPlace(value)
      append(batch.text.span.extracting(start..<start + count))
    }
    append(UInt8(ascii: "\t"))
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    bytes[end] = byte
    end += 1
  }

  private mutating func append(_ number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    let start = end
    var rest = number.magnitude
    repeat {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    var (low, high) = (start, end - 1)
    while low < high {
      bytes.swapAt(low, high)
      (low, high) = (low + 1, high - 1)
    }
  }

  private mutating func append(_ text: Span<UInt8>) {
    let most = text.count > Self.longestText ? Self.cutText : text.count
    var count = 0
    while count < most, text[count] >= 0x20 {
      append(text[count])
      count += 1
    }
    guard count < text.count else { return }
    // Not within a character.
    while count > 0, text[count] & 0xc0 == 0x80 { (count, end) = (count - 1, end - 1) }
    append(RowSample.cut)
    var hash = Self.seed
    for index in text.indices { hash = Self.fold(hash ^ UInt64(text[index])) }
    for byte in UInt32(truncatingIfNeeded: hash).hexadecimal.utf8 { append(byte) }
  }
}
