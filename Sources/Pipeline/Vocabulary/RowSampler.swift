import Schema
package import SQLiteSwiftly
import Text

/// Samples the rows of a table as they pass: see `RowSample`.
package struct RowSampler {
  private let columns: [RowSample.Column]
  /// The columns by which rows are recognized: the primary key, or without one, all.
  private let key: [Int]
  private var rows: [RowSample.Row] = []
  /// The values of these rows, up to `end`.
  private var bytes: [UInt8] = []
  private var end = 0
  /// Rows with larger hashes are not needed.
  private var largestHash = UInt64.max
  private var isComplete = true

  package init(_ table: TableDescription) {
    let key = table.primaryKey.compactMap(table.columnIndex)
    self.key = key.isEmpty ? Array(table.columns.indices) : key
    columns = table.columns.indices.map { [key = self.key] index in
      RowSample.Column(
        name: table.columns[index].name, type: table.columns[index].type.name,
        isKey: key.contains(index))
    }
  }

  package mutating func add(_ batch: borrowing RowBatch) {
    for row in 0..<batch.rows {
      let hash = hash(of: row, in: batch)
      guard hash <= largestHash else { continue }
      let longest = columns.count * (2 * Self.longestText + 1)
      if end + longest > bytes.count {
        bytes += [UInt8](repeating: 0, count: max(bytes.count, longest))
      }
      let start = end
      for column in columns.indices { append(row * batch.columns + column, of: batch) }
      end -= 1
      rows.append(RowSample.Row(hash: hash, place: start..<end))
      if rows.count == 2 * RowSample.mostRows || end > 2 * RowSample.mostBytes { shorten() }
    }
  }

  package consuming func sample() -> RowSample {
    shorten()
    return RowSample(columns: columns, rows: rows, bytes: bytes, isComplete: isComplete)
  }

  /// Keeps the rows with the smallest hashes, and of equal ones, the first.
  private mutating func shorten() {
    let order = rows.indices.map { rows[$0].hash << Self.rowBits | UInt64($0) }.sorted()
    var (kept, keptBytes) = ([RowSample.Row](), [UInt8]())
    kept.reserveCapacity(2 * RowSample.mostRows)
    keptBytes.reserveCapacity(end)
    for entry in order {
      let row = rows[Int(entry & (1 << Self.rowBits - 1))]
      guard row.hash != kept.last?.hash else { continue }
      guard kept.count < RowSample.mostRows,
        keptBytes.count + row.place.count <= RowSample.mostBytes
      else {
        largestHash = kept.last?.hash ?? 0
        isComplete = false
        break
      }
      let start = keptBytes.count
      keptBytes += bytes[row.place]
      kept.append(RowSample.Row(hash: row.hash, place: start..<keptBytes.count))
    }
    (rows, bytes, end) = (kept, keptBytes, keptBytes.count)
  }

  // A stored sample was made with the same hashes: another function needs another `Baseline.version`.

  private static let (seed, factor): (UInt64, UInt64) = (
    0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93
  )
  /// The hashes have this many bits, which keeps stored ones short, and leaves as many for the number of a row.
  private static let (hashBits, rowBits): (UInt64, UInt64) = (48, 16)

  @inline(__always)
  private func hash(of row: Int, in batch: borrowing RowBatch) -> UInt64 {
    var hash = Self.factor
    let (values, classes) = (batch.values, batch.classes)
    for column in key {
      let cell = row * batch.columns + column
      switch classes[cell] {
      case RowBatch.StorageClass.text, RowBatch.StorageClass.blob:
        let (start, count) = RowBatch.textPlace(values[cell])
        let text = batch.text.span.extracting(start..<start + count)
        // The bytes of a word, and at the end how many they are.
        var word: UInt64 = 0
        for index in text.indices {
          word = word << 8 | UInt64(text[index])
          if index % 7 == 6 { (hash, word) = (Self.fold(hash ^ word), 0) }
        }
        hash = Self.fold(hash ^ word ^ UInt64(count) << 56)
      case RowBatch.StorageClass.null: hash = Self.fold(~hash)
      default: hash = Self.fold(hash ^ UInt64(bitPattern: values[cell]))
      }
    }
    return Self.fold(hash) >> (64 - Self.hashBits)
  }

  /// The two halves of a product, as in wyhash (<https://github.com/wangyi-fudan/wyhash>).
  @inline(__always)
  private static func fold(_ word: UInt64) -> UInt64 {
    let product = (word ^ seed).multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }

  /// Longer texts are cut to `cutText` bytes and their checksum.
  private static let (longestText, cutText) = (60, 48)

  /// Appends the value of a cell, and a tab.
  @inline(__always)
  private mutating func append(_ cell: Int, of batch: borrowing RowBatch) {
    let value = batch.values[cell]
    switch batch.classes[cell] {
    case RowBatch.StorageClass.null: for byte in RowSample.null { append(byte) }
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
    var count = text.count
    if count > Self.longestText {
      count = Self.cutText
      // Not within a character.
      while count > 0, text[count] & 0xc0 == 0x80 { count -= 1 }
    }
    for index in 0..<count {
      let byte = text[index]
      guard byte < 0x20 || byte == UInt8(ascii: "\\") else {
        append(byte)
        continue
      }
      let letter: UInt8? =
        switch byte {
        case UInt8(ascii: "\\"): byte
        case UInt8(ascii: "\t"): UInt8(ascii: "t")
        case UInt8(ascii: "\n"): UInt8(ascii: "n")
        case 0: UInt8(ascii: "0")
        default: nil
        }
      if letter != nil { append(UInt8(ascii: "\\")) }
      append(letter ?? byte)
    }
    guard count < text.count else { return }
    var hash = Self.seed
    for index in text.indices { hash = Self.fold(hash ^ UInt64(text[index])) }
    for byte in "\\#\(UInt32(truncatingIfNeeded: hash).hexadecimal)".utf8 { append(byte) }
  }
}
