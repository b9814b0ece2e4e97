/// Writes records of CSV, field by field, into memory or into a file.
///
/// Fields are appended to one buffer, which goes to the file chunk by chunk.
struct RowWriter: ~Copyable {
  let era: Era
  /// The written bytes; with a file, those that are still buffered.
  private(set) var bytes: [UInt8] = []

  private static let chunkSize = 64 << 10
  private let lineEnd: [UInt8]
  private let quotesEveryField: Bool
  private var fieldStart = 0
  private let hasFile: Bool
  private var file: DumpFile?

  /// Makes a writer for the file, or for memory without one.
  init(era: Era, quotesEveryField: Bool = false, file: consuming DumpFile?) {
    self.era = era
    self.quotesEveryField = quotesEveryField
    lineEnd = Array(era.lineEnd.utf8)
    hasFile = file != nil
    self.file = file
    bytes.reserveCapacity(Self.chunkSize + 1024)
  }

  /// Adds a field; quotes it if RFC 4180 requires it, like the real files.
  mutating func add(_ text: String) {
    if text.utf8.contains(where: { $0 == Byte.comma || $0 == Byte.quote }) {
      bytes.append(Byte.quote)
      for byte in text.utf8 {
        if byte == Byte.quote { bytes.append(Byte.quote) }
        bytes.append(byte)
      }
      bytes.append(Byte.quote)
    } else {
      bytes += text.utf8
    }
    endField()
  }

  /// Adds a field that needs no quotes.
  mutating func add(plain text: ArraySlice<UInt8>) {
    bytes += text
    endField()
  }

  mutating func add(_ number: Int) {
    append(number)
    endField()
  }

  mutating func add(_ flag: Bool) {
    bytes += era.spelling(of: flag).utf8
    endField()
  }

  /// Adds a field without a value.
  mutating func addNothing() { endField() }

  /// Appends to the field at hand, which `endField` ends.
  mutating func append(_ text: [UInt8]) { bytes += text }

  /// Appends to the field at hand, which `endField` ends.
  mutating func append(_ text: ArraySlice<UInt8>) { bytes += text }

  /// Appends to the field at hand, which `endField` ends.
  mutating func append(_ number: Int) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    var low = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    var high = bytes.count - 1
    while low < high {
      bytes.swapAt(low, high)
      low += 1
      high -= 1
    }
  }

  mutating func endField() {
    if quotesEveryField, fieldStart == bytes.count || bytes[fieldStart] != Byte.quote {
      bytes.insert(Byte.quote, at: fieldStart)
      bytes.append(Byte.quote)
    }
    bytes.append(Byte.comma)
    fieldStart = bytes.count
  }

  /// Ends the record.
  mutating func endRow() throws(DumpError) {
    bytes.removeLast()
    bytes += lineEnd
    fieldStart = bytes.count
    guard hasFile, bytes.count >= Self.chunkSize, var file = file.take() else { return }
    try file.write(bytes.span)
    self.file = consume file
    bytes.removeAll(keepingCapacity: true)
    fieldStart = 0
  }

  /// Completes the file; without a file, `bytes` is already complete.
  mutating func finish() throws(DumpError) {
    guard var file = file.take() else { return }
    try file.write(bytes.span)
    try file.finish()
  }

  private enum Byte {
    static let comma = UInt8(ascii: ",")
    static let quote = UInt8(ascii: "\"")
  }
}
