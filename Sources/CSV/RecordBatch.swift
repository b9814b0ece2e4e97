/// A block of CSV with the positions of its records and fields: one buffer, reused for every block.
///
/// `bytes` begins with the block as it is in the file. Fields are slices of it; only a field with
/// doubled quotes is stored a second time, unescaped, after the block.
public struct RecordBatch: ~Copyable, Sendable {
  /// The block, followed by the unescaped fields and free space.
  public var bytes: [UInt8]

  /// The records, in the order of the file, without blank lines.
  public internal(set) var records: [Record] = []

  /// The fields of all records; each record has the index of its first one.
  public internal(set) var fields: [Field]

  /// The maximum number of bytes of a block, without the unescaped fields after it.
  private var capacity: Int
  /// The initial capacity, restored after a record that needed more.
  private let usualCapacity: Int
  var filled = 0
  /// The bytes of complete records and blank lines in the block.
  var parsed = 0
  var fieldCount = 0
  var unescaped: [UInt8] = []
  let recordCapacity: Int

  /// Creates an empty batch for at most `records` records, with `fields` fields together.
  ///
  /// `capacity` is the bytes of a block, at most 1 GiB; a longer record enlarges the batch.
  public init(capacity: Int, records: Int, fields: Int) {
    precondition((1...1 << 30).contains(capacity) && records > 0 && fields > 0)
    bytes = [UInt8](repeating: 0, count: capacity)
    self.capacity = capacity
    usualCapacity = capacity
    self.fields = [Field](repeating: Field(start: 0, end: 0), count: fields)
    self.records.reserveCapacity(records)
    recordCapacity = records
  }

  /// The position of a record's field in `bytes`, without its quotes.
  public struct Field: Sendable, Equatable {
    /// The offset of its first byte.
    public var start: UInt32
    /// The offset after its last byte.
    public var end: UInt32

    /// Creates a slice.
    public init(start: UInt32, end: UInt32) {
      self.start = start
      self.end = end
    }
  }

  /// The block's bytes after the last complete record.
  public var unparsed: Range<Int> { parsed..<filled }

  /// Removes the records and moves the unparsed bytes of the block to the front of `target`.
  ///
  /// Then the two buffers are swapped: the caller gets the old block in `target`, and the batch
  /// continues with the other buffer, resized as needed. Copies less than one record, unless the
  /// batch is full of records.
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

  /// Removes the records and moves the unparsed bytes to the front.
  public mutating func discardParsed() {
    let rest = unparsed
    unsafe bytes.withUnsafeMutableBytes { bytes in
      // The ranges may overlap, and be most of a block if the batch is full of records.
      unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<rest.count])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[rest]))
    }
    restart(keeping: rest.count)
  }

  /// Removes everything, to read another file.
  public mutating func discardAll() { restart(keeping: 0) }

  /// Removes some of the records, as if the file did not contain them; their bytes stay in the block.
  package mutating func removeRecords(where isRemoved: (Record) -> Bool) {
    records.removeAll(where: isRemoved)
  }

  /// One long record must not enlarge all later blocks.
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

  /// Copies the unescaped fields to the positions of their slices, after the block.
  mutating func appendUnescaped() {
    guard !unescaped.isEmpty else { return }
    grow(to: filled + unescaped.count)
    bytes.replaceSubrange(filled..<filled + unescaped.count, with: unescaped)
  }

  /// The end of the block and the unescaped fields.
  package var end: Int { filled + unescaped.count }

  /// Appends texts after the unescaped fields, at `end`, until the records are removed.
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

  /// Calls `read` to fill the space after the block; a full batch doubles in size.
  ///
  /// `read` fills the start of the span and returns the number of bytes, fewer than its size at the
  /// end of the input; after its error, the batch is unchanged. Returns whether the input has ended.
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

/// The position of one record in a batch and in the file, and its faults.
public struct Record: Sendable {
  /// Its bytes in the batch, including the line end; only the last ones if it is too long.
  public let bytes: Range<Int>
  /// The index of its first field among the batch's fields.
  public let firstField: Int
  /// The number of its fields, including those beyond the parser's limit; unreliable after a fault.
  public let fieldCount: Int
  /// Its number in the file; the header is 0, and blank lines do not count.
  public let number: Int
  /// The line of its first byte, from 1.
  public let line: Int
  /// The number of line feeds inside it, without its own line end.
  public let innerLineFeeds: Int
  /// The offset of its first byte in the decompressed file.
  public let offset: Int
  /// Its size in bytes, including the line end.
  public let length: Int
  /// Its faults; use the fields only if there are none.
  public let faults: Faults
  /// The fault that comes first in the record; empty if there is none.
  public let firstFault: Faults
  /// The offset in the decompressed file of the first fault, or of a record without faults.
  public let faultOffset: Int
  /// The index, within the record, of the field with the first fault.
  public let faultField: Int
  /// Whether the record certainly ends at its end, regardless of the meaning of its quotes.
  public let extentIsCertain: Bool

  /// Violations of RFC 4180 and UTF-8; a record can have several.
  public struct Faults: OptionSet, Sendable {
    /// One bit for each kind.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A quote inside a field that does not begin with one.
    public static let strayQuote = Faults(rawValue: 1 << 0)
    /// Something other than a comma or a line end after a closing quote.
    public static let textAfterQuote = Faults(rawValue: 1 << 1)
    /// A carriage return outside quotes without a line feed after it.
    public static let bareCarriageReturn = Faults(rawValue: 1 << 2)
    /// A NUL byte.
    public static let nulByte = Faults(rawValue: 1 << 3)
    /// Bytes that are not UTF-8 (RFC 3629).
    public static let invalidUTF8 = Faults(rawValue: 1 << 4)
    /// More bytes than the parser's limit; of its other faults, only an open quote is reported.
    public static let tooLong = Faults(rawValue: 1 << 5)
    /// The input ended inside quotes.
    public static let unterminatedQuote = Faults(rawValue: 1 << 6)
    /// An escape before a letter, which is a control character in some dialects, such as `\t`.
    public static let ambiguousEscape = Faults(rawValue: 1 << 7)
  }
}
