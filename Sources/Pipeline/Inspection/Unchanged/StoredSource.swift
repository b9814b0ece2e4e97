import SourceFiles
import Facts
import Files
import Compression
import SQLiteSwiftly

/// What a catalog says of a file that it was made from.
struct StoredSource {
  private let table: String
  private let isRepaired: Bool
  /// The file, as the run that has read it described it.
  let account: SourceCounts
  private let crc32: String

  /// Reads a row of `ingest_sources`, in which somebody can have put anything.
  init(_ row: [SQLiteValue]) {
    // Sums of such numbers have room.
    func integer(_ place: Int) -> Int {
      row[place].integerValue.flatMap { 0...1 << 48 ~= $0 ? Int($0) : nil } ?? -1
    }
    table = row[0].textValue ?? ""
    isRepaired = row[2] != .integer(0)
    crc32 = row[4].textValue ?? ""
    var account = SourceCounts(name: row[1].textValue ?? "")
    account.size = integer(3)
    if row[5] != .null {
      var gzip = SourceCounts.Gzip()
      gzip.members = integer(5)
      gzip.timeStamp = row[6].integerValue.flatMap { UInt32(exactly: $0) }
      gzip.originalName = row[7].textValue
      account.gzip = gzip
    }
    account.zip = row[13].textValue.map { name in
      SourceCounts.Zip(name: name, localTime: row[14].integerValue.map { Int($0) })
    }
    account.bytes = integer(8)
    account.records = integer(9)
    account.loaded.records = integer(10)
    account.rejected.records = integer(11)
    account.leftOut.records = integer(12)
    account.crc32 = UInt32(crc32, radix: 16) ?? 0
    account.isRepaired = isRepaired
    // What a replay repaired is never unchanged.
    account.isRepairs = isRepaired
    account.isComplete = true
    self.account = account
  }

  /// Whether it is a dump of that name, or a file of repairs.
  func isOf(_ table: String, _ name: String, isRepaired: Bool = false) -> Bool {
    self.isRepaired == isRepaired && haveSameBytes([self.table, account.name], [table, name])
  }

  /// Whether a file is the one that was read.
  func isSame(as file: SourceFolder.File) throws(IngestError) -> Bool {
    var reader = try SourceReader(file)
    var block = [UInt8](repeating: 0, count: Tuning.batchBytes)
    // With the first byte comes what the header says.
    var count = try reader.read(1, into: &block)
    var found = SourceCounts(name: file.name)
    reader.describe(in: &found)
    guard found.size == account.size, found.gzip?.timeStamp == account.gzip?.timeStamp,
      haveSameBytes(found.gzip?.originalName ?? "", account.gzip?.originalName ?? ""),
      haveSameBytes(found.zip?.name ?? "", account.zip?.name ?? ""),
      found.zip?.localTime == account.zip?.localTime
    else { return false }
    if let sum = reader.sumInDirectory {
      return sum.bytes == account.bytes && sum.crc32.hexadecimal == crc32
    }
    if account.gzip?.members == 1, try trailer(of: file, size: found.size) == expectedTrailer {
      return true
    }
    // It has no trailer, one for each of its members, or zeros behind it.
    var bytes = count
    while count > 0 {
      count = try reader.read(block.count, into: &block)
      bytes += count
    }
    reader.describe(in: &found)
    return bytes == account.bytes && found.crc32.hexadecimal == crc32
      && found.gzip?.members == account.gzip?.members
  }

  /// What a file of one member ends in (RFC 1952, section 2.3.1): checksum and length, the lowest byte first.
  private var expectedTrailer: [UInt8] {
    [UInt32(crc32, radix: 16) ?? 0, UInt32(truncatingIfNeeded: account.bytes)].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
  }

  private func trailer(of file: SourceFolder.File, size: Int) throws(IngestError) -> [UInt8] {
    do throws(FileError) {
      return try file.open().bytes(8, at: max(size - 8, 0))
    } catch {
      throw IngestError(.inputOutput, "\(file.path): cannot be read: \(error.message).")
    }
  }
}
