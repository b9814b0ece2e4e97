import Platform
import Glibc

/// The file of the sorted runs until they are merged, without a name, so that nothing remains of it
/// even after a crash; the first runs may be kept in a file system in memory.
package struct SpillFile: ~Copyable, Sendable {
  struct Place: Sendable {
    let file: Int
    let offset: Int
  }

  private static let bufferBytes = 64 << 10

  private let memory: (folder: String, bytes: Int)?
  private let disk: String
  private var descriptors: [Int32] = []
  /// The number of bytes written to the last file.
  private var written = 0
  private var buffer = ByteBuffer(count: bufferBytes)
  private var buffered = 0

  /// Prepares files that are created when needed, in `memory` up to its number of bytes.
  package init(memory: (folder: String, bytes: Int)?, disk: String) {
    self.memory = memory
    self.disk = disk
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  mutating func begin() throws(FileError) -> Place {
    let isFull = memory.map { descriptors.count == 1 && written + buffered >= $0.bytes } ?? false
    if descriptors.isEmpty || isFull {
      try finish()
      descriptors.append(try unnamedFile(in: descriptors.isEmpty ? memory?.folder ?? disk : disk))
      written = 0
    }
    return Place(file: descriptors.count - 1, offset: written + buffered)
  }

  func bytes(since place: Place) -> Int { written + buffered - place.offset }

  @inline(__always)
  mutating func append(key: Range<Int>, of bytes: borrowing ByteBuffer) throws(FileError) {
    if buffered + key.count + 8 > buffer.count {
      try finish()
      buffer.grow(to: key.count + 8)
    }
    let place = RecordFormat.put(varint: key.count, in: &buffer, at: buffered)
    buffer.copy(key, of: bytes, to: place)
    buffered = place + key.count
  }

  /// Writes the buffered bytes.
  mutating func finish() throws(FileError) {
    guard buffered > 0, let descriptor = descriptors.last else { return }
    let count = descriptor.writeAll(buffer.span(0..<buffered))
    guard count == buffered else { throw FileError(code: errno) }
    written += buffered
    buffered = 0
  }

  /// Reads `range` of the bytes of the run at `place` into `bytes` at `target`; EIO if the file has become shorter.
  func read(
    _ range: Range<Int>, of place: Place, into bytes: inout ByteBuffer, at target: Int
  ) throws(FileError) {
    let count = try bytes.read(
      target..<target + range.count, from: descriptors[place.file],
      at: place.offset + range.lowerBound)
    guard count == range.count else { throw FileError(code: EIO) }
  }
}
