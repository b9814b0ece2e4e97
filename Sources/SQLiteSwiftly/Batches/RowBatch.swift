import CSQLite

/// Rows to insert into one table: flat memory, reused for every batch.
///
/// A cell is a storage class and eight bytes: an integer or a real, or the position of a text or blob in `text`. Each
/// row has the cells of all columns. New cells follow the finished rows, and `finishRows` adds them.
///
/// It is public only for the compiler, which does not inline a package's type into other modules;
/// that takes 2 % more instructions for a run.
public struct RowBatch: ~Copyable, Sendable {
  /// The storage class of a cell, with SQLite's number.
  public enum StorageClass {
    @inlinable @inline(__always) package static var null: UInt8 { 5 }
    @inlinable @inline(__always) package static var integer: UInt8 { 1 }
    @inlinable @inline(__always) package static var real: UInt8 { 2 }
    @inlinable @inline(__always) package static var text: UInt8 { 3 }
    @inlinable @inline(__always) package static var blob: UInt8 { 4 }
  }

  package var text: [UInt8]
  package private(set) var rows = 0
  package private(set) var columns = 1
  private var valueArray: [Int64]
  private var classArray: [UInt8]

  package init(cells: Int, textCapacity: Int) {
    text = [UInt8](repeating: 0, count: textCapacity)
    valueArray = [Int64](repeating: 0, count: cells)
    classArray = [UInt8](repeating: StorageClass.null, count: cells)
  }

  /// Finished rows, by the values and classes of their cells, row by row.
  package init(columns: Int, values: [Int64], classes: [UInt8], text: [UInt8]) {
    precondition(values.count == classes.count && values.count % columns == 0, "incomplete rows")
    self.text = text
    self.columns = columns
    rows = values.count / columns
    valueArray = values
    classArray = classes
  }

  /// The values of all cells, also of unfinished rows: integers, and the results of `value(ofTextAt:_:)` for texts.
  package var values: Span<Int64> {
    @_lifetime(borrow self) get { valueArray.span }
  }

  package var classes: Span<UInt8> {
    @_lifetime(borrow self) get { classArray.span }
  }

  /// Removes all rows, and starts with those of a table with that number of columns.
  package mutating func restart(columns: Int) {
    precondition(columns > 0 && columns <= valueArray.count, "a row does not fit")
    self.columns = columns
    rows = 0
  }

  /// Makes room for `count` rows after the finished ones.
  package mutating func makeRoom(forRows count: Int) {
    let cells = (rows + count) * columns
    let missing = cells - valueArray.count
    guard missing > 0 else { return }
    valueArray.reserveCapacity(cells)
    valueArray += repeatElement(0, count: missing)
    classArray.reserveCapacity(cells)
    classArray += repeatElement(StorageClass.null, count: missing)
  }

  @_lifetime(&self)
  package mutating func nextCells(ofColumn column: Int) -> NextCells {
    precondition(0..<columns ~= column, "no such column")
    return NextCells(
      valueArray.mutableSpan, classArray.mutableSpan, first: rows * columns + column,
      columns: columns)
  }

  /// Adds the next rows, whose cells have all been set.
  package mutating func finishRows(_ count: Int) {
    precondition((rows + count) * columns <= valueArray.count, "the rows do not fit")
    rows += count
  }

  /// Whether a finished row has a value in the column, instead of NULL.
  func hasValue(inColumn column: Int) -> Bool {
    let classes = classes
    return stride(from: column, to: rows * columns, by: columns).contains {
      classes[$0] != StorageClass.null
    }
  }

  /// Sets a cell of the next row to an integer, a real or NULL.
  mutating func setCell(_ column: Int, _ value: Int64, _ storageClass: UInt8) {
    var cells = nextCells(ofColumn: column)
    cells.set(0, to: value, storageClass)
  }

