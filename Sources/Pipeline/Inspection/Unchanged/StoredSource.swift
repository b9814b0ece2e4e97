import SourceFiles
import Vocabulary
import Platform
import SQLiteSwiftly
import Text

struct StoredSource {
  private let table: String
  private let isRepairs: Bool
  let counts: SourceCounts
  private let crc32: String

  /// Reads a row of `ingest_sources`, whose values are not trusted.
  init(_ row: [SQLiteValue]) {
    // Sums of such numbers do not overflow.
    func integer(_ place: Int) -> Int {
      row[place].integerValue.flatMap { 0...1 << 48 ~= $0 ? Int($0) : nil } ?? -1
    }
    table = row[0].textValue ?? ""
    isRepairs = row[2] != .integer(0)
    crc32 = row[4].textValue ?? ""
    var counts = SourceCounts(name: row[1].textValue ?? "")
    counts.size = integer(3)
    if row[5] != .null {
      var gzip = SourceCounts.Gzip()
      gzip.members = integer(5)
      gzip.timeStamp = row[6].integerValue.flatMap { UInt32(exactly: $0) }
      gzip.originalName = row[7].textValue
      counts.gzip = gzip
    }
    counts.zip = row[13].textValue.map { name in
      SourceCounts.Zip(name: name, localTime: row[14].integerValue.map { Int($0) })
    }
    counts.bytes = integer(8)
    counts.records = integer(9)
    counts.loaded.records = integer(10)
    counts.rejected.records = integer(11)
    counts.leftOut.records = integer(12)
    counts.crc32 = UInt32(crc32, radix: 16) ?? 0
    counts.isRepairs = isRepairs
    counts.isComplete = true
    self.counts = counts
  }

  /// Whether it is the source file of that name, or the file of repairs.
  func isOf(_ table: String, _ name: String, isRepairs: Bool = false) -> Bool {
    self.isRepairs == isRepairs && haveSameBytes([self.table, counts.name], [table, name])
  }

  func isSame(as file: SourceFolder.File) throws(IngestError) -> Bool {
    var reader = try SourceReader(file)
    var block = [UInt8](repeating: 0, count: Tuning.batchBytes)
    // Reading the first byte also reads the header.
    var count = try reader.read(1, into: &block)
    var found = SourceCounts(name: file.name)
    reader.describe(in: &found)
    guard found.size == counts.size, found.gzip?.timeStamp == counts.gzip?.timeStamp,
      haveSameBytes(found.gzip?.originalName ?? "", counts.gzip?.originalName ?? ""),
      haveSameBytes(found.zip?.name ?? "", counts.zip?.name ?? ""),
      found.zip?.localTime == counts.zip?.localTime
    else { return false }
    guard (try? file.checkClaims(reader.identity)) != nil else { return false }
    // The stored count is that of the text in UTF-8.
    let isConverted = file.encoding != nil
    if let sum = reader.sumInDirectory {
      return (isConverted || sum.bytes == counts.bytes) && sum.crc32.hexadecimal == crc32
    }
    if counts.gzip?.members == 1,
      try trailer(of: file, size: found.size).starts(
        with: expectedTrailer.prefix(isConverted ? 4 : 8))
    {
      return true
    }
    // The file has no trailer, one for each member, or zeros after it.
    var bytes = count
    while count > 0 {
      count = try reader.read(block.count, into: &block)
      bytes += count
    }
    reader.describe(in: &found)
    return bytes == counts.bytes && found.crc32.hexadecimal == crc32
      && found.gzip?.members == counts.gzip?.members
  }

  /// The end of a file with one member (RFC 1952, section 2.3.1): checksum and length, the lowest byte first.
  private var expectedTrailer: [UInt8] {
    [UInt32(crc32, radix: 16) ?? 0, UInt32(truncatingIfNeeded: counts.bytes)].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
  }

  private func trailer(of file: SourceFolder.File, size: Int) throws(IngestError) -> [UInt8] {
    try mapError(file.open().bytes(8, at: max(size - 8, 0)), as: { .cannotBeRead(file.path, $0) })
  }
}
