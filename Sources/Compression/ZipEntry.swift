import CZlib
import Glibc
package import Platform
import Text

/// The central directory's record of one file or folder in a ZIP archive (APPNOTE.TXT 6.3.10,
/// section 4.3.12, <https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT>).
///
/// It is untrusted: never use the name as a path.
package struct ZipEntry: Equatable, Sendable {
  /// The name, with a slash between folders and after the name of a folder.
  package let name: [UInt8]
  /// The CRC-32 of the decompressed bytes.
  package let crc32: UInt32
  /// The size of the stored data in bytes, and of the decompressed data.
  package let compressedSize: Int
  package let size: Int
  /// The modification time of the file by the clock of the archive's creator, whose time zone is
  /// unknown: seconds since 1970 by that clock; nil if unknown.
  package let localTime: Int?
  /// The offset in the file of the entry's own header.
  let headerOffset: Int
  /// The offset of the next entry, or of the directory.
  var limit = 0
  private let flags: UInt16
  private let method: UInt16

  package var isFolder: Bool { name.last == UInt8(ascii: "/") }
  var isStored: Bool { method == 0 }

  static let signature: [UInt8] = [0x50, 0x4b, 1, 2]
  /// The bytes of a directory record without name, extra field and comment.
  static let fixedSize = 46
  private static let localSignature: [UInt8] = [0x50, 0x4b, 3, 4]
  private static let localFixedSize = 30

  /// Reads the complete record at `start` of a directory; `offset` is its position in the file, and
  /// `shift` that of the archive's offset 0.
  init(_ bytes: [UInt8], at start: Int, shift: Int, offset: Int) throws(ZipError) {
    let nameEnd = start + Self.fixedSize + bytes.number16(at: start + 28)
    name = Array(bytes[start + Self.fixedSize..<nameEnd])
    flags = UInt16(bytes.number16(at: start + 8))
    method = UInt16(bytes.number16(at: start + 10))
    localTime = Self.localTime(
      time: bytes.number16(at: start + 12), date: bytes.number16(at: start + 14))
    crc32 = UInt32(bytes.number32(at: start + 16))
    var numbers = [
      bytes.number32(at: start + 24), bytes.number32(at: start + 20),
      bytes.number32(at: start + 42),
    ]
    let extra = Array(bytes[nameEnd..<nameEnd + bytes.number16(at: start + 30)])
    guard Self.widen(&numbers, extra) else {
      throw .corrupt(offset: offset, reason: "an entry has no size in its extra field")
    }
    (size, compressedSize) = (numbers[0], numbers[1])
    headerOffset = numbers[2] + shift
    guard !isStored || size == compressedSize else {
      throw .corrupt(offset: offset, reason: "the sizes of an entry contradict each other")
    }
    let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard !name.contains(0), name.first != UInt8(ascii: "/"),
      !parts.contains(where: { $0.elementsEqual("..".utf8) })
    else { throw .unsafeName(name) }
  }

  /// Replaces numbers that exceed 32 bits by the 64-bit numbers of an extra field (section 4.5.3);
  /// false if they are missing.
  private static func widen(_ numbers: inout [Int], _ extra: [UInt8]) -> Bool {
    guard numbers.contains(0xffff_ffff) else { return true }
    var start = 0
    while start + 4 <= extra.count {
      let end = start + 4 + extra.number16(at: start + 2)
      guard end <= extra.count else { return false }
      if extra.number16(at: start) == 1 {
        start += 4
        for index in numbers.indices where numbers[index] == 0xffff_ffff {
          guard start + 8 <= end, let number = extra.number64(at: start) else { return false }
          numbers[index] = number
          start += 8
        }
        return true
      }
      start = end
    }
    return false
  }

  /// The time of MS-DOS (section 4.4.6); its first value means none.
  private static func localTime(time: Int, date: Int) -> Int? {
    var parts = unsafe tm()
    unsafe parts.tm_year = Int32(date >> 9) + 80
    unsafe parts.tm_mon = Int32(date >> 5 & 15) - 1
    unsafe parts.tm_mday = Int32(date & 31)
    unsafe parts.tm_hour = Int32(time >> 11)
    unsafe parts.tm_min = Int32(time >> 5 & 63)
    unsafe parts.tm_sec = Int32(time & 31) * 2
    let given = unsafe parts
    let seconds = unsafe timegm(&parts)
    // An invalid date or time would have been normalized to another one.
    guard unsafe given.tm_mon == parts.tm_mon, unsafe given.tm_mday == parts.tm_mday,
      unsafe given.tm_hour == parts.tm_hour, unsafe given.tm_min == parts.tm_min,
      (date, time) != (1 << 5 | 1, 0)
    else { return nil }
    return seconds
  }

  /// Finds the offsets of the data by the entry's own header (section 4.3.7).
  ///
  /// - Throws: `ZipError`, also if the header contradicts the directory, or if the data would overlap
  ///   the next entry or the directory.
  func place(in file: borrowing FileReader) throws(ZipError) -> Range<Int> {
    // Bit 0 means encryption, 6 strong encryption, 13 an encrypted directory, 5 a patch.
    guard flags & 0b0010_0000_0100_0001 == 0 else { throw .unsupported(reason: "is encrypted") }
    guard flags & 0b0010_0000 == 0 else { throw .unsupported(reason: "is a patch of another file") }
    guard method == 0 || method == 8 else {
      throw .unsupported(reason: "is compressed by method \(method)")
    }
    let header = try file.zipBytes(Self.localFixedSize + name.count, at: headerOffset)
    func corrupt(_ reason: String) -> ZipError { .corrupt(offset: headerOffset, reason: reason) }
    guard header.count == Self.localFixedSize + name.count,
      header.starts(with: Self.localSignature)
    else { throw corrupt("an entry has no header at the offset in the directory") }
    guard header.number16(at: 8) == method, header.number16(at: 26) == name.count,
      header[Self.localFixedSize...] == name[...]
    else { throw corrupt("the header of an entry contradicts the directory") }
    // Large sizes are stored elsewhere.
    let hasSizes = header.number16(at: 6) & 0b1000 == 0
    let areEqual =
      header.number32(at: 14) == Int(crc32)
      && [(18, compressedSize), (22, size)].allSatisfy { offset, size in
        [size, 0xffff_ffff].contains(header.number32(at: offset))
      }
    guard !hasSizes || areEqual else {
      throw corrupt("the sizes in the header of an entry contradict the directory")
    }
    let start = headerOffset + header.count + header.number16(at: 28)
    guard start <= limit, compressedSize <= limit - start else {
      throw corrupt("the data of an entry overlap with the next entry or the directory")
    }
    return start..<start + compressedSize
  }
}

extension FileReader {
  func zipBytes(_ count: Int, at offset: Int) throws(ZipError) -> [UInt8] {
    try mapError(
      bytes(count, at: offset),
      as: { (error: FileError) in ZipError.readFailed(code: error.code) })
  }
}

/// The numbers of a ZIP archive, which are little-endian.
extension [UInt8] {
  func number16(at offset: Int) -> Int { number(2, at: offset) }

  func number32(at offset: Int) -> Int { number(4, at: offset) }

  /// Nil if it exceeds any file size, so that sums of a few numbers cannot overflow.
  func number64(at offset: Int) -> Int? { self[offset + 7] < 0x10 ? number(8, at: offset) : nil }

  private func number(_ count: Int, at offset: Int) -> Int {
    self[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

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
