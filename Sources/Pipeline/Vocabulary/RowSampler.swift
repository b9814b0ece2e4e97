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
  private var largestHash = UInt64(1) << hashBits - 1
  private var isComplete = true
  private var encodedTwice: EncodedTwiceCounter

  /// A table that is without its key in this run is still sampled by it, to be compared with other nights.
  package init(_ table: TableDescription, droppedKey: [String] = []) {
    let key = (droppedKey + table.primaryKey).compactMap(table.columnIndex)
    self.key = key.isEmpty ? Array(table.columns.indices) : key
    columns = table.columns.indices.map { [key = self.key] index in
      RowSample.Column(
        name: table.columns[index].name, type: table.columns[index].type.name,
        isKey: key.contains(index))
    }
    encodedTwice = EncodedTwiceCounter(columns: columns.count, key: self.key)
  }

  package mutating func add(_ batch: borrowing RowBatch) {
    encodedTwice.add(batch)
    let (values, classes, text) = (batch.values, batch.classes, batch.text.span)
    for row in 0..<batch.rows {
      let hash = hash(of: row * batch.columns, values, classes, text)
      guard hash <= largestHash else { continue }
      let longest = columns.count * (2 * Self.longestText + 1)
      if end + longest > bytes.count {
        bytes += [UInt8](repeating: 0, count: max(bytes.count, longest))
      }
      let start = end
      for column in columns.indices { append(row * batch.columns + column, of: batch) }
      end -= 1
      rows.append(RowSample.Row(hash: hash, place: start..<end))
      if rows.count == 2 * RowSample.mostRows || end > 2 * RowSample.mostBytes { thin() }
    }
  }

  /// Removes rows with large hashes, and leaves at least those of the sample.
  ///
  /// Counting them by the first bits of their hashes takes a fifth of the time of sorting.
  private mutating func thin() {
    let bits = 12
    let shift = max(UInt64.bitWidth - largestHash.leadingZeroBitCount - bits, 0)
    var counts = [(rows: Int, bytes: Int)](repeating: (0, 0), count: 1 << bits)
    for row in rows {
      counts[Int(row.hash >> shift)].rows += 1
      counts[Int(row.hash >> shift)].bytes += row.place.count
    }
    var (last, sum) = (0, (rows: 0, bytes: 0))
    while true {
      sum = (sum.rows + counts[last].rows, sum.bytes + counts[last].bytes)
      guard sum.rows < RowSample.mostRows, sum.bytes < RowSample.mostBytes, last + 1 < counts.count
      else { break }
      last += 1
    }
    largestHash = min(largestHash, UInt64(last + 1) << shift - 1)
    var kept = 0
    end = 0
    for row in rows where row.hash <= largestHash {
      let start = end
      for place in row.place {
        bytes[end] = bytes[place]
        end += 1
      }
      rows[kept] = RowSample.Row(hash: row.hash, place: start..<end)
      kept += 1
    }
    if kept < rows.count { isComplete = false }
    rows.removeLast(rows.count - kept)
  }

  /// The rows with the smallest hashes, and of equal ones, the first.
  package consuming func sample() -> RowSample {
    var (kept, keptBytes) = ([RowSample.Row](), [UInt8]())
    keptBytes.reserveCapacity(min(end, RowSample.mostBytes))
    for row in rows.sorted(by: { ($0.hash, $0.place.lowerBound) < ($1.hash, $1.place.lowerBound) })
    where row.hash != kept.last?.hash {
      guard kept.count < RowSample.mostRows,
        keptBytes.count + row.place.count <= RowSample.mostBytes
      else {
        isComplete = false
        break
      }
      let start = keptBytes.count
      keptBytes += bytes[row.place]
      kept.append(RowSample.Row(hash: row.hash, place: start..<keptBytes.count))
    }
    return RowSample(
      columns: columns, rows: kept, bytes: keptBytes, isComplete: isComplete,
      encodedTwice: encodedTwice.columns)
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
        let (start, count) = RowBatch.textPlace(value)
        // The bytes of a word, and at the end how many they are.
        var (word, bytes) = (UInt64(0), 0)
        for index in start..<start + count {
          word = word << 8 | UInt64(text[index])
          bytes += 1
          if bytes == 7 { (hash, word, bytes) = (Self.fold(hash ^ word), 0, 0) }
        }
        hash = Self.fold(hash ^ word ^ UInt64(count) << 56)
      case RowBatch.StorageClass.null: hash = Self.fold(~hash)
      default: hash = Self.fold(hash ^ UInt64(bitPattern: value))
      }
    }
    return Self.fold(hash) >> UInt64(UInt64.bitWidth - Self.hashBits)
  }

  /// The two halves of a product, as in wyhash (<https://github.com/wangyi-fudan/wyhash>).
  @inline(__always)
  private static func fold(_ word: UInt64) -> UInt64 {
    let product = (word ^ seed).multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }

  /// Longer texts are cut to `cutText` bytes and their checksum.
  static let (longestText, cutText) = (60, 48)

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
