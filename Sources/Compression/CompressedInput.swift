import CZlib
import Glibc
package import Platform
import Text

/// The compressed bytes of a file, read in order through a buffer, with zlib's decoder.
@safe struct CompressedInput: ~Copyable {
  private(set) var file: FileReader
  // zlib stores a pointer back to the stream, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var buffer: [UInt8]
  private var consumed = 0
  private var available = 0
  /// The offset in the file of `buffer[0]`.
  private var bufferOffset: Int
  /// The maximum offset in the file of the end of the compressed bytes.
  private let end: Int
  private var isRead = false

  /// Reads `file` from its current position, which is the start of `place`.
  ///
  /// `windowBits` are those of `inflateInit2`. zlib writes into the memory of `fields`, which the caller owns.
  init(
    _ file: consuming FileReader, windowBits: Int32, header fields: GzipHeaderFields? = nil,
    place: Range<Int> = 0..<Int.max, capacity: Int
  ) throws(GzipError) {
    precondition(capacity >= 2, "the two magic bytes do not fit")
    self.file = file
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    buffer = [UInt8](repeating: 0, count: capacity)
    bufferOffset = place.lowerBound
    end = place.upperBound
    let code = unsafe inflateInit2_(
      stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { throw .readFailed(code: ENOMEM) }
    if let fields, unsafe inflateGetHeader(stream, fields.header) != Z_OK {
      throw .readFailed(code: ENOMEM)
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// The offset in the file of the next byte.
  var offset: Int { bufferOffset + consumed }

  /// Whether all bytes are consumed; known only after a `fill`.
  var isAtEnd: Bool { isRead && consumed == available }

  /// The byte after `count` others; nil if it is not in the buffer, or does not exist.
  func byte(after count: Int) -> UInt8? {
    consumed + count < available ? buffer[consumed + count] : nil
  }

  mutating func skipByte() { consumed += 1 }

  /// Prepares the decoder for another member; it forgets the location of the header's fields.
  func reset() throws(GzipError) {
    guard unsafe inflateReset(stream) == Z_OK else {
      throw .corrupt(offset: offset, reason: "the decoder cannot be reset")
    }
  }

  /// The checksum computed by the decoder, and the number of bytes that it has produced.
  var sum: (crc32: UInt32, bytes: Int) {
    unsafe (UInt32(truncatingIfNeeded: stream.pointee.adler), Int(stream.pointee.total_out))
  }

  /// The count can be 0 although more bytes follow.
  mutating func inflate(
    into output: inout MutableSpan<UInt8>
  ) throws(GzipError) -> (count: Int, isEnd: Bool) {
    try fill(atLeast: 1)
    let (stream, start, end) = unsafe (stream, consumed, available)
    let (code, count) = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
      unsafe output.withUnsafeMutableBytes { output in
        let room = UInt32(clamping: output.count)
        unsafe stream.pointee.next_in = buffer.baseAddress.map { unsafe $0 + start }
        unsafe stream.pointee.avail_in = UInt32(end - start)
        unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = room
        let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        return unsafe (code, Int(room - stream.pointee.avail_out))
      }
    }
    consumed = end - Int(unsafe stream.pointee.avail_in)
    switch code {
    case Z_OK: return (count, false)
    case Z_STREAM_END: return (count, true)
    case Z_BUF_ERROR where isAtEnd: throw .truncated(offset: offset)
    case Z_MEM_ERROR: throw .readFailed(code: ENOMEM)
    default:
      let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
      throw .corrupt(offset: offset, reason: reason ?? "inflate reported \(code)")
    }
  }

  /// Does as `inflate` for bytes that are not compressed.
  mutating func copy(
    into output: inout MutableSpan<UInt8>
  ) throws(GzipError) -> (count: Int, isEnd: Bool) {
    try fill(atLeast: 1)
    let count = min(output.count, available - consumed)
    for index in 0..<count { output[index] = buffer[consumed + index] }
    consumed += count
    return (count, isAtEnd)
  }

  /// Fills the buffer, unless it has `count` bytes or no more are left.
  mutating func fill(atLeast count: Int) throws(GzipError) {
    guard available - consumed < count, !isRead else { return }
    for index in consumed..<available { buffer[index - consumed] = buffer[index] }
    bufferOffset += consumed
    available -= consumed
    consumed = 0
    let free = available..<min(buffer.count, end - bufferOffset)
    var bytes = exchange(&buffer, with: [])
    defer { buffer = bytes }
    var span = bytes.mutableSpan
    var room = span._mutatingExtracting(free)
    let count = try mapError(
      file.read(into: &room),
      as: { (error: FileError) in GzipError.readFailed(code: error.code) })
    available += count
    isRead = count < free.count || bufferOffset + available == end
  }
}

/// The checksum of gzip (RFC 1952, section 8), computed in steps.
public struct CRC32: Equatable, Sendable {
  /// The checksum of all bytes so far; 0 for none.
  public private(set) var value: UInt32 = 0

  /// Creates the checksum of no bytes.
  public init() {}

  /// Computes the checksum of a file.
  package init(of file: borrowing FileReader) throws(FileError) {
    for offset in stride(from: 0, to: file.size, by: 256 << 10) {
      let bytes = try file.bytes(256 << 10, at: offset)
      append(bytes.span)
    }
  }

  /// Adds `bytes`, in time linear in their number.
  public mutating func append(_ bytes: Span<UInt8>) {
    value = unsafe bytes.withUnsafeBytes { bytes in
      UInt32(
        truncatingIfNeeded: unsafe crc32_z(
          UInt(value), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
          bytes.count))
    }
  }

  /// Adds bytes whose checksum and number are known.
  mutating func append(_ checksum: UInt32, ofBytes count: Int) {
    value = UInt32(truncatingIfNeeded: crc32_combine(UInt(value), UInt(checksum), count))
  }
}
