import CZlib
package import Platform

/// A gzip file (RFC 1952), decompressed in order, member after member.
///
/// zlib verifies the CRC-32 and the length at the end of each member. Only zero bytes may follow the last member, as
/// padding of tapes and block devices. Memory is constant: one input buffer and zlib's window of 32 KiB.
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
  /// - Returns: The number of bytes; less than `output.count` only if every member is verified and the file has ended.
  /// - Throws: `GzipError`; do not trust bytes of earlier calls then.
  public mutating func read(into output: inout MutableSpan<UInt8>) throws(GzipError) -> Int {
    var produced = 0
    while produced < output.count, position != .end {
      switch position {
      case .memberStart: try startMember()
      case .insideMember:
        var rest = output._mutatingExtracting(produced..<output.count)
        produced += try inflateMember(into: &rest)
      case .padding:
        try input.fill(atLeast: 1)
        while let byte = input.byte(after: 0) {
          guard byte == 0 else { throw .trailingData(offset: input.offset) }
          input.skipByte()
        }
        if input.isAtEnd { position = .end }
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
}

/// The untrusted fields of a gzip member's header (RFC 1952, section 2.3): never use the name as a path.
public struct GzipHeader: Equatable, Sendable {
  /// The modification time of the data, in seconds since 1970 in UTC; nil if unknown.
  public let timeStamp: UInt32?
  /// The bytes of the file's name, at most 255; nil if it has none.
  public let name: [UInt8]?
}

/// The memory that zlib writes a header's fields into during decompression.
@safe final class GzipHeaderFields {
  private static let nameCapacity = 256
  let header = UnsafeMutablePointer<gz_header>.allocate(capacity: 1)
  private let name = UnsafeMutablePointer<UInt8>.allocate(capacity: nameCapacity)

  init() {
    unsafe name.initialize(repeating: 0, count: Self.nameCapacity)
    unsafe header.initialize(to: gz_header())
    unsafe header.pointee.name = name
    unsafe header.pointee.name_max = UInt32(Self.nameCapacity - 1)
  }

  deinit {
    unsafe header.deallocate()
    unsafe name.deallocate()
  }

  /// The fields read so far.
  var values: GzipHeader {
    guard unsafe header.pointee.done == 1 else { return GzipHeader(timeStamp: nil, name: nil) }
    let seconds = UInt32(truncatingIfNeeded: unsafe header.pointee.time)
    // zlib sets its pointer to nil if the header has no name.
    let hasName = unsafe header.pointee.name != nil
    let bytes = unsafe UnsafeBufferPointer(start: name, count: Self.nameCapacity)
    return GzipHeader(
      timeStamp: seconds == 0 ? nil : seconds,
      name: hasName ? unsafe Array(bytes.prefix { $0 != 0 }) : nil)
  }
}

/// The reason why a compressed file could not be read to its end; offsets are bytes of that file, from 0.
public enum GzipError: Error, Equatable, Sendable {
  /// The file does not begin with the two magic bytes of RFC 1952, section 2.3.1.
  case notGzip
  /// The file ends inside a member, or contains none.
  case truncated(offset: Int)
  /// Invalid deflate data, checksum or length; `reason` is zlib's message, such as `incorrect data check`.
  case corrupt(offset: Int, reason: String)
  /// Bytes other than zero padding follow the last member.
  case trailingData(offset: Int)
  /// The operating system could not read the file, or memory ran out; `code` is `errno`.
  case readFailed(code: Int32)
}
