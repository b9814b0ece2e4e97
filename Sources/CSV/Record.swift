/// Where one record is in a batch and in the file, and what is wrong with it.
public struct Record: Sendable {
  /// Its bytes in the batch, the line end included; of one that is too long, only the last of them.
  public let bytes: Range<Int>
  /// Index of its first field among the batch's fields.
  public let firstField: Int
  /// How many fields it has; those beyond the parser's limit are counted, but not kept.
  ///
  /// Of a record with a fault it says little: the walk may have ended early.
  public let fieldCount: Int
  /// Its number in the file; the header is 0, blank lines do not count.
  public let number: Int
  /// The line, from 1, on which it begins.
  public let line: Int
  /// The line feeds inside it, its own line end not among them.
  public let innerLineFeeds: Int
  /// Offset of its first byte in the decompressed file.
  public let offset: Int
  /// Its size in bytes, the line end included.
  public let length: Int
  /// What is wrong with it; the fields may be used only if nothing is.
  public let faults: Faults
  /// The one of them that comes first in the record; empty if there is none.
  public let firstFault: Faults
  /// Offset in the decompressed file of the first fault, or of the record when there is none.
  public let faultOffset: Int
  /// Index, within the record, of the field with the first fault.
  public let faultField: Int
  /// Whether the record certainly ends where it seems to, whatever its quotes were meant to be.
  public let extentIsCertain: Bool

  /// Departures from RFC 4180 and from UTF-8, several of which one record can have.
  public struct Faults: OptionSet, Sendable {
    /// One bit for each kind.
    public let rawValue: UInt8

    /// Makes the set of some bits.
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
    /// More bytes than the parser's limit; of other faults, only an open quote is then reported.
    public static let tooLong = Faults(rawValue: 1 << 5)
    /// The input ended inside quotes.
    public static let unterminatedQuote = Faults(rawValue: 1 << 6)
  }
}
