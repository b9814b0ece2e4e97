import CZlib
package import Platform
import Text

/// The data of a ZIP entry, stored or deflated, decompressed in order.
///
/// The size and the CRC-32 of the directory are verified at the end, without the data descriptor
/// that repeats them (APPNOTE.TXT 6.3.10, section 4.3.9). Memory is constant, as in `GzipReader`.
package struct ZipEntryReader: ~Copyable {
  package let entry: ZipEntry
  /// The CRC-32 of the bytes returned so far.
  package private(set) var crc32 = CRC32()
  private var input: CompressedInput
  /// The offset in the file of the end of the data.
  private let end: Int
  private var bytes = 0
  private var isAtEnd = false

  /// Reads an entry of the archive `file`, through a buffer of `inputCapacity` bytes.
  package init(
    _ file: consuming FileReader, _ entry: ZipEntry, inputCapacity: Int = 64 << 10
  ) throws(ZipError) {
    let place = try entry.place(in: file)
    input = try Self.input(file, place, capacity: inputCapacity)
    self.entry = entry
    end = place.upperBound
  }

  private static func input(
    _ file: consuming FileReader, _ place: Range<Int>, capacity: Int
  ) throws(ZipError) -> CompressedInput {
    try mapError(
      file.seek(to: place.lowerBound),
      as: { (error: FileError) in ZipError.readFailed(code: error.code) })
    do throws(GzipError) {
      // A negative window size means raw deflate data.
      return try CompressedInput(file, windowBits: -MAX_WBITS, place: place, capacity: capacity)
    } catch {
      throw ZipError(error, end: place.upperBound)
    }
  }

  package var fileIdentity: FileIdentity? { input.file.identity }

  /// The number of stored bytes consumed so far.
  package var storedOffset: Int { input.offset - (end - entry.compressedSize) }

  /// Decompresses into the start of `output`, fewer bytes than fit only after all are verified;
  /// after an error, do not trust bytes of earlier calls.
  package mutating func read(into output: inout MutableSpan<UInt8>) throws(ZipError) -> Int {
    var filled = 0
    while filled < output.count, !isAtEnd {
      let free = filled..<output.count
      var room = output._mutatingExtracting(free)
      let count: Int
      (count, isAtEnd) = try mapError(
        entry.isStored ? input.copy(into: &room) : input.inflate(into: &room),
        as: { ZipError($0, end: end) })
      crc32.append(room.span.extracting(0..<count))
      filled += count
      bytes += count
      if isAtEnd || bytes > entry.size { try verify() }
    }
    return filled
  }

  private func verify() throws(ZipError) {
    let faults = [
      (bytes > entry.size, "an entry has more bytes than its size"),
      (bytes < entry.size, "an entry has fewer bytes than its size"),
      (!input.isAtEnd, "the compressed data of an entry end too early"),
      (crc32.value != entry.crc32, "incorrect data check"),
    ]
    if let (_, reason) = faults.first(where: \.0) {
      throw .corrupt(offset: input.offset, reason: reason)
    }
  }
}