  /// Sets a cell of the next row to a text or blob, whose bytes are copied into the arena.
  mutating func setCell(
    _ column: Int, toBytes bytes: some Collection<UInt8>, _ storageClass: UInt8
  ) throws(SQLiteError) {
    let start = text.count
    guard let end = UInt32(exactly: start + bytes.count) else {
      throw SQLiteError(.tooBig, "a row is limited to 4 GiB")
    }
    text += bytes
    setCell(column, Self.value(ofTextAt: UInt32(start), end), storageClass)
  }

  package mutating func moveRow(_ row: Int, to target: Int) {
    guard row != target else { return }
    for column in 0..<columns {
      valueArray[target * columns + column] = valueArray[row * columns + column]
      classArray[target * columns + column] = classArray[row * columns + column]
    }
  }

  /// The cell value for a text at `start..<end` of the arena.
  @inlinable @inline(__always) package static func value(ofTextAt start: UInt32, _ end: UInt32)
    -> Int64
  {
    Int64(start) << 32 | Int64(end - start)
  }

  @inlinable @inline(__always) package static func textPlace(_ value: Int64) -> (
    start: Int, count: Int
  ) {
    let place = UInt64(bitPattern: value)
    return (Int(place >> 32), Int(place & 0xffff_ffff))
  }

  /// A column of the unfinished rows of a batch, numbered from 0.
  public struct NextCells: ~Copyable, ~Escapable {
    @usableFromInline var values: MutableSpan<Int64>
    @usableFromInline var classes: MutableSpan<UInt8>
    @usableFromInline let first: Int
    @usableFromInline let columns: Int

    @_lifetime(copy values, copy classes)
    fileprivate init(
      _ values: consuming MutableSpan<Int64>, _ classes: consuming MutableSpan<UInt8>, first: Int,
      columns: Int
    ) {
      self.values = values
      self.classes = classes
      self.first = first
      self.columns = columns
    }

    @inlinable @_lifetime(self: copy self)
    package mutating func setNull(_ row: Int) { classes[first + row * columns] = StorageClass.null }

    @inlinable @_lifetime(self: copy self)
    package mutating func set(_ row: Int, to value: Int64, _ storageClass: UInt8) {
      let cell = first + row * columns
      values[cell] = value
      classes[cell] = storageClass
    }
  }
}

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
    let (values, classes) = (batch.values, batch.classes)
    // The exact size, since many batches are kept.
    var size = cells
    for cell in 0..<cells where classes[cell] != RowBatch.StorageClass.null {
      size += Self.size(of: Self.number(for: values[cell], classes[cell]))
      if classes[cell] == RowBatch.StorageClass.text {
        size += RowBatch.textPlace(values[cell]).count
      }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    for cell in 0..<cells {
      bytes.append(classes[cell])
      guard classes[cell] != RowBatch.StorageClass.null else { continue }
      Self.append(Self.number(for: values[cell], classes[cell]), to: &bytes)
      guard classes[cell] == RowBatch.StorageClass.text else { continue }
      let (start, count) = RowBatch.textPlace(values[cell])
      bytes += batch.text[start..<start + count]
    }
    assert(bytes.count == size)
    self.bytes = bytes
  }

  /// The size of a text, or an integer with the sign in the lowest bit, so that small ones of either sign use few bytes.
  private static func number(for value: Int64, _ storageClass: UInt8) -> UInt64 {
    storageClass == RowBatch.StorageClass.text
      ? UInt64(RowBatch.textPlace(value).count) : UInt64(bitPattern: value << 1 ^ value >> 63)
  }

  private static func size(of number: UInt64) -> Int { (70 - (number | 1).leadingZeroBitCount) / 7 }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package var rows: RowBatch {
    var (values, classes, text) = ([Int64](), [UInt8](), [UInt8]())
    values.reserveCapacity(cells)
    classes.reserveCapacity(cells)
    var offset = 0
    for _ in 0..<cells {
      classes.append(bytes[offset])
      offset += 1
      switch classes[classes.count - 1] {
      case RowBatch.StorageClass.null: values.append(0)
      case RowBatch.StorageClass.text:
        let (start, count) = (text.count, Int(number(at: &offset)))
        text += bytes[offset..<offset + count]
        offset += count
        values.append(RowBatch.value(ofTextAt: UInt32(start), UInt32(text.count)))
      default:
        let number = number(at: &offset)
        values.append(Int64(bitPattern: number >> 1) ^ -Int64(number & 1))
      }
    }
    return RowBatch(columns: columns, values: values, classes: classes, text: text)
  }

  private func number(at offset: inout Int) -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while bytes[offset] >= 0x80 {
      number |= UInt64(bytes[offset] & 0x7f) << shift
      (shift, offset) = (shift + 7, offset + 1)
    }
    number |= UInt64(bytes[offset]) << shift
    offset += 1
    return number
  }
}

