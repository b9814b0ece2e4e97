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
  }
}
