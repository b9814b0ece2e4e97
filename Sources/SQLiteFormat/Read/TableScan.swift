import Glibc
package import SQLiteSwiftly
import Text

/// The location of a table: a file, whose descriptor the caller keeps, and the table's root page.
package typealias StoredTable = (descriptor: Int32, root: Int)

/// The result of one pass over a table of a finished file, page by page and without SQLite.
package struct TableScan: Equatable, Sendable {
  package let rows: EntryChecksum
  /// For each column, the number of NULLs.
  package let nulls: [Int]
  /// The differences from the table of an older file, with the columns after the key in the table's
  /// order; nil if that is unreadable or, if it is sorted by another key, has too many rows elsewhere.
  package let differences: RowDifferences?

  /// Reads a loaded table, which is damaged if a row has other types or is out of order, and
  /// compares it with that of an older file.
  ///
  /// The same statement has created both, and nothing may write to the older one meanwhile.
  /// `longestRow` is the maximum number of bytes of a row's values. `report` is called, in key order,
  /// for each key that one table lacks, or whose values differ, up to the first unreadable page;
  /// with it, tables that are sorted by another key are not compared.
  ///
  /// - Complexity: one pass over each table; memory for a page of each level, for the longest row and,
  ///   if the tables are sorted by another key, for the rows elsewhere.
  package init(
    at table: TableDescription, _ new: StoredTable, beside old: StoredTable?, longestRow: Int,
    report: ((RowChange) -> Void)? = nil
  ) throws(DatabaseError) {
    let layout = RowLayout(table)
    var rows = try TreeCursor(new, layout, longestRow: longestRow)
    var check = RecordCheck(layout)
    var comparison: TableComparison<TreeCursor>? = nil
    var unsorted: UnsortedComparison? = nil
    if let old, layout.keyColumns > 0 || layout.rowidColumn != nil {
      comparison = try? TableComparison(
        TreeCursor(old, layout, longestRow: longestRow), columns: layout.columns.count,
        keyColumns: layout.keyColumns, rowidColumn: layout.rowidColumn, report: report)
    } else if let old, report == nil, !table.primaryKey.isEmpty {
      unsorted = try? UnsortedComparison(
        TreeCursor(old, layout, longestRow: longestRow), columns: layout.columns.count,
        key: table.primaryKey.compactMap(table.columnIndex))
    }
    while try rows.next() {
      guard check.add(rows.record, of: rows.bytes, rowid: rows.rowid) else { throw .damaged }
      do throws(DatabaseError) {
        try comparison?.add(rows)
        try unsorted?.add(rows)
      } catch {
        comparison = nil
        unsorted = nil
      }
    }
    self.rows = check.checksum
    var nulls = [Int](repeating: 0, count: layout.columns.count)
    for (column, count) in zip(layout.columns, check.nulls) { nulls[column.place] = count }
    self.nulls = nulls
    differences = try? comparison?.end(nulls: check.nulls) ?? unsorted?.end(nulls: check.nulls)
  }
}

extension TreeCursor {
  /// Prepares to read a table whose rows have at most `longestRow` bytes.
  init(_ table: StoredTable, _ layout: RowLayout, longestRow: Int) throws(DatabaseError) {
    // The maximum size of a record's header.
    let longestRecord = longestRow + 16 * (layout.columns.count + 1)
    try self.init(
      table.descriptor, layout.hasRowids ? .rowids : .keys, root: table.root,
      longestRecord: longestRecord)
  }
}

/// Checks the records of a tree in order: computes a checksum, counts NULLs, and verifies the sort order.
@safe struct RecordCheck: ~Copyable {
  /// A column of the records, and the data kept from the last one.
  private struct Column {
    let kind: EntryLayout.Kind
    let isNullable: Bool
    let isSorted: Bool
    /// Whether it is the rowid, for which a record contains NULL.
    let isRowid: Bool
    var nulls = 0
    /// Whether it was not NULL.
    var rank: UInt8 = 0
    /// A number that sorts like the value's first eight bytes.
    var word: UInt64 = 0
    /// The position and size of a text in the record.
    var start = 0
    var count = 0
  }

  /// On the heap, since an array would be checked for a second owner with each value.
  private let columns: UnsafeMutablePointer<Column>
  private let columnCount: Int
  private let hasRowids: Bool
  private var lastRowid = Int64.min
  /// The last record, if one of its texts has more than eight bytes.
  private var lastRecord = ByteBuffer(count: 256)
  private(set) var checksum = EntryChecksum()

  private init(_ columns: [Column], hasRowids: Bool) {
    columnCount = columns.count
    unsafe self.columns = .allocate(capacity: columns.count)
    for (index, column) in columns.enumerated() {
      unsafe (self.columns + index).initialize(to: column)
    }
    self.hasRowids = hasRowids
  }

