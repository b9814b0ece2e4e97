import CZlib
package import Files
import Glibc

/// A gzip file (RFC 1952), decompressed in order, member after member.
///
/// zlib verifies the CRC-32 and the length at the end of each member. What follows the last member
/// may only be zero bytes, the padding of tapes and block devices; anything else is an error.
/// Memory is constant: one input buffer and zlib's window of 32 KiB.
@safe public struct GzipReader: ~Copyable {
  private enum Position {
    case memberStart, insideMember, padding, end
  }

  private var file: FileReader
  // zlib keeps a pointer back to the stream, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var input: [UInt8]
  private var consumed = 0
  private var available = 0
  /// Offset in the file of `input[0]`.
  private var inputOffset = 0
  private var fileIsAtEnd = false
  private var position = Position.memberStart

  /// The number of members that were read to their verified end.
  public private(set) var members = 0
  /// The CRC-32 of all bytes of those members together, as if they were one.
  public private(set) var crc32 = CRC32()
  /// What the first member's header says; complete once bytes of the member were read.
  public var header: GzipHeader { fields.values }

  private let fields = GzipHeaderFields()

  /// Reads `file` from where it is, through a buffer of `inputCapacity` compressed bytes.
  ///
  /// - Throws: `GzipError.readFailed` when zlib has no memory.
  package init(_ file: consuming FileReader, inputCapacity: Int = 64 << 10) throws(GzipError) {
    precondition(inputCapacity >= 2, "the two magic bytes must fit")
    self.file = file
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    input = [UInt8](repeating: 0, count: inputCapacity)
    // 16 more than the window's bits: gzip only, where 32 would let zlib's own format pass.
    let code = unsafe inflateInit2_(
      stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK, unsafe inflateGetHeader(stream, fields.header) == Z_OK else {
      throw .readFailed(code: ENOMEM)
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Decompresses into the start of `output` until it is full or the data ends.
  ///
  /// - Returns: The number of bytes; less than `output.count` only once every member is verified
  ///   and the file is at its end.
  /// - Throws: `GzipError`; bytes of earlier calls must then not be trusted.
  public mutating func read(into output: inout MutableSpan<UInt8>) throws(GzipError) -> Int {
    var produced = 0
    while produced < output.count, position != .end {
      switch position {
      case .memberStart: try startMember()
      case .insideMember:
        let free = produced..<output.count
        var rest = output._mutatingExtracting(free)
        produced += try inflateSome(into: &rest)
      case .padding: try skipPadding()
      case .end: break
      }
    }
    return produced
  }

  /// The identity of the compressed file at this moment.
  package var fileIdentity: FileIdentity? { file.identity }

  /// The size of the compressed file in bytes.
  public var fileSize: Int { file.size }

  private var offset: Int { inputOffset + consumed }

  private mutating func startMember() throws(GzipError) {
    try fill(atLeast: 2)
    let first = consumed < available ? input[consumed] : nil
    let second = consumed + 1 < available ? input[consumed + 1] : nil
    switch (first, second) {
    case (nil, _):
      guard members > 0 else { throw .truncated(offset: offset) }
      position = .end
    case (0x1f, nil):
      throw .truncated(offset: offset + 1)
    case (0x1f, 0x8b):
      // A reset forgets where the header's fields go; those of the first member are wanted.
      guard unsafe members == 0 || inflateReset(stream) == Z_OK else {
        throw .corrupt(offset: offset, reason: "the decoder cannot be reset")
      }
      position = .insideMember
    case (0, _) where members > 0:
      position = .padding
    default:
      throw members == 0 ? .notGzip : .trailingData(offset: offset)
    }
  }

  private mutating func inflateSome(
    into output: inout MutableSpan<UInt8>
  ) throws(GzipError) -> Int {
    try fill(atLeast: 1)
    let (stream, start, end) = unsafe (stream, consumed, available)
    let (code, produced) = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBytes { output in
        let room = UInt32(clamping: output.count)
        unsafe stream.pointee.next_in = input.baseAddress.map { unsafe $0 + start }
        unsafe stream.pointee.avail_in = UInt32(end - start)
        unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = room
        let code = unsafe inflate(stream, Z_NO_FLUSH)
        return unsafe (code, Int(room - stream.pointee.avail_out))
      }
    }
    consumed = end - Int(unsafe stream.pointee.avail_in)
    switch code {
    case Z_OK: break
    case Z_STREAM_END:
      members += 1
      // For gzip this is the member's CRC-32, which was compared with the one at its end.
      unsafe crc32.append(
        UInt32(truncatingIfNeeded: stream.pointee.adler), ofBytes: Int(stream.pointee.total_out))
      position = .memberStart
    case Z_BUF_ERROR where fileIsAtEnd && consumed == available:
      throw .truncated(offset: offset)
    case Z_MEM_ERROR: throw .readFailed(code: ENOMEM)
    default:
      let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
      throw .corrupt(offset: offset, reason: reason ?? "inflate reported \(code)")
    }
    return produced
  }

  private mutating func skipPadding() throws(GzipError) {
    try fill(atLeast: 1)
    while consumed < available {
      guard input[consumed] == 0 else { throw .trailingData(offset: offset) }
      consumed += 1
    }
    if fileIsAtEnd { position = .end }
  }

  /// Reads on, unless `count` bytes are there already or the file is at its end.
  private mutating func fill(atLeast count: Int) throws(GzipError) {
    guard available - consumed < count, !fileIsAtEnd else { return }
    for index in consumed..<available { input[index - consumed] = input[index] }
    inputOffset += consumed
    available -= consumed
    consumed = 0
    let free = available..<input.count
    var buffer = exchange(&input, with: [])
    defer { input = buffer }
    var bytes = buffer.mutableSpan
    var room = bytes._mutatingExtracting(free)
    do {
      let read = try file.read(into: &room)
      fileIsAtEnd = read < free.count
      available += read
    } catch {
      throw .readFailed(code: error.code)
    }
  }
}
