import Facts
import Files
import Compression
import SQLiteSwiftly
import Schema

/// How the bytes of a file are stored.
///
/// Another compression is a case here and one of `SourceDescription.Compression`, and has a reader in the module
/// `Compression` that is one of `StoredBytes`.
package enum StoredFormat: CaseIterable, Sendable {
  case gzip, plain, zip

  /// What the name of a file says.
  package init(ofName name: String) {
    self = Self.allCases.first { $0 != .plain && name.hasSuffix($0.ending) } ?? .plain
  }

  /// What a description says.
  init(_ compression: SourceDescription.Compression) {
    self.init(ofName: ".\(compression.rawValue)")
  }

  /// What the name of a file ends in.
  package var ending: String {
    switch self {
    case .gzip: ".gz"
    case .plain: ""
    case .zip: ".zip"
    }
  }

  /// What is known of how a file begins.
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

/// The bytes of a file, decompressed in order, and what its format says of them.
// Its values are used in place, which only `mutating` lets happen in an existential that is not copied.
protocol StoredBytes: ~Copyable {
  /// The identity of the file at this moment; nil if the system does not say.
  var fileIdentity: FileIdentity? { mutating get }
  /// How far it is read, in bytes as they are stored.
  var storedOffset: Int { mutating get }
  /// What the format says before anything is read that all bytes are; nil if it does not.
  var knownSum: (crc32: UInt32, bytes: Int)? { mutating get }

  /// Fills `room` from its start and returns the count, which is less only at the verified end.
  mutating func read(
    into room: inout MutableSpan<UInt8>, of file: SourceFolder.File
  ) throws(IngestError) -> Int

  mutating func describe(in account: inout SourceCounts)
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

  func describe(in account: inout SourceCounts) {
    account.size = fileSize
    account.crc32 = crc32.value
    var facts = SourceCounts.Gzip()
    facts.members = members
    facts.timeStamp = header.timeStamp
    facts.originalName = header.name.map { $0.span.escapedForMessage }
    account.gzip = facts
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

  func describe(in account: inout SourceCounts) {
    account.size = entry.compressedSize
    account.crc32 = crc32.value
    account.zip = entry.facts
  }
}

/// A file that is not compressed.
private struct PlainFile: StoredBytes, ~Copyable {
  private var file: FileReader
  private(set) var storedOffset = 0
  private var crc32 = CRC32()

  init(_ file: consuming FileReader) { self.file = file }

  var fileIdentity: FileIdentity? { file.identity }

  mutating func read(
    into room: inout MutableSpan<UInt8>, of dump: SourceFolder.File
  ) throws(IngestError) -> Int {
    do throws(FileError) {
      let count = try file.read(into: &room)
      crc32.append(room.span.extracting(0..<count))
      storedOffset += count
      return count
    } catch {
      throw IngestError(GzipError.readFailed(code: error.code), dump)
    }
  }

  func describe(in account: inout SourceCounts) {
    account.size = file.size
    account.crc32 = crc32.value
  }
}

/// Bytes that are in no file, but in a description.
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

  func describe(in account: inout SourceCounts) {
    account.size = content.count
    account.crc32 = crc32.value
  }
}
