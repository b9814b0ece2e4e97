import Vocabulary
import Platform
import Text

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
      throw .encodingUnknown(file.path, encoding)
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
      unread = 0..<decoder.finish(into: &output)
      return !unread.isEmpty
    }
    let (read, written) = decoder.decode(block.span.extracting(undecoded), into: &output)
    unread = 0..<written
    undecoded = undecoded.lowerBound + read..<undecoded.upperBound
    for place in unread where text[place] == file.layout.lastByteOfLine { line += 1 }
    guard read > 0 || written > 0 else {
      throw .encodingMismatch(
        file.path, encoding, line: line, offset: offset + undecoded.lowerBound,
        Array(block[undecoded.prefix(4)]))
    }
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
