package import SQLiteSwiftly

/// The rows of a table of statistics, in key order.
///
/// They are packed, since they stay in memory until their index is written: a storage class before
/// each cell, and integers and the sizes of texts in seven bits of each byte, the lowest first.
package struct AggregateRows: Sendable {
  package let columns: Int
  private var bytes: [UInt8] = []

  init(columns: Int) { self.columns = columns }

  mutating func append(_ value: Int64?) {
    guard let value else { return bytes.append(RowBatch.StorageClass.null) }
    bytes.append(RowBatch.StorageClass.integer)
    // The sign is the lowest bit, so small numbers of either sign use few bytes.
    append(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  mutating func append(textOf buffer: borrowing ByteBuffer, count: Int) {
    append(textOf: buffer.span(0..<count))
  }

  mutating func append(textOf text: Span<UInt8>) {
    bytes.append(RowBatch.StorageClass.text)
    append(UInt64(text.count))
    for index in text.indices { bytes.append(text[index]) }
  }

  private mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Fills a batch with the next rows that fit, and advances `place`, which starts at 0; returns
  /// their number, 0 at the end.
  package func fill(_ batch: inout RowBatch, from place: inout Int) -> Int {
    batch.restart(columns: columns)
    batch.text.removeAll(keepingCapacity: true)
    var rows = 0
    while place < bytes.count, (rows + 1) * columns <= batch.values.count {
      for column in 0..<columns {
        let storageClass = bytes[place]
        place += 1
        var value: Int64 = 0
        if storageClass == RowBatch.StorageClass.integer {
          let number = number(at: &place)
          value = Int64(bitPattern: number >> 1) ^ -Int64(number & 1)
        } else if storageClass == RowBatch.StorageClass.text {
          let count = Int(number(at: &place))
          let start = UInt32(batch.text.count)
          batch.text += bytes[place..<place + count]
          place += count
          value = RowBatch.value(ofTextAt: start, start + UInt32(count))
        }
        var cells = batch.nextCells(ofColumn: column)
        cells.set(rows, to: value, storageClass)
      }
      rows += 1
    }
    batch.finishRows(rows)
    return rows
  }

  private func number(at place: inout Int) -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while bytes[place] >= 0x80 {
      number |= UInt64(bytes[place] & 0x7f) << shift
      (shift, place) = (shift + 7, place + 1)
    }
    number |= UInt64(bytes[place]) << shift
    place += 1
    return number
  }
}
