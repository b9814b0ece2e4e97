package import Facts
package import CSV
package import Files
import Glibc
import Compression

/// The bytes of one dump, decompressed if its name says that it is compressed.
package struct SourceReader: ~Copyable {
  private let file: SourceFolder.File
  private var stored: any StoredBytes & ~Copyable
  package private(set) var identity: FileIdentity?
  /// The decompressed bytes that were given out.
  package private(set) var bytes = 0
  /// How far it is read, in bytes as they are stored.
  package var position: Int { mutating get { stored.storedOffset } }
  package private(set) var state = State.unverified

  package enum State {
    /// Only the checksum at the end will tell whether they are those that were compressed.
    case unverified
    /// The file was read to its end, and all is as it should be.
    case verified
    /// It is damaged, or cannot be read.
    case failed
  }

  /// Opens the file; throws also for an archive in which the dump cannot be found.
  package init(_ file: SourceFolder.File) throws(IngestError) {
    self.file = file
    if let content = file.content {
      stored = InlineBytes(content)
      return
    }
    var status = stat()
    if unsafe stat(file.storedPath, &status) == 0,
      ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    {
      // A pipe would make the run wait for whoever writes to it.
      throw IngestError(
        .inputMissing, code: .fileUnreadable,
        "\(file.path): is a pipe or a device. Save what comes from it to a file first.")
    }
    let reader: FileReader
    do throws(FileError) {
      reader = try file.open()
    } catch {
      guard error.code != ELOOP || file.base == nil else {
        throw IngestError(
          .inputMissing, code: .fileUnreadable,
          "\(file.path): is a link, or a folder on its way is one, which may lead out of the folder that a "
            + "description is for. Put the file itself there.")
      }
      let kind = IngestError.Kind.of(error.code, otherwise: .inputMissing)
      throw IngestError(
        kind, code: kind == .inputMissing ? .fileUnreadable : nil,
        "\(file.path): cannot be opened: \(error.message). Check the file and its permissions.")
    }
    identity = reader.identity
    // The place of the dump is known from the archive that was there when the run began.
    try file.check(file.archive?.identity, now: identity)
    stored = try file.format.open(reader, file)
  }

  /// Adds to the block of `batch`, and returns whether that was the end of the file, verified.
  package mutating func fill(_ batch: inout RecordBatch) throws(IngestError) -> Bool {
    // Until all went well.
    state = .failed
    let isAtEnd: Bool
    do throws(IngestError) {
      isAtEnd = try batch.fill { room throws(IngestError) in
        let count = try read(into: &room)
        bytes += count
        return count
      }
    } catch {
      // What looks like damage may be a file that is still being written.
      try check(identity)
      throw error
    }
    if isAtEnd { try check(identity) }
    state = isAtEnd ? .verified : .unverified
    return isAtEnd
  }

  /// Reads on to the verified end of the file, or up to `limit` bytes of it, if the bytes are still unverified.
  package mutating func verify(limit: Int) throws(IngestError) {
    guard state == .unverified else { return }
    state = .failed
    var block = [UInt8](repeating: 0, count: Tuning.batchBytes)
    var rest = limit
    var isAtEnd = file.format == .plain
    while !isAtEnd, rest > 0 {
      let count = try read(block.count, into: &block)
      isAtEnd = count < block.count
      rest -= count
    }
    if isAtEnd { try check(identity) }
    state = isAtEnd ? .verified : .unverified
  }

  /// Makes sure that the file is the one that was opened, unchanged.
  package mutating func check(_ opened: FileIdentity?) throws(IngestError) {
    try file.check(opened, now: stored.fileIdentity)
  }

  /// Reads `count` bytes into the start of `block`, and returns how many there were.
  package mutating func read(_ count: Int, into block: inout [UInt8]) throws(IngestError) -> Int {
    var bytes = block.mutableSpan
    var room = bytes._mutatingExtracting(0..<count)
    return try read(into: &room)
  }

  private mutating func read(into room: inout MutableSpan<UInt8>) throws(IngestError) -> Int {
    try stored.read(into: &room, of: file)
  }

  package mutating func describe(in account: inout SourceCounts) {
    account.bytes = bytes
    stored.describe(in: &account)
  }

  /// What the directory of a ZIP archive says that all bytes are: their checksum and their count; nil for any
  /// other file.
  package var sumInDirectory: (crc32: UInt32, bytes: Int)? {
    mutating get { stored.knownSum }
  }
}

extension SourceFolder.File {
  /// Makes sure that what is there now is what was opened; if the system does not say, it counts as unchanged.
  func check(_ opened: FileIdentity?, now: FileIdentity?) throws(IngestError) {
    guard let opened, let now, opened != now else { return }
    throw IngestError(
      .inputOutput,
      "\(path): was changed while it was read. Load the dumps when nobody writes them any "
        + "more.")
  }
}
