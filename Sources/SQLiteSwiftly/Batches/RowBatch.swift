/// Rows on their way into one table: flat memory, reused for every batch.
///
/// A cell is a storage class and eight bytes: an integer itself, or the place of a text in `text`.
/// The rows follow one another, each with all cells of the table's columns.
package struct RowBatch: ~Copyable, Sendable {
  /// The storage class of a cell, with the number that SQLite has for it.
  package enum StorageClass {
    @inlinable package static var null: UInt8 { 5 }
    @inlinable package static var integer: UInt8 { 1 }
    @inlinable package static var text: UInt8 { 3 }
  }

  /// The arena that text cells point into.
  package var text: [UInt8]
  /// The rows that are there.
  package private(set) var rows = 0
  /// The cells of a row.
  package private(set) var columns = 1

  /// The cells of the rows, and room: integers, and what `value(ofTextAt:_:)` makes of texts.
  package var values: [Int64]
  /// The storage classes of the cells.
  package var classes: [UInt8]

  /// Makes a batch for `cells` cells and an arena of `textCapacity` bytes.
  package init(cells: Int, textCapacity: Int) {
    text = [UInt8](repeating: 0, count: textCapacity)
    values = [Int64](repeating: 0, count: cells)
    classes = [UInt8](repeating: StorageClass.null, count: cells)
  }

  /// Forgets the rows and begins with those of a table of that many columns.
  package mutating func restart(columns: Int) {
    precondition(columns > 0 && columns <= values.count, "a row must fit")
    self.columns = columns
    rows = 0
  }

  /// Whether another row fits.
  package var hasRoom: Bool { (rows + 1) * columns <= values.count }

  /// Makes a cell of the row that is being filled NULL.
  package mutating func setNull(_ column: Int) {
    classes[rows * columns + column] = StorageClass.null
  }

  /// Sets a cell of the row that is being filled to an integer.
  package mutating func set(_ column: Int, integer: Int64) {
    values[rows * columns + column] = integer
    classes[rows * columns + column] = StorageClass.integer
  }

  /// Sets a cell of the row that is being filled to the text at `start..<end` of the arena, where it
  /// must stand when the batch is inserted.
  package mutating func set(_ column: Int, textAt start: UInt32, _ end: UInt32) {
    values[rows * columns + column] = Self.value(ofTextAt: start, end)
    classes[rows * columns + column] = StorageClass.text
  }

  /// Keeps the row that was filled; without this call the next one takes its place.
  package mutating func finishRow() {
    precondition(hasRoom, "a row must fit")
    rows += 1
  }

  /// Copies the cells of a row to the place of another one.
  package mutating func moveRow(_ row: Int, to target: Int) {
    guard row != target else { return }
    for column in 0..<columns {
      values[target * columns + column] = values[row * columns + column]
      classes[target * columns + column] = classes[row * columns + column]
    }
  }

  /// Keeps the next rows, all cells of which were set after those of the rows that are there.
  package mutating func finishRows(_ count: Int) {
    precondition((rows + count) * columns <= values.count, "the rows must fit")
    rows += count
  }

  /// The value of the cell of a text at `start..<end` of the arena.
  @inlinable package static func value(ofTextAt start: UInt32, _ end: UInt32) -> Int64 {
    Int64(start) << 32 | Int64(end - start)
  }

  /// The place of a text in the arena, as the value of its cell has it.
  @inlinable package static func textPlace(_ value: Int64) -> (start: Int, count: Int) {
    let place = UInt64(bitPattern: value)
    return (Int(place >> 32), Int(place & 0xffff_ffff))
  }
}
