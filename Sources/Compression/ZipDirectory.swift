package import Platform

/// The central directory of a ZIP archive, which lists its entries (APPNOTE.TXT 6.3.10, sections 4.3.6 to 4.3.16).
///
/// It is read strictly, so that no other program sees different entries in the same file: the
/// archive ends with the file, its directory directly precedes its end, and no two entries share
/// bytes or a name. Other data may precede the archive, such as a self-extracting program.
///
/// Memory and time are proportional to the size of the directory, which is limited.
package struct ZipDirectory: Sendable {
  /// The files and folders, in the order of the directory.
  package private(set) var entries: [ZipEntry] = []

  /// The maximum size of a directory; 10,000 entries need less.
  private static let mostBytes = 1 << 20

  package init(of file: borrowing FileReader) throws(ZipError) {
    let end = try ZipEnd(of: file)
    guard end.directory.count <= Self.mostBytes else {
      throw .unsupported(reason: "has a directory of more than \(Self.mostBytes) bytes")
    }
    let bytes = try file.zipBytes(end.directory.count, at: end.directory.lowerBound)
    var start = 0
    while start < bytes.count {
      let offset = end.directory.lowerBound + start
      guard start + ZipEntry.fixedSize <= bytes.count,
        bytes[start...].starts(with: ZipEntry.signature)
      else { throw .corrupt(offset: offset, reason: "an entry of the directory is missing") }
      let next =
        start + ZipEntry.fixedSize
        + [28, 30, 32].reduce(0) { $0 + bytes.number16(at: start + $1) }
      guard next <= bytes.count else {
        throw .corrupt(offset: offset, reason: "an entry is longer than the directory")
      }
      entries.append(try ZipEntry(bytes, at: start, shift: end.shift, offset: offset))
      start = next
    }
    guard bytes.count == end.directory.count, entries.count == end.entries else {
      throw .corrupt(
        offset: end.directory.lowerBound,
        reason: "the directory has \(entries.count) entries instead of \(end.entries)")
    }
    var names: Set<[UInt8]> = []
    for entry in entries where !names.insert(entry.name).inserted {
      throw .duplicate(name: entry.name)
    }
    try findLimits(end: end.directory.lowerBound)
  }

  /// Computes the maximum end of each entry; overlapping entries would repeat the same bytes, so
  /// that a small archive could contain terabytes.
  private mutating func findLimits(end: Int) throws(ZipError) {
    var limit = end
    let backwards = entries.indices.sorted { entries[$0].headerOffset > entries[$1].headerOffset }
    for index in backwards {
      entries[index].limit = limit
      let entry = entries[index]
      guard entry.headerOffset < limit, entry.compressedSize < limit - entry.headerOffset else {
        throw .corrupt(
          offset: entry.headerOffset,
          reason: "an entry overlaps with another, or with the directory")
      }
      limit = entry.headerOffset
    }
  }
}

/// The record at the end of a ZIP archive, which locates the directory (section 4.3.16), and the
/// record before it with 64-bit numbers (sections 4.3.14 and 4.3.15).
private struct ZipEnd {
  private(set) var entries: Int
  /// The range of the directory in the file.
  private(set) var directory: Range<Int>
  /// The offset in the file of the archive's offset 0.
  private(set) var shift = 0

  private static let signature: [UInt8] = [0x50, 0x4b, 5, 6]
  private static let fixedSize = 22
  private static let longestComment = 0xffff
  private static let wideSignature: [UInt8] = [0x50, 0x4b, 6, 6]
  private static let wideSize = 56
  private static let locatorSignature: [UInt8] = [0x50, 0x4b, 6, 7]
  private static let locatorSize = 20

  init(of file: borrowing FileReader) throws(ZipError) {
    let (record, offset) = try Self.lastRecord(of: file)
    let before = Self.locatorSize + Self.wideSize
    let wide = offset < before ? [] : try file.zipBytes(before, at: offset - before)
    entries = record.number16(at: 10)
    var fields = [record.number32(at: 12), record.number32(at: 16)]
    var disks = [record.number16(at: 4), record.number16(at: 6)]
    var entriesOfDisk = record.number16(at: 8)
    var end = offset
    var isSound = true
    if wide.count == before, wide.suffix(Self.locatorSize).starts(with: Self.locatorSignature) {
      end = offset - before
      func corrupt() -> ZipError {
        .corrupt(offset: end, reason: "the end record for 64-bit numbers is invalid")
      }
      // A record of another length would not begin here.
      guard wide.starts(with: Self.wideSignature), wide.number64(at: 4) == Self.wideSize - 12,
        let first = wide.number64(at: 24), let all = wide.number64(at: 32),
        let size = wide.number64(at: 40), let start = wide.number64(at: 48),
        let own = wide.number64(at: Self.wideSize + 8), own <= end
      else { throw corrupt() }
      // Numbers that fit into the last record must be equal in both.
      isSound =
        (entries == 0xffff || entries == all)
        && (fields[0] == 0xffff_ffff || fields[0] == size)
        && (fields[1] == 0xffff_ffff || fields[1] == start)
      (entries, entriesOfDisk, fields) = (all, first, [size, start])
      disks = [wide.number32(at: 16), wide.number32(at: 20), wide.number32(at: Self.wideSize + 4)]
    }
    guard disks.allSatisfy({ $0 == 0 }), entriesOfDisk == entries else {
      throw .unsupported(reason: "is one part of a split archive")
    }
    guard isSound, fields[0] <= end, fields[1] <= end - fields[0] else {
      throw .corrupt(offset: end, reason: "the directory does not fit before the end record")
    }
    directory = end - fields[0]..<end
    shift = directory.lowerBound - fields[1]
  }

  /// The last record whose comment ends with the file, and its offset.
  private static func lastRecord(
    of file: borrowing FileReader
  ) throws(ZipError) -> (bytes: [UInt8], place: Int) {
    let count = min(file.size, fixedSize + longestComment)
    let start = file.size - count
    let bytes = try file.zipBytes(count, at: start)
    for place in stride(from: bytes.count - fixedSize, through: 0, by: -1)
    where bytes[place...].starts(with: signature)
      && place + fixedSize + bytes.number16(at: place + 20) == bytes.count
    {
      return (Array(bytes[place...]), start + place)
    }
    let beginning = try file.zipBytes(4, at: 0)
    throw [0x50, 0x4b, 3, 4].starts(with: beginning) ? .truncated : .notZip
  }
}

/// The reason why a ZIP archive, or an entry of one, could not be read; offsets are bytes of the file, from 0.
package enum ZipError: Error, Equatable, Sendable {
  /// The file neither begins nor ends like a ZIP archive.
  case notZip
  /// The file begins like a ZIP archive, but does not end like one.
  case truncated
  /// The archive contradicts itself, or the data do not match it.
  case corrupt(offset: Int, reason: String)
  case duplicate(name: [UInt8])
  /// The name of an entry leads out of the archive, or contains a zero byte.
  case unsafeName([UInt8])
  /// The archive needs an unsupported feature; `reason` describes it as a predicate.
  case unsupported(reason: String)
  /// The operating system could not read the file, or memory ran out; `code` is `errno`.
  case readFailed(code: Int32)

  /// Converts the error of an entry whose data should end at `end`.
  init(_ error: GzipError, end: Int) {
    switch error {
    case .corrupt(let offset, let reason): self = .corrupt(offset: offset, reason: reason)
    case .readFailed(let code): self = .readFailed(code: code)
    case .truncated, .notGzip, .trailingData:
      self = .corrupt(offset: end, reason: "the compressed data are longer than their entry")
    }
  }
}
