import CZlib
package import Files

/// A gzip file (RFC 1952), decompressed in order, member after member.
///
/// zlib verifies the CRC-32 and the length at the end of each member. Only zero bytes may follow
/// the last member, as padding of tapes and block devices; anything else is an error. Memory is
/// constant: one input buffer and zlib's window of 32 KiB.
@safe public struct GzipReader: ~Copyable {
  private enum Position {
    case memberStart, insideMember, padding, end
  }

  private var input: CompressedInput
  private var position = Position.memberStart

  /// The number of members read to their verified end.
  public private(set) var members = 0
  /// The CRC-32 of all bytes of those members, as if they were one.
  public private(set) var crc32 = CRC32()
  /// The first member's header; complete after the first bytes of the member have been read.
  public var header: GzipHeader { fields.values }

  private let fields = GzipHeaderFields()

  /// Reads `file` from its current position, through a buffer of `inputCapacity` compressed bytes.
  package init(_ file: consuming FileReader, inputCapacity: Int = 64 << 10) throws(GzipError) {
    // 16 more than the window's bits for gzip only; 32 would also accept zlib's own format.
    input = try CompressedInput(
      file, windowBits: MAX_WBITS + 16, header: fields, capacity: inputCapacity)
  }

  /// Decompresses into the start of `output` until it is full or the data ends.
  ///
  /// - Returns: The number of bytes; less than `output.count` only if every member is verified and
  ///   the file has ended.
  /// - Throws: `GzipError`; do not trust bytes of earlier calls then.
  public mutating func read(into output: inout MutableSpan<UInt8>) throws(GzipError) -> Int {
    var produced = 0
    while produced < output.count, position != .end {
      switch position {
      case .memberStart: try startMember()
      case .insideMember:
        let free = produced..<output.count
        var rest = output._mutatingExtracting(free)
        produced += try inflateMember(into: &rest)
      case .padding: try skipPadding()
      case .end: break
      }
    }
    return produced
  }

  /// The number of compressed bytes consumed so far.
  package var storedOffset: Int { input.offset }

  package var fileIdentity: FileIdentity? { input.file.identity }

  /// The size of the compressed file in bytes.
  public var fileSize: Int { input.file.size }

  private mutating func startMember() throws(GzipError) {
    try input.fill(atLeast: 2)
    switch (input.byte(after: 0), input.byte(after: 1)) {
    case (nil, _):
      guard members > 0 else { throw .truncated(offset: input.offset) }
      position = .end
    case (0x1f, nil):
      throw .truncated(offset: input.offset + 1)
    case (0x1f, 0x8b):
      // The fields of the first member's header are needed, and a reset forgets their location.
      if members > 0 { try input.reset() }
      position = .insideMember
    case (0, _) where members > 0:
      position = .padding
    default:
      throw members == 0 ? .notGzip : .trailingData(offset: input.offset)
    }
  }

  private mutating func inflateMember(
    into output: inout MutableSpan<UInt8>
  ) throws(GzipError) -> Int {
    let (count, isEnd) = try input.inflate(into: &output)
    if isEnd {
      members += 1
      // For gzip this is the member's CRC-32, which was verified at its end.
      let sum = input.sum
      crc32.append(sum.crc32, ofBytes: sum.bytes)
      position = .memberStart
    }
    return count
  }

  private mutating func skipPadding() throws(GzipError) {
    try input.fill(atLeast: 1)
    while let byte = input.byte(after: 0) {
      guard byte == 0 else { throw .trailingData(offset: input.offset) }
      input.skipByte()
    }
    if input.isAtEnd { position = .end }
  }
}
