/// Records that come one after the other, sorted by their key.
protocol SortedRecords: ~Copyable {
  associatedtype Failure: Error

  static var damaged: Failure { get }
  var bytes: ByteBuffer { get }
  /// The place of the record, until the next one is asked for.
  var record: Range<Int> { get }
  /// The rowid of the record, if they are sorted by it.
  var rowid: Int64 { get }

  /// Goes on to the next record; false if there is none.
  mutating func next() throws(Failure) -> Bool
}

extension TreeCursor: SortedRecords {
  static var damaged: DatabaseError { .damaged }
}
