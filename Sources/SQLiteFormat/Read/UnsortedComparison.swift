import SQLiteSwiftly

/// Compares the rows of an older table with those of a new one by a key, although both are sorted by rowid.
///
/// The rows of two nights are mostly in the same order. So both tables are read side by side, and a row that the other
/// table lacks, or has elsewhere, waits in memory.
struct UnsortedComparison: ~Copyable {
  /// The values of the key, and the others in order.
  private let key: [Int]
  private let others: [Int]
  /// Random, so that no file can be made of keys with equal hashes.
  private let seed = UInt64.random(in: 0...UInt64.max)
  private var old: TreeCursor
  private var hasOld: Bool
  private var oldValues: RecordValues
  private var newValues: RecordValues
  private var waitingOld = WaitingRows()
  private var waitingNew = WaitingRows()
  /// The number of NULLs in rows that are not identical, for each value of a record.
  private var oldNulls: [Int]
  private var newNulls: [Int]
  private var differences: RowDifferences

  /// Begins with the first row of the older table, which has a value for each column.
  init(_ old: consuming TreeCursor, columns: Int, key: [Int]) throws(DatabaseError) {
    hasOld = try old.next()
    self.old = old
    self.key = key
    others = (0..<columns).filter { !key.contains($0) }
    oldValues = RecordValues(count: columns)
    newValues = oldValues
    oldNulls = [Int](repeating: 0, count: columns)
    newNulls = oldNulls
    differences = RowDifferences(columns: others.count)
  }

  /// Adds the next row of the new table; fails if too many rows wait.
  mutating func add(_ new: borrowing TreeCursor) throws(DatabaseError) {
    differences.rowsAfter += 1
    if hasOld, new.bytes.areEqual(new.record, to: old.record, of: old.bytes) {
      differences.commonKeys += 1
      try nextOld()
    } else {
      try addOther(new)
    }
  }

  private mutating func nextOld() throws(DatabaseError) {
    differences.rowsBefore += 1
    hasOld = try old.next()
  }

  /// Adds a row that differs from the next older one.
  private mutating func addOther(_ new: borrowing TreeCursor) throws(DatabaseError) {
    guard newValues.find(in: new.record, of: new.bytes) else { throw .damaged }
    newValues.countNulls(in: &newNulls)
    let hash = newValues.hash(of: key, in: new.bytes, seed: seed)
    guard let place = waitingOld.remove(hash) else {
      try waitingNew.add(new.record, of: new.bytes, hash)
      return try advanceOld()
    }
    guard oldValues.find(in: place, of: waitingOld.bytes),
      oldValues.areEqual(key, in: waitingOld.bytes, newValues, in: new.bytes)
    else { throw .damaged }
    differences.addCommon(oldValues, in: waitingOld.bytes, newValues, in: new.bytes, others)
  }

  /// Reads the older rows for which new ones wait; if there is none, the next one waits too.
  private mutating func advanceOld() throws(DatabaseError) {
    var isBehind = false
    while hasOld, !waitingNew.isEmpty {
      let hash = try findOld()
      if try addOld(hash) {
        isBehind = true
        try nextOld()
      } else if isBehind {
        return
      } else {
        try waitingOld.add(old.record, of: old.bytes, hash)
        oldValues.countNulls(in: &oldNulls)
        return try nextOld()
      }
    }
  }

  /// Finds the values of the next older row; returns the hash of its key.
  private mutating func findOld() throws(DatabaseError) -> UInt64 {
    guard oldValues.find(in: old.record, of: old.bytes) else { throw .damaged }
    return oldValues.hash(of: key, in: old.bytes, seed: seed)
  }

  /// Compares the older row with the new one that waits for it; false if there is none.
  private mutating func addOld(_ hash: UInt64) throws(DatabaseError) -> Bool {
    guard let place = waitingNew.remove(hash) else { return false }
    guard newValues.find(in: place, of: waitingNew.bytes),
      oldValues.areEqual(key, in: old.bytes, newValues, in: waitingNew.bytes)
    else { throw .damaged }
    oldValues.countNulls(in: &oldNulls)
    differences.addCommon(oldValues, in: old.bytes, newValues, in: waitingNew.bytes, others)
    return true
  }

  /// Ends with the remaining rows of the older table; `nulls` contains the number of NULLs in the
  /// new table for each value of a record.
  mutating func end(nulls: [Int]) throws(DatabaseError) -> RowDifferences {
    while hasOld {
      if try !addOld(findOld()) { oldValues.countNulls(in: &oldNulls) }
      try nextOld()
    }
    differences.nullsAfter = others.map { nulls[$0] }
    differences.nullsBefore = others.map { nulls[$0] - newNulls[$0] + oldNulls[$0] }
    return differences
  }
}

/// Rows of one table, by a hash of their key.
private struct WaitingRows: ~Copyable {
  /// Enough for the rows that a usual night adds to a table of several million, or removes from it.
  private static let mostBytes = 8 << 20
  /// The memory of a place.
  private static let placeBytes = 48

  private(set) var bytes = ByteBuffer(count: 0)
  private var places: [UInt64: Range<Int>] = [:]
  private var end = 0

  var isEmpty: Bool { places.isEmpty }

  /// Fails if the rows need too much memory, or if another one has that hash.
  mutating func add(
    _ record: Range<Int>, of other: borrowing ByteBuffer, _ hash: UInt64
  ) throws(DatabaseError) {
    let place = end..<end + record.count
    guard place.upperBound + Self.placeBytes * (places.count + 1) <= Self.mostBytes,
      places.updateValue(place, forKey: hash) == nil
    else { throw .damaged }
    if place.upperBound > bytes.count { bytes.grow(to: min(2 * place.upperBound, Self.mostBytes)) }
    bytes.copy(record, of: other, to: end)
    end = place.upperBound
  }

  /// The position of a row, which waits no longer, until the next one is added; nil if none has that hash.
  mutating func remove(_ hash: UInt64) -> Range<Int>? {
    guard let place = places.removeValue(forKey: hash) else { return nil }
    // A changed row in its usual place waits only for the next one.
    if place.upperBound == end { end = place.lowerBound }
    return place
  }
}