/// Reads the rows of a query without copying values.
///
/// SQLite allows direct reads of result values if only one thread uses the connection
/// (<https://www.sqlite.org/c3ref/value.html>), which this library requires. That takes a fifth
/// less time than reading through columns.
package struct RowReader {
  /// A value of a row, valid until the next row.
  @unsafe package enum Value {
    case null
    case integer(Int64)
    case real(Double)
    /// A text, or a blob.
    case bytes(UnsafeRawBufferPointer, isText: Bool)
  }

  private let statement: Statement
  package let columnCount: Int

  package init(_ query: SQL, on connection: Connection) throws(SQLiteError) {
    statement = try Statement(query.text, on: connection)
    try statement.start {}
    columnCount = statement.columnCount
  }

  package func next() throws(SQLiteError) -> Bool { try statement.step() }

  @unsafe @inline(__always)
  package func value(_ column: Int) -> Value {
    unsafe Self.value(
      of: sqlite3_column_value(statement.handle, Int32(truncatingIfNeeded: column)))
  }

  @unsafe @inline(__always)
  static func value(of value: OpaquePointer?) -> Value {
    let type = unsafe sqlite3_value_type(value)
    switch type {
    case SQLITE_INTEGER: return unsafe .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return unsafe .real(sqlite3_value_double(value))
    case SQLITE_TEXT, SQLITE_BLOB:
      // Requesting the length first makes SQLite convert other encodings to UTF-8.
      let count = Int(unsafe sqlite3_value_bytes(value))
      let start = unsafe sqlite3_value_blob(value)
      // Without memory for it there is no start, and the statement fails.
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
      return unsafe .bytes(bytes, isText: type == SQLITE_TEXT)
    default: return unsafe .null
    }
  }
}

extension Connection {
  /// Reads the rows of a query without values in batches, without an allocation for each value.
  ///
  /// The batch must have room for a row. It contains at most `textBytes` of text, unless a single
  /// row has more. The statement is active while `body` has the batch.
  package func readBatches(
    of query: SQL, into batch: inout RowBatch, textBytes: Int = 64 << 10,
    _ body: (borrowing RowBatch) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let reader = try RowReader(query, on: self)
    batch.restart(columns: reader.columnCount)
    batch.text.removeAll(keepingCapacity: true)
    while try reader.next() {
      try batch.appendRow(of: reader)
      let hasRoom = (batch.rows + 1) * batch.columns <= batch.values.count
      guard !hasRoom || batch.text.count > textBytes else { continue }
      try body(batch)
      batch.restart(columns: reader.columnCount)
      batch.text.removeAll(keepingCapacity: true)
    }
    if batch.rows > 0 { try body(batch) }
  }
}

extension RowBatch {
  fileprivate mutating func appendRow(of reader: RowReader) throws(SQLiteError) {
    for column in 0..<columns {
      switch unsafe reader.value(column) {
      case .null: setCell(column, 0, StorageClass.null)
      case .integer(let value): setCell(column, value, StorageClass.integer)
      case .real(let value):
        setCell(column, Int64(bitPattern: value.bitPattern), StorageClass.real)
      case .bytes(let bytes, let isText):
        try unsafe setCell(column, toBytes: bytes, isText ? StorageClass.text : StorageClass.blob)
      }
    }
    finishRows(1)
  }
}
