import Facts
import Files
import Compression
import SQLiteSwiftly
import Schema

/// The format of a stored file.
///
/// To add a compression, add a case here and in `SourceDescription.Compression`, and conform its reader in the module
/// `Compression` to `StoredBytes`.
package enum StoredFormat: CaseIterable, Sendable {
  case gzip, plain, zip

  /// The format according to the name of a file.
  package init(ofName name: String) {
    self = Self.allCases.first { $0 != .plain && name.hasSuffix($0.ending) } ?? .plain
  }

  /// The format according to a description.
  init(_ compression: SourceDescription.Compression) {
    self.init(ofName: ".\(compression.rawValue)")
  }

  /// The ending of file names.
  package var ending: String {
    switch self {
    case .gzip: ".gz"
    case .plain: ""
    case .zip: ".zip"
    }
  }

  /// The first bytes of each file; nil if they vary.
  var firstBytes: [UInt8]? {
    switch self {
    case .gzip: [0x1f, 0x8b]
    case .plain: nil
    case .zip: [0x50, 0x4b, 0x03, 0x04]
    }
  }

  var words: String {
    switch self {
    case .gzip: "a gzip file"
    case .plain: "a plain file"
    case .zip: "a ZIP archive"
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
  /// The current identity of the file; nil if the system does not report one.
  var fileIdentity: FileIdentity? { mutating get }
  /// The stored bytes read so far.
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
    do throws(GzipError) {
      return try read(into: &room)
    } catch {
      throw IngestError(error, file)
    }
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
    do throws(ZipError) {
      return try read(into: &room)
    } catch {
      throw IngestError(error, file)
    }
  }

  func describe(in counts: inout SourceCounts) {
    counts.size = entry.compressedSize
    counts.crc32 = crc32.value
    counts.zip = entry.facts
  }
}

/// An uncompressed file.
private struct PlainFile: StoredBytes, ~Copyable {
  private var file: FileReader
  private(set) var storedOffset = 0
  private var crc32 = CRC32()

  init(_ file: consuming FileReader) { self.file = file }

  var fileIdentity: FileIdentity? { file.identity }

  mutating func read(
    into room: inout MutableSpan<UInt8>, of source: SourceFolder.File
  ) throws(IngestError) -> Int {
    do throws(FileError) {
      let count = try file.read(into: &room)
      crc32.append(room.span.extracting(0..<count))
      storedOffset += count
      return count
    } catch {
      throw .readFailed(source.path, error.code)
    }
  }

  func describe(in counts: inout SourceCounts) {
    counts.size = file.size
    counts.crc32 = crc32.value
  }
}

/// Bytes in a description instead of a file.
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
