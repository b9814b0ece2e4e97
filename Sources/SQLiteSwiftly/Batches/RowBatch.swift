/// Rows on their way into one table: flat memory, reused for every batch.
///
/// A cell is a storage class and eight bytes: an integer or a real itself, or the place of a text or blob in
/// `text`.
/// The rows follow one another, each with all cells of the table's columns. What is set goes into the
/// rows after those that are there, which `finishRows` keeps.
///
/// It is public only in name: the compiler inlines nothing of a package's type into other modules, which
/// takes 2 % more instructions for a run.
public struct RowBatch: ~Copyable, Sendable {
  /// The storage class of a cell, with the number that SQLite has for it.
  public enum StorageClass {
    @inlinable @inline(__always) package static var null: UInt8 { 5 }
    @inlinable @inline(__always) package static var integer: UInt8 { 1 }
    @inlinable @inline(__always) package static var real: UInt8 { 2 }
    @inlinable @inline(__always) package static var text: UInt8 { 3 }
    @inlinable @inline(__always) package static var blob: UInt8 { 4 }
  }

  /// The arena that text cells point into.
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

  /// What the cells hold, also those of rows that are being filled: integers, and what
  /// `value(ofTextAt:_:)` makes of texts.
  package var values: Span<Int64> {
    @_lifetime(borrow self) get { valueArray.span }
  }

  package var classes: Span<UInt8> {
    @_lifetime(borrow self) get { classArray.span }
  }

  /// Forgets the rows and begins with those of a table of that many columns.
  package mutating func restart(columns: Int) {
    precondition(columns > 0 && columns <= valueArray.count, "a row must fit")
    self.columns = columns
    rows = 0
  }

  /// Lends a column of the rows that are being filled.
  @_lifetime(&self)
  package mutating func nextCells(ofColumn column: Int) -> NextCells {
    precondition(0..<columns ~= column, "there is no such column")
    return NextCells(
      valueArray.mutableSpan, classArray.mutableSpan, first: rows * columns + column,
      columns: columns)
  }

  /// Keeps the next rows, all cells of which were set after those of the rows that are there.
  package mutating func finishRows(_ count: Int) {
    precondition((rows + count) * columns <= valueArray.count, "the rows must fit")
    rows += count
  }

  package mutating func moveRow(_ row: Int, to target: Int) {
    guard row != target else { return }
    for column in 0..<columns {
      valueArray[target * columns + column] = valueArray[row * columns + column]
      classArray[target * columns + column] = classArray[row * columns + column]
    }
  }

  /// The value of the cell of a text at `start..<end` of the arena.
  @inlinable @inline(__always) package static func value(ofTextAt start: UInt32, _ end: UInt32)
    -> Int64
  {
    Int64(start) << 32 | Int64(end - start)
  }

  /// The place of a text in the arena, as the value of its cell has it.
  @inlinable @inline(__always) package static func textPlace(_ value: Int64) -> (
    start: Int, count: Int
  ) {
    let place = UInt64(bitPattern: value)
    return (Int(place >> 32), Int(place & 0xffff_ffff))
  }
}

extension RowBatch {
  /// A column of the rows of a batch that are being filled, which are counted from 0.
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

    /// Sets the cell of a row to an integer, or to the text at the place that `value` stands for.
    @inlinable @_lifetime(self: copy self)
    package mutating func set(_ row: Int, to value: Int64, _ storageClass: UInt8) {
      let cell = first + row * columns
      values[cell] = value
      classes[cell] = storageClass
    }
  }
}
