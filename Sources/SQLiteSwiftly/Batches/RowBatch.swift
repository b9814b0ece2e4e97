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

  /// The values of the cells, including those of unfinished rows: integers, and the results of
  /// `value(ofTextAt:_:)` for texts.
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
    package mutating func setNull(_ row: Int) {
      classes[first + row * columns] = StorageClass.null
    }

    @inlinable @_lifetime(self: copy self)
    package mutating func set(_ row: Int, to value: Int64, _ storageClass: UInt8) {
      let cell = first + row * columns
      values[cell] = value
      classes[cell] = storageClass
    }
  }
}
