package import Vocabulary
package import CSV
package import Platform
import Glibc

/// Reads the text of one source file, decompressed according to its format, in UTF-8.
package struct SourceReader: ~Copyable {
  private let file: SourceFolder.File
  private var stored: any StoredBytes & ~Copyable
  package private(set) var identity: FileIdentity?
  private var bytes = 0
  package var position: Int { mutating get { stored.storedOffset } }
  package private(set) var state = State.unverified

  /// Whether the checksum at the end of the file was checked.
  package enum State { case unverified, verified, failed }

  /// Opens the file; also throws for an archive without the source file.
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
      // A pipe would make the run wait for its writer.
      throw IngestError(
        .inputMissing, code: .file(.fileUnreadable),
        "\(file.path): not a regular file: a pipe or a device. Save its output to a file first.")
    }
    let reader = try mapError(file.open()) { (error: FileError) in
      guard error.code == ELOOP && file.base != nil else {
        return .sourceUnopenable(file.path, error)
      }
      return IngestError(
        .inputMissing, code: .file(.fileUnreadable),
        "\(file.path): the path contains a symbolic link, which may lead outside the description's folder. "
          + "Replace the link with the file itself.")
    }
    identity = reader.identity
    // The entry was found in the archive that was there when the run began.
    try file.check(file.archive?.identity, now: identity)
    let bytes = try file.format.open(reader, file)
    if let encoding = file.encoding {
      stored = try DecodedBytes(bytes, encoding, file)
    } else {
      stored = bytes
    }
  }

  /// Fills the block of `batch`; returns true at the verified end of the file.
  package mutating func fill(_ batch: inout RecordBatch) throws(IngestError) -> Bool {
    // Until reading succeeds.
    state = .failed
    let isAtEnd: Bool
    do throws(IngestError) {
      isAtEnd = try batch.fill { room throws(IngestError) in
        let count = try read(into: &room)
        bytes += count
        return count
      }
    } catch {
      // Apparent damage may be a file that is still being written.
      try check(identity)
      throw error
    }
    if isAtEnd { try check(identity) }
    state = isAtEnd ? .verified : .unverified
    return isAtEnd
  }

  /// Reads an unverified file to its verified end, but at most `limit` bytes.
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

  package mutating func check(_ opened: FileIdentity?) throws(IngestError) {
    try file.check(opened, now: stored.fileIdentity)
  }

  /// Reads up to `count` bytes into the start of `block`; returns how many were read.
  package mutating func read(_ count: Int, into block: inout [UInt8]) throws(IngestError) -> Int {
    var bytes = block.mutableSpan
    var room = bytes._mutatingExtracting(0..<count)
    return try read(into: &room)
  }

  mutating func read(into room: inout MutableSpan<UInt8>) throws(IngestError) -> Int {
    try stored.read(into: &room, of: file)
  }

  package mutating func describe(in counts: inout SourceCounts) {
    counts.bytes = bytes
    stored.describe(in: &counts)
  }

  /// The checksum and count of all bytes according to the directory of a ZIP archive; nil for any other file.
  package var sumInDirectory: (crc32: UInt32, bytes: Int)? { mutating get { stored.knownSum } }
}

extension SourceFolder.File {
  /// Checks that the file is the one that was opened; without identities it counts as unchanged.
  func check(_ opened: FileIdentity?, now: FileIdentity?) throws(IngestError) {
    guard let opened, let now, opened != now else { return }
    throw .sourceChanged(path)
  }
}
