import SQLiteSwiftly

/// The bytes that the entries of one table's indexes take at most while they are sorted, counted from the
/// rows that were really inserted.
struct IndexEntries {
  /// The columns of which entries are made: those of the indexes, and of the key that leads to the row.
  private let columns: [Int]
  private let indexes: Int
  private var rows = 0
  private var textBytes = 0
  /// For each column the bits that any of its integers has set, the sign left out.
  private var bits: [UInt64]

  init(of table: TableDescription) {
    let names = Set((table.keys + table.indexes).joined())
    columns = table.columns.indices.filter { names.contains(table.columns[$0].name) }
    indexes = table.indexes.count + table.uniqueKeys.count
    bits = [UInt64](repeating: 0, count: columns.count)
  }

  /// Counts rows that are inserted.
  mutating func add(_ batch: borrowing RowBatch) {
    guard indexes > 0 else { return }
    let (values, classes) = (batch.values, batch.classes)
    rows += batch.rows
    for (place, column) in columns.enumerated() {
      var (bytes, bits) = (0, UInt64(0))
      var cell = column
      for _ in 0..<batch.rows {
        switch classes[cell] {
        case RowBatch.StorageClass.text: bytes += RowBatch.textPlace(values[cell]).count
        case RowBatch.StorageClass.integer:
          bits |= UInt64(bitPattern: values[cell] ^ (values[cell] >> 63))
        default: break
        }
        cell += batch.columns
      }
      textBytes += bytes
      self.bits[place] |= bits
    }
  }

  /// Bytes of the entries of one index, if it had all the columns; indexes are made one by one.
  ///
  /// To an entry belong its size, that of its header, and the rowid
  /// (<https://www.sqlite.org/fileformat.html#record_format>), to each value up to three bytes of a header
  /// and those that it needs. While runs are merged, some entries are there twice: at most all.
  var bytes: Int {
    let integers = bits.reduce(0) { $0 + (64 - $1.leadingZeroBitCount + 8) / 8 }
    return 2 * (textBytes + rows * (12 + 3 * columns.count + integers))
  }
}
