import Vocabulary
import Platform
import Glibc
import Compression
import SourceFiles
import Text

/// A new file, written once from start to end through a buffer.
struct FileWriter: ~Copyable {
  private static let bufferBytes = 64 << 10

  let path: String
  /// The bytes accepted by the operating system.
  private(set) var bytes = 0
  /// The bytes outside records: the header, byte order marks and line ends.
  private(set) var addedBytes = 0
  private(set) var crc32 = CRC32()
  private let descriptor: Int32
  private var buffer = TextBuffer(capacity: bufferBytes)

  init(creating path: String) throws(IngestError) {
    descriptor = try mapError(
      openFile(path, O_WRONLY | O_CREAT | O_EXCL, 0o666),
      as: { Self.failure(path, "created", $0) })
    self.path = path
  }

  deinit { close(descriptor) }

  mutating func append(_ bytes: Span<UInt8>) throws(IngestError) {
    crc32.append(bytes)
    if buffer.count + bytes.count > Self.bufferBytes { try flush() }
    if bytes.count < Self.bufferBytes {
      buffer.append(bytes)
    } else {
      let count = descriptor.writeAll(bytes)
      self.bytes += count
      guard count == bytes.count else { throw Self.failure(path, "written") }
    }
  }

  mutating func flush() throws(IngestError) {
    let count = descriptor.writeAll(buffer.bytes)
    bytes += count
    guard count == buffer.count else { throw Self.failure(path, "written") }
    buffer.removeAll()
  }

  mutating func sync() throws(IngestError) {
    try flush()
    guard syncToDisk(descriptor) else { throw Self.failure(path, "synced to the disk") }
  }

  private static func failure(
    _ path: String, _ step: String, _ error: FileError = .last
  ) -> IngestError {
    .rejectsFailed(path, step, error, " Rejected records must be kept, so nothing was published.")
  }
}

// Records of a source file are written byte for byte; what makes them readable counts as added.
extension FileWriter {
  /// Writes a header without its byte order mark, so that a reader gets the same names.
  mutating func append(header: [UInt8], _ layout: SourceLayout) throws(IngestError) {
    try append(markBefore: header.span)
    try append(header.span)
    addedBytes += header.count
    try endLine(after: header.span, layout)
  }

  /// Writes a byte order mark before bytes that look like one, so that a reader skips it and not them.
  mutating func append(markBefore bytes: Span<UInt8>) throws(IngestError) {
    let mark = byteOrderMark
    guard bytes.count >= mark.count, mark.indices.allSatisfy({ bytes[$0] == mark[$0] }) else {
      return
    }
    try append(mark.span)
    addedBytes += mark.count
  }

  mutating func endLine(
    after record: Span<UInt8>, _ layout: SourceLayout
  ) throws(IngestError) {
    let end = layout.lineEnd(after: record)
    try append(end.span)
    addedBytes += end.count
  }

  /// Reads a source file again, and appends ascending ranges of its decompressed bytes, with a line end after each.
  ///
  /// Reading stops at the end of the last range, so that later damage does not matter. Throws if the file has changed
  /// since `identity`.
  mutating func append(
    _ ranges: some Sequence<Range<Int>>, of file: SourceFolder.File, _ identity: FileIdentity?
  ) throws(IngestError) {
    var reader = try SourceReader(file)
    try reader.check(identity)
    var block = [UInt8](repeating: 0, count: 64 << 10)
    var offset = 0
    for range in ranges {
      while offset < range.upperBound {
        let isInside = offset >= range.lowerBound
        let wanted = min(block.count, (isInside ? range.upperBound : range.lowerBound) - offset)
        let count = try reader.read(wanted, into: &block)
        guard count == wanted else { throw .sourceChanged(file.path) }
        offset += count
        guard isInside else { continue }
        try append(block.span.extracting(0..<count))
        guard offset == range.upperBound else { continue }
        try endLine(after: block.span.extracting(0..<count), file.layout)
      }
    }
    try reader.check(identity)
  }
}
