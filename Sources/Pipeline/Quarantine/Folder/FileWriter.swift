import Facts
import Files
import Glibc
import Compression

/// A new file, written once from start to end through a buffer.
struct FileWriter: ~Copyable {
  private static let bufferBytes = 64 << 10

  let path: String
  /// The bytes accepted by the operating system.
  private(set) var bytes = 0
  private(set) var crc32 = CRC32()
  private let descriptor: Int32
  private var buffer = TextBuffer(capacity: bufferBytes)

  init(creating path: String) throws(IngestError) {
    let descriptor = openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw Self.failure(path, "created") }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Writes bytes, possibly later.
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

  private static func failure(_ path: String, _ step: String) -> IngestError {
    .rejectsFailed(
      path, step, errno, " Rejected records must be kept, so nothing was published.")
  }
}
