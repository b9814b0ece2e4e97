import CSV
import Vocabulary
import Platform
import Compression
import Text

/// The byte order mark of UTF-8.
package let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

/// How a source file is stored: plain or compressed.
///
/// Each compression is also a case of `SourceDescription.Compression`, and its reader in the module `Compression`
/// conforms to `StoredBytes`.
package enum StoredFormat: CaseIterable, Sendable {
  case gzip, plain, zip

  package init(ofName name: String) {
    let name = name.lowercased()
    self = Self.allCases.first { $0 != .plain && name.hasByteSuffix($0.ending) } ?? .plain
  }

  /// The format of a file, by its name, that is not supported; nil if there is none.
  package static func unsupported(ofName name: String) -> String? {
    let endings = [
      ".bz2": "bzip2", ".xz": "xz", ".zst": "Zstandard", ".lz4": "LZ4", ".lzma": "LZMA",
      ".br": "Brotli", ".z": "compress", ".7z": "7-Zip", ".rar": "RAR", ".tar": "tar",
      ".tar.gz": "tar", ".tgz": "tar",
    ]
    return endings.first { name.lowercased().hasByteSuffix($0.key) }?.value
  }

  package var ending: String { facts.ending }

  /// The facts by which a file is recognized; the first bytes are nil if they vary.
  var facts: (ending: String, firstBytes: [UInt8]?, words: String) {
    switch self {
    case .gzip: (".gz", [0x1f, 0x8b], "a gzip file")
    case .plain: ("", nil, "a plain file")
    case .zip: (".zip", [0x50, 0x4b, 0x03, 0x04], "a ZIP archive")
    }
  }

  func open(
    _ reader: consuming FileReader, _ file: SourceFolder.File
  ) throws(IngestError) -> any StoredBytes & ~Copyable {
    switch self {
    case .plain: return PlainFile(reader)
    case .gzip:
      do throws(GzipError) {
        return try GzipReader(reader)
      } catch {
        throw IngestError(error, file)
      }
    case .zip:
      let entry = try file.zipEntry(in: reader)
      do throws(ZipError) {
        return try ZipEntryReader(reader, entry)
      } catch {
        throw IngestError(error, file)
      }
    }
  }
}

/// The decompressed bytes of a file, in order, and the facts that its format states about them.
// An existential that is not copied can be used in place only by `mutating` members.
protocol StoredBytes: ~Copyable {
  /// Nil if the system does not report one.
  var fileIdentity: FileIdentity? { mutating get }
  var storedOffset: Int { mutating get }
  /// The checksum and count of all bytes, if the format states them in advance.
  var knownSum: (crc32: UInt32, bytes: Int)? { mutating get }

  /// Fills `room` from its start; returns the count, which is smaller only at the verified end.
  mutating func read(
    into room: inout MutableSpan<UInt8>, of file: SourceFolder.File
  ) throws(IngestError) -> Int

  mutating func describe(in counts: inout SourceCounts)
}

extension StoredBytes where Self: ~Copyable {
  var knownSum: (crc32: UInt32, bytes: Int)? { nil }
}

extension GzipReader: StoredBytes {
  mutating func read(
    into room: inout MutableSpan<UInt8>, of file: SourceFolder.File
  ) throws(IngestError) -> Int {
    try mapError(read(into: &room), as: { (error: GzipError) in IngestError(error, file) })
  }

  func describe(in counts: inout SourceCounts) {
    counts.size = fileSize
    counts.crc32 = crc32.value
    var facts = SourceCounts.Gzip()
    facts.members = members
    facts.timeStamp = header.timeStamp
    facts.originalName = header.name.map { $0.span.escapedForMessage }
    counts.gzip = facts
  }
}

extension ZipEntryReader: StoredBytes {
  var knownSum: (crc32: UInt32, bytes: Int)? { (entry.crc32, entry.size) }

  mutating func read(
    into room: inout MutableSpan<UInt8>, of file: SourceFolder.File
  ) throws(IngestError) -> Int {
    try mapError(read(into: &room), as: { (error: ZipError) in IngestError(error, file) })
  }

  func describe(in counts: inout SourceCounts) {
    counts.size = entry.compressedSize
    counts.crc32 = crc32.value
    counts.zip = SourceCounts.Zip(
      name: entry.name.span.escapedForMessage, localTime: entry.localTime)
  }
}

private struct PlainFile: StoredBytes, ~Copyable {
  private var file: FileReader
  private(set) var storedOffset = 0
  private var crc32 = CRC32()

  init(_ file: consuming FileReader) { self.file = file }

  var fileIdentity: FileIdentity? { file.identity }

  mutating func read(
    into room: inout MutableSpan<UInt8>, of source: SourceFolder.File
  ) throws(IngestError) -> Int {
    let count = try mapError(
      file.read(into: &room), as: { (error: FileError) in .readFailed(source.path, error.code) })
    crc32.append(room.span.extracting(0..<count))
    storedOffset += count
    return count
  }

