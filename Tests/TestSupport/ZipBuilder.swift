import GzipWriting
import Compression

/// A ZIP archive put together field by field (APPNOTE.TXT, section 4.3), so that any of them can be wrong.
package struct ZipBuilder {
  package struct Entry {
    package var name: [UInt8]
    /// The bytes as they are stored.
    package var data: [UInt8]
    package var size: Int
    package var crc32: UInt32
    package var method: Int
    package var flags = 0
    package var time = 7 << 11 | 8 << 5 | 5
    package var date = 45 << 9 | 4 << 5 | 1
    /// Its own header, if it differs from the directory.
    package var localName: [UInt8]?
    package var localSize: Int?
    package var localExtra: [UInt8] = []
    package var extra: [UInt8] = []
    /// The wrong offset in the directory, if any.
    package var offset: Int?
    /// Whether its own header has no sizes, and a descriptor follows the data.
    package var hasDescriptor = false

    /// An entry of a text, deflated or stored.
    package init(_ name: String, _ text: String, isStored: Bool = false) {
      let bytes = Array(text.utf8)
      var sum = CRC32()
      sum.append(bytes.span)
      self.name = Array(name.utf8)
      data = isStored ? bytes : Self.deflated(bytes)
      size = bytes.count
      crc32 = sum.value
      method = isStored ? 0 : 8
    }

    /// What is between the header and the checksum of gzip.
    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
      var writer = GzipWriter()
      writer.write(bytes.span)
      return Array(writer.finish()[10...].dropLast(8))
    }
  }

  package var entries: [Entry]
  /// The bytes before the archive.
  package var prefix: [UInt8] = []
  package var comment: [UInt8] = []
  /// Whether all numbers that can be are in 64 bits.
  package var isWide = false
  /// What is added to the count of entries, and the number of the disk.
  package var moreEntries = 0
  package var disk = 0

  package init(_ entries: [Entry]) { self.entries = entries }

  /// The archive.
  package var bytes: [UInt8] {
    var file = prefix
    var directory: [UInt8] = []
    for entry in entries {
      let offset = entry.offset ?? file.count - prefix.count
      file += local(entry)
      directory += central(entry, offset: offset)
    }
    let start = file.count - prefix.count
    file += directory
    if isWide {
      file += wideEnd(size: directory.count, start: start, at: file.count - prefix.count)
    }
    let count = isWide ? 0xffff : entries.count + moreEntries
    let place = isWide ? [0xffff_ffff, 0xffff_ffff] : [directory.count, start]
    file +=
      [0x50, 0x4b, 5, 6] + number(2, disk, disk, count, count) + number(4, place[0], place[1])
    return file + number(2, comment.count) + comment
  }

  private func local(_ entry: Entry) -> [UInt8] {
    let name = entry.localName ?? entry.name
    let size = entry.localSize ?? entry.size
    let sums =
      entry.hasDescriptor
      ? number(4, 0, 0, 0) : number(4, Int(entry.crc32), entry.data.count, size)
    let descriptor =
      entry.hasDescriptor ? number(4, Int(entry.crc32), entry.data.count, entry.size) : []
    return [0x50, 0x4b, 3, 4] + head(entry) + sums
      + number(2, name.count, entry.localExtra.count) + name + entry.localExtra + entry.data
      + descriptor
  }

  private func central(_ entry: Entry, offset: Int) -> [UInt8] {
    let wide = number(2, 1, 24) + number(8, entry.size, entry.data.count, offset)
    let extra = entry.extra + (isWide ? wide : [])
    let sizes =
      isWide
      ? [0xffff_ffff, 0xffff_ffff, 0xffff_ffff] : [entry.data.count, entry.size, offset]
    return [0x50, 0x4b, 1, 2] + number(2, 45) + head(entry)
      + number(4, Int(entry.crc32), sizes[0], sizes[1])
      + number(2, entry.name.count, extra.count, 0, 0, 0) + number(4, 0, sizes[2]) + entry.name
      + extra
  }

  private func head(_ entry: Entry) -> [UInt8] {
    number(2, 45, entry.flags | (entry.hasDescriptor ? 8 : 0), entry.method, entry.time, entry.date)
  }

  private func wideEnd(size: Int, start: Int, at place: Int) -> [UInt8] {
    let count = entries.count + moreEntries
    return [0x50, 0x4b, 6, 6] + number(8, 44) + number(2, 45, 45) + number(4, disk, disk)
      + number(8, count, count, size, start) + [0x50, 0x4b, 6, 7] + number(4, 0)
      + number(8, place) + number(4, 1)
  }

  /// Numbers of so many bytes each, the lowest byte first.
  private func number(_ count: Int, _ values: Int...) -> [UInt8] {
    values.flatMap { value in (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  }
}
