import SQLiteSwiftly

/// Columns of a table whose values, as they are stored, are looked up together: those of a reference, or those
/// that it refers to.
struct StoredKey {
  let columns: [Column]
  let form: Form

  struct Column {
    let index: Int
    let isText: Bool
  }

  enum Form {
    /// One column of numbers: the bits of its value.
    case number
    /// One column of texts: its bytes.
    case text
    /// Several columns: 8 bytes for a number, the length and the bytes of a text.
    case composed
  }

  init(_ names: [String], of table: TableDescription) {
    columns = names.compactMap(table.columnIndex).map { index in
      Column(index: index, isText: table.columns[index].type == .text)
    }
    form = columns.count > 1 ? .composed : columns.first?.isText == true ? .text : .number
  }

  /// Puts the values of a row into `key`, as bytes that only equal values give; false if one of them is NULL.
  func read(
    _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>, into key: inout [UInt8]
  ) -> Bool {
    key.removeAll(keepingCapacity: true)
    for column in columns {
      let cell = row * rows.columns + column.index
      guard rows.classes[cell] != RowBatch.StorageClass.null else { return false }
      guard column.isText else {
        key.append(number: UInt64(bitPattern: rows.values[cell]))
        continue
      }
      let (start, count) = RowBatch.textPlace(rows.values[cell])
      if form == .composed { key.append(number: UInt64(count)) }
      for index in start..<start + count { key.append(bytes[index]) }
    }
    return true
  }
}

/// Values that are referred to, and the set that has them.
package struct ReferencedKey {
  let key: StoredKey
  package let set: Int
}

extension [UInt8] {
  /// Appends the bytes of a number, the lowest first.
  package mutating func append(number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
