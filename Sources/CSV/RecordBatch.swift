/// A block of CSV with the places of its records and fields: one buffer, reused for every block.
///
/// `bytes` begins with the block as it appears in the file. Fields are slices of it; only a field
/// with doubled quotes is kept a second time, unescaped, after the block. So a record's own bytes
/// can be shown or kept. Nothing is allocated per record or field.
public struct RecordBatch: ~Copyable, Sendable {
  /// The block, then the unescaped fields, then room.
  public var bytes: [UInt8]

  /// The records, in the order of the file; blank lines are not among them.
  public internal(set) var records: [Record] = []

  /// The fields of all records; each record says where its own begin.
  public internal(set) var fields: [Field]

  /// The bytes that a block has room for; the unescaped fields after it do not count.
  private var capacity: Int
  /// The initial capacity, which is restored after a record that needed more.
  private let usualCapacity: Int
  var filled = 0
  /// The bytes of the block that whole records, blank lines and their ends take up.
  var parsed = 0
  var fieldCount = 0
  var unescaped: [UInt8] = []
  let recordCapacity: Int

  /// Makes an empty batch.
  ///
  /// - Parameters:
  ///   - capacity: bytes of a block, at most 1 GiB; a longer record makes the batch grow.
  ///   - records: the records that a batch holds at most.
  ///   - fields: the fields that all its records together hold at most.
  public init(capacity: Int, records: Int, fields: Int) {
    precondition((1...1 << 30).contains(capacity) && records > 0 && fields > 0)
    bytes = [UInt8](repeating: 0, count: capacity)
    self.capacity = capacity
    usualCapacity = capacity
    self.fields = [Field](repeating: Field(start: 0, end: 0), count: fields)
    self.records.reserveCapacity(records)
    recordCapacity = records
  }

  /// Where a record's field is in `bytes`, without its quotes.
  public struct Field: Sendable, Equatable {
    /// Offset of its first byte.
    public var start: UInt32
    /// Offset after its last byte.
    public var end: UInt32

    /// Makes a slice.
    public init(start: UInt32, end: UInt32) {
      self.start = start
      self.end = end
    }
  }

  /// The block's bytes that no record took yet, because their record is not complete.
  public var unparsed: Range<Int> { parsed..<filled }

  /// Forgets the records and moves the unparsed bytes of the block to the front of `target`.
  ///
  /// Then the two buffers are swapped: the caller keeps the old block in `target`, and the batch
  /// goes on with what was there, its size adapted. Costs the copy of less than one record.
  public mutating func exchangeBytes(with target: inout [UInt8]) {
    let rest = unparsed
    adaptCapacity(to: rest.count)
    if target.count < capacity || target.count > 4 * capacity {
      target = [UInt8](repeating: 0, count: capacity)
    }
    target.replaceSubrange(0..<rest.count, with: bytes[rest])
    swap(&bytes, &target)
    restart(keeping: rest.count)
  }

  /// Forgets the records and moves the unparsed bytes to the front.
  public mutating func discardParsed() {
    let rest = unparsed
    unsafe bytes.withUnsafeMutableBytes { bytes in
      // The two ranges may overlap, and this may be most of a block when the records ran out of room.
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<rest.count])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[rest]))
    }
    restart(keeping: rest.count)
  }

  /// Forgets everything, for another file to be read.
  public mutating func discardAll() { restart(keeping: 0) }

  /// Forgets some of the records, as if the file did not have them; their bytes stay in the block.
  package mutating func removeRecords(where isRemoved: (Record) -> Bool) {
    records.removeAll(where: isRemoved)
  }

  /// One long record must not make all later blocks as large as itself.
  private mutating func adaptCapacity(to rest: Int) {
    if rest <= usualCapacity / 2 { capacity = usualCapacity }
  }

  private mutating func restart(keeping count: Int) {
    adaptCapacity(to: count)
    filled = count
    parsed = 0
    fieldCount = 0
    records.removeAll(keepingCapacity: true)
    unescaped.removeAll(keepingCapacity: true)
  }

  /// Puts the unescaped fields where their slices say: after the block.
  mutating func appendUnescaped() {
    guard !unescaped.isEmpty else { return }
    grow(to: filled + unescaped.count)
    bytes.replaceSubrange(filled..<filled + unescaped.count, with: unescaped)
  }

  /// Where the block and what follows it end.
  package var end: Int { filled + unescaped.count }

  /// Puts more texts behind the fields that are kept unescaped, at `end`, until the records are forgotten.
  package mutating func append(_ texts: [UInt8]) {
    guard !texts.isEmpty else { return }
    let start = end
    unescaped += texts
    grow(to: end)
    bytes.replaceSubrange(start..<end, with: texts)
  }

  private mutating func grow(to count: Int) {
    guard bytes.count < count else { return }
    bytes.append(contentsOf: repeatElement(0, count: count - bytes.count))
  }

  /// Lets `read` fill the room after the block; a batch without room grows to twice its size.
  ///
  /// - Parameter read: fills the start of the span it gets and returns the count of bytes; less
  ///   than the span's size means that the input is at its end.
  /// - Returns: Whether the input is at its end.
  /// - Throws: what `read` throws; the batch is then as it was.
  public mutating func fill<Failure>(
    from read: (inout MutableSpan<UInt8>) throws(Failure) -> Int
  ) throws(Failure) -> Bool {
    if filled == capacity { capacity *= 2 }
    grow(to: capacity)
    let free = filled..<capacity
    var block = bytes.mutableSpan
    var room = block._mutatingExtracting(free)
    let count = try read(&room)
    filled += count
    return count < free.count
  }
}
