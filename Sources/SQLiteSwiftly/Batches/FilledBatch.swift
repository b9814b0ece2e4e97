/// A batch without blobs whose rows no longer change: packed, and on the heap so that an array can hold it.
///
/// It has the storage class of each cell, and integers and the sizes of texts in seven bits of each
/// byte, the lowest first. Small numbers take two bytes in place of nine.
package final class FilledBatch: Sendable {
  private let columns: Int
  private let cells: Int
  private let bytes: [UInt8]

  package init(_ batch: borrowing RowBatch) {
    columns = batch.columns
    cells = batch.rows * batch.columns
    var bytes: [UInt8] = []
    bytes.reserveCapacity(3 * cells)
    let (values, classes) = (batch.values, batch.classes)
    for cell in 0..<cells {
      bytes.append(classes[cell])
      if classes[cell] == RowBatch.StorageClass.text {
        let (start, count) = RowBatch.textPlace(values[cell])
        Self.append(UInt64(count), to: &bytes)
        bytes += batch.text[start..<start + count]
      } else if classes[cell] != RowBatch.StorageClass.null {
        // The sign is the lowest bit, so small numbers of either sign use few bytes.
        Self.append(UInt64(bitPattern: values[cell] << 1 ^ values[cell] >> 63), to: &bytes)
      }
    }
    self.bytes = bytes
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// The rows, unpacked.
  package var rows: RowBatch {
    var (values, classes, text) = ([Int64](), [UInt8](), [UInt8]())
    values.reserveCapacity(cells)
    classes.reserveCapacity(cells)
    var place = 0
    for _ in 0..<cells {
      classes.append(bytes[place])
      place += 1
      switch classes[classes.count - 1] {
      case RowBatch.StorageClass.null: values.append(0)
      case RowBatch.StorageClass.text:
        let (start, count) = (text.count, Int(number(at: &place)))
        text += bytes[place..<place + count]
        place += count
        values.append(RowBatch.value(ofTextAt: UInt32(start), UInt32(text.count)))
      default:
        let number = number(at: &place)
        values.append(Int64(bitPattern: number >> 1) ^ -Int64(number & 1))
      }
    }
    return RowBatch(columns: columns, values: values, classes: classes, text: text)
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