  func describe(in counts: inout SourceCounts) {
    counts.size = file.size
    counts.crc32 = crc32.value
  }
}

/// Bytes in a description.
struct InlineBytes: StoredBytes {
  private let content: [UInt8]
  private(set) var storedOffset = 0
  private var crc32 = CRC32()

  init(_ content: [UInt8]) { self.content = content }

  var fileIdentity: FileIdentity? { nil }

  mutating func read(into room: inout MutableSpan<UInt8>, of file: SourceFolder.File) -> Int {
    let count = min(room.count, content.count - storedOffset)
    for index in 0..<count { room[index] = content[storedOffset + index] }
    storedOffset += count
    crc32.append(room.span.extracting(0..<count))
    return count
  }

  func describe(in counts: inout SourceCounts) {
    counts.size = content.count
    counts.crc32 = crc32.value
  }
}

/// The bytes of a file in another encoding, as UTF-8.
struct DecodedBytes: StoredBytes, ~Copyable {
  private var stored: any StoredBytes & ~Copyable
  private let decoder: TextDecoder
  private let encoding: String
  /// Bytes of the file, and the part of them that is not decoded.
  private var block = [UInt8](repeating: 0, count: blockBytes)
  private var undecoded = 0..<0
  /// The offset of the first byte of `block` in the decompressed file.
  private var offset = 0
  private var isAtEnd = false
  /// Decoded bytes, and the part of them that is not read.
  private var text = [UInt8](repeating: 0, count: blockBytes)
  private var unread = 0..<0
  private var line = 1

  private static let blockBytes = 64 << 10

  init(
    _ stored: consuming any StoredBytes & ~Copyable, _ encoding: String, _ file: SourceFolder.File
  ) throws(IngestError) {
    guard let decoder = TextDecoder(of: encoding) else {
      throw IngestError(
        .data, code: .file(.encodingUnsupported),
        "\(file.path): the encoding \(encoding.quotedForMessage) of the description is not known on this "
          + "machine; expected one that iconv -l lists. Convert the file to UTF-8, or install the encoding."
      )
    }
    self.stored = stored
    self.decoder = decoder
    self.encoding = encoding
  }

  var fileIdentity: FileIdentity? { mutating get { stored.fileIdentity } }
  var storedOffset: Int { mutating get { stored.storedOffset } }
  var knownSum: (crc32: UInt32, bytes: Int)? { mutating get { stored.knownSum } }

  mutating func describe(in counts: inout SourceCounts) {
    stored.describe(in: &counts)
    counts.encoding = encoding
  }

  mutating func read(
    into room: inout MutableSpan<UInt8>, of file: SourceFolder.File
  ) throws(IngestError) -> Int {
    var count = 0
    while count < room.count {
      if unread.isEmpty {
        guard try decode(file) else { break }
        continue
      }
      let part = min(unread.count, room.count - count)
      for index in 0..<part { room[count + index] = text[unread.lowerBound + index] }
      unread = unread.lowerBound + part..<unread.upperBound
      count += part
    }
    return count
  }

  /// Decodes more text; returns false at the verified end of the file.
  private mutating func decode(_ file: SourceFolder.File) throws(IngestError) -> Bool {
    if undecoded.count < TextDecoder.longestCharacter, !isAtEnd { try fill(file) }
    var text = exchange(&text, with: [])
    defer { self.text = text }
    var output = text.mutableSpan
    guard !undecoded.isEmpty else {
      unread = 0..<decoder.flush(into: &output)
      return !unread.isEmpty
    }
    let start = undecoded.lowerBound
    let (read, written) = decoder.decode(block.span.extracting(undecoded), into: &output)
    // No text in another encoding begins like one with the mark of UTF-8.
    let isMarked =
      offset + start == 0 && block.starts(with: byteOrderMark) && !text.starts(with: byteOrderMark)
    guard !isMarked, read > 0 || written > 0 else {
      let digits = block[undecoded.prefix(4)].map { "0x" + String($0, radix: 16) }
      throw IngestError(
        .data, code: .file(.encodingMismatch),
        "\(file.path): line \(line): not \(encoding), the encoding of its description: found "
          + "\(digits.joined(separator: " ")) at byte \(offset + start) of the unconverted file. "
          + "Correct the encoding, or download the file again.")
    }
    unread = 0..<written
    undecoded = start + read..<undecoded.upperBound
    for index in unread where text[index] == file.layout.dialect.lastByteOfLine { line += 1 }
    return true
  }

  private mutating func fill(_ file: SourceFolder.File) throws(IngestError) {
    offset += undecoded.lowerBound
    for (target, source) in undecoded.enumerated() { block[target] = block[source] }
    let free = undecoded.count..<block.count
    var bytes = exchange(&block, with: [])
    defer { block = bytes }
    var span = bytes.mutableSpan
    var room = span._mutatingExtracting(free)
    let count = try stored.read(into: &room, of: file)
    undecoded = 0..<free.lowerBound + count
    isAtEnd = count < free.count
  }
}
