/// Records in the order of their key.
protocol SortedRecords: ~Copyable {
  associatedtype Failure: Error

  static var damaged: Failure { get }
  var bytes: ByteBuffer { get }
  /// The position of the record, until the next call of `next()`.
  var record: Range<Int> { get }
  /// The rowid of the record, if they are sorted by it.
  var rowid: Int64 { get }

  /// Advances to the next record; false if there is none.
  mutating func next() throws(Failure) -> Bool
}

extension TreeCursor: SortedRecords {
  static var damaged: DatabaseError { .damaged }
}