  deinit { unsafe columns.deallocate() }

  init(_ layout: EntryLayout) {
    let columns = layout.columns.map {
      Column(kind: $0.kind, isNullable: $0.isNullable, isSorted: true, isRowid: false)
    }
    self.init(columns, hasRowids: false)
  }

  init(_ layout: RowLayout) {
    let columns = layout.columns.enumerated().map { index, column in
      Column(
        kind: column.kind, isNullable: column.isNullable,
        isSorted: index < layout.keyColumns, isRowid: index == layout.rowidColumn)
    }
    self.init(columns, hasRowids: layout.hasRowids)
  }

  var nulls: [Int] { (0..<columnCount).map { unsafe columns[$0].nulls } }

  /// Adds the record at `record` of `bytes`; false if it does not belong to this tree, or is not after the last.
  @inline(__always)
  mutating func add(
    _ record: Range<Int>, of bytes: borrowing ByteBuffer, rowid: Int64 = 0
  ) -> Bool {
    precondition(record.lowerBound >= 0 && record.upperBound <= bytes.count, "beyond the buffer")
    var type = record.lowerBound
    guard let header = RecordFormat.varint(in: bytes, at: &type), header <= record.count else {
      return false
    }
    let body = record.lowerBound &+ header
    var offset = body
    var hash = EntryHash()
    var isAfter = checksum.entries == 0
    var hasLongText = false
    if hasRowids {
      guard isAfter || rowid > lastRowid else { return false }
      lastRowid = rowid
      isAfter = true
      hash.add(rowid)
    }
    for index in 0..<columnCount {
      let column = unsafe columns + index
      guard type < body, let serial = RecordFormat.varint(in: bytes, at: &type) else {
        return false
      }
      var (rank, word, count) = (UInt8(1), UInt64(0), 0)
      let start = offset
      if serial >= 13 {
        guard unsafe column.pointee.kind == .text, serial & 1 == 1 else { return false }
        count = (serial &- 13) &>> 1
        guard count <= record.upperBound &- offset else { return false }
        // It is within the record, which is within the bytes.
        word = unsafe bytes.uncheckedWord(at: offset).prefix(count)
        hash.add(textAt: offset..<offset &+ count, of: bytes.span(0..<bytes.count))
        offset &+= count
      } else if serial == RecordFormat.null {
        rank = 0
        if unsafe column.pointee.isRowid {
          hash.add(rowid)
        } else {
          guard unsafe column.pointee.isNullable else { return false }
          hash.addNull()
          unsafe column.pointee.nulls &+= 1
        }
      } else if unsafe column.pointee.kind == .real {
        guard let size = RecordFormat.numberBytes(serial), size <= record.upperBound &- offset
        else {
          return false
        }
        let bits = RecordFormat.real(serial, size, in: bytes, at: offset).bitPattern
        word = bits >> 63 == 0 ? bits ^ 1 << 63 : ~bits
        hash.add(Int64(bitPattern: bits))
        offset &+= size
      } else {
        guard unsafe column.pointee.kind == .integer,
          let size = RecordFormat.integerBytes(serial), size <= record.upperBound &- offset
        else { return false }
        let shift = UInt64(truncatingIfNeeded: 64 &- 8 &* size)
        let integer =
          size == 0
          ? Int64(serial &- 8)
          : Int64(bitPattern: unsafe bytes.uncheckedWord(at: offset)) &>> Int64(bitPattern: shift)
        // Negative numbers sort first.
        word = UInt64(bitPattern: integer) ^ 1 &<< 63
        hash.add(integer)
        offset &+= size
      }
      guard unsafe column.pointee.isSorted else { continue }
      if !isAfter {
        let last = unsafe column.pointee
        if rank != last.rank || word != last.word {
          guard rank > last.rank || rank == last.rank && word > last.word else { return false }
          isAfter = true
        } else if count > 8 && last.count > 8 {
          let own = start..<start &+ count
          let other = last.start..<last.start &+ last.count
          if bytes.isLess(own, than: other, of: lastRecord) { return false }
          isAfter = lastRecord.isLess(other, than: own, of: bytes)
        } else if count != last.count {
          guard count > last.count else { return false }
          isAfter = true
        }
      }
      unsafe column.pointee.rank = rank
      unsafe column.pointee.word = word
      unsafe column.pointee.start = start &- record.lowerBound
      unsafe column.pointee.count = count
      hasLongText = hasLongText || count > 8
    }
    guard type == body, offset == record.upperBound, isAfter else { return false }
    if hasLongText {
      lastRecord.grow(to: record.count)
      lastRecord.copy(record, of: bytes, to: 0)
    }
    checksum.add(hash)
    return true
  }
}
