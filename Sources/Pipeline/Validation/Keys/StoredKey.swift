import SQLiteSwiftly

/// Columns of a table whose values, as they are stored, are looked up together: those of a reference, or those
/// that it refers to.
struct StoredKey {
  let columns: [Column]
  /// Whether they are one column of texts, whose bytes they are; or several columns: 8 bytes for a number, the
  /// length and the bytes of a text.
  ///
  /// The others are the bits of a number.
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
      if columns.count > 1 { key.append(number: UInt64(count)) }
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
  @inline(always)
  mutating func append(number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: type(of: number).bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
