package import Facts
package import CSV
package import Files
import Glibc
import Gzip

/// The bytes of one dump, decompressed if its name says that it is compressed.
package struct DumpReader: ~Copyable {
  private let file: DumpFolder.File
  // One of the four is there.
  private var gzip: GzipReader? = nil
  private var zip: ZipEntryReader? = nil
  private var plain: FileReader? = nil
  private var content: [UInt8]? = nil
  private var contentPlace = 0
  private var plainCRC = CRC32()
  package private(set) var identity: FileIdentity?
  /// The decompressed bytes that were given out.
  package private(set) var bytes = 0
  /// How far it is read, in bytes as they are stored.
  package var position: Int { mutating get { gzip?.fileOffset ?? zip?.storedOffset ?? bytes } }
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
  package init(_ file: DumpFolder.File) throws(IngestError) {
    self.file = file
    if let content = file.content {
      self.content = content
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
    do throws(FileError) {
      plain = try file.open()
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
    identity = plain?.identity
    switch file.format {
    case .plain: break
    case .gzip: try openGzip()
    case .zip: try openZip()
    }
  }

  private mutating func openGzip() throws(IngestError) {
    guard let reader = plain.take() else { return }
    do throws(GzipError) {
      gzip = try GzipReader(reader)
    } catch {
      throw IngestError(error, file)
    }
  }

  private mutating func openZip() throws(IngestError) {
    // The place of the dump is known from the archive that was there when the run began.
    if let archive = file.archive { try check(archive.identity) }
    let entry: ZipEntry?
    do throws(IngestError) {
      entry =
        if let archive = file.archive { archive.entry } else {
          try plain?.onlyZipEntry(file)
        }
    } catch {
      try check(identity)
      throw error
    }
    guard let entry, let reader = plain.take() else { return }
    do throws(ZipError) {
      zip = try ZipEntryReader(reader, entry)
    } catch {
      throw IngestError(error, file)
    }
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
    // If the system does not say, it counts as unchanged.
    let now = plain?.identity ?? gzip?.fileIdentity ?? zip?.fileIdentity
    guard let opened, let now, opened != now else { return }
    throw IngestError(
      .inputOutput,
      "\(file.path): was changed while it was read. Load the dumps when nobody writes them any "
        + "more.")
  }

  /// Reads `count` bytes into the start of `block`, and returns how many there were.
  package mutating func read(_ count: Int, into block: inout [UInt8]) throws(IngestError) -> Int {
    var bytes = block.mutableSpan
    var room = bytes._mutatingExtracting(0..<count)
    return try read(into: &room)
  }

  private mutating func read(into room: inout MutableSpan<UInt8>) throws(IngestError) -> Int {
    do throws(GzipError) {
      if let count = try gzip?.read(into: &room) { return count }
    } catch {
      throw IngestError(error, file)
    }
    do throws(ZipError) {
      if let count = try zip?.read(into: &room) { return count }
    } catch {
      throw IngestError(error, file)
    }
    if let content {
      let count = min(room.count, content.count - contentPlace)
      for index in 0..<count { room[index] = content[contentPlace + index] }
      contentPlace += count
      plainCRC.append(room.span.extracting(0..<count))
      return count
    }
    do throws(FileError) {
      guard let count = try plain?.read(into: &room) else {
        preconditionFailure("a reader of no kind would be an empty file")
      }
      plainCRC.append(room.span.extracting(0..<count))
      return count
    } catch {
      throw IngestError(GzipError.readFailed(code: error.code), file)
    }
  }

  package mutating func describe(in account: inout SourceAccount) {
    account.bytes = bytes
    switch file.format {
    case .plain:
      account.size = content?.count ?? plain?.size ?? 0
      account.crc32 = plainCRC.value
    case .gzip:
      account.size = gzip?.fileSize ?? 0
      account.crc32 = gzip?.crc32.value ?? 0
      let header = gzip?.header
      var facts = SourceAccount.Gzip()
      facts.members = gzip?.members ?? 0
      facts.timeStamp = header?.timeStamp
      facts.originalName = header?.name.map { $0.span.escapedForMessage }
      account.gzip = facts
    case .zip:
      account.size = zip?.entry.compressedSize ?? 0
      account.crc32 = zip?.crc32.value ?? 0
      account.zip = zip?.entry.facts
    }
  }

  /// What the directory of a ZIP archive says that all bytes are: their checksum and their count; nil for any
  /// other file.
  package var sumInDirectory: (crc32: UInt32, bytes: Int)? {
    mutating get {
      guard let entry = zip?.entry else { return nil }
      return (entry.crc32, entry.size)
    }
  }
}
