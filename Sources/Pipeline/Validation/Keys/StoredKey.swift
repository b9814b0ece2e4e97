import SQLiteSwiftly

/// Columns of a table whose stored values are looked up together: those of a reference, or its referenced columns.
struct StoredKey {
  let columns: [Column]
  /// Whether keys are bytes, those of a text or of several columns, and not the bits of a number.
  let isText: Bool

  struct Column {
    let index: Int
    let isText: Bool
  }

  init(_ names: [String], of table: TableDescription) {
    columns = names.compactMap(table.columnIndex).map { index in
      Column(index: index, isText: table.columns[index].type == .text)
    }
    isText = columns.count > 1 || columns.first?.isText == true
  }

  /// Sets `key` to a unique encoding of the values of a row; returns false if one of them is NULL.
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
      if columns.count > 1 { key.append(number: UInt64(count)) }
      for index in start..<start + count { key.append(bytes[index]) }
    }
    return true
  }
}

/// Referenced columns, and the set of their values.
package struct ReferencedKey {
  let key: StoredKey
  package let set: Int
}

extension [UInt8] {
  /// Appends the bytes of a number in little-endian order.
  @inline(always)
  package mutating func append(number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: type(of: number).bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
