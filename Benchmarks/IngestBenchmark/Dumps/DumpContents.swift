import Schema
import Platform
import Compression
import RebrickableCatalog
import SQLiteSwiftly

/// What the generator wrote into a set of dumps, counted without the project's parser and validator.
///
/// Its records have no line end inside quotes, and those of inventory_parts no quotes.
struct DumpContents {
  /// The records of each table.
  private(set) var records: [String: Int] = [:]
  /// The columns of each table, in the order of its dump.
  private(set) var columns: [String: [String]] = [:]
  /// The decompressed bytes of each table.
  private(set) var bytes: [String: Int] = [:]
  /// The sums over all records of inventory_parts.
  private(set) var partSums = Sums()
  /// The sums over the first of them, as many as `PartRows` keeps.
  private(set) var keptPartSums = Sums()

  /// Counts what is in the compressed dumps of a folder.
  init(of folder: String) throws {
    var scan = PartScan()
    for table in RebrickableCatalog.schema.tables.map(\.name) {
      var lines = 0
      try Self.read("\(folder)/\(table).csv.gz") { block in
        if lines == 0 {
          let header = block.prefix { $0 != UInt8(ascii: "\r") }
          let text = String(decoding: header, as: UTF8.self)
          columns[table] = text.split(separator: ",").map(String.init)
        }
        for byte in block where byte == UInt8(ascii: "\n") { lines += 1 }
        bytes[table, default: 0] += block.count
        if table == RebrickableCatalog.inventoryParts.name { scan.take(block) }
      }
      records[table] = lines - 1
    }
    partSums = scan.sums
    keptPartSums = scan.keptSums
  }

  /// All records of all tables.
  var allRecords: Int { records.values.reduce(0, +) }

  /// All decompressed bytes.
  var allBytes: Int { bytes.values.reduce(0, +) }

  private static func read(_ path: String, _ take: (ArraySlice<UInt8>) -> Void) throws {
    var reader = try GzipReader(FileReader(path: path))
    var block = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      var room = block.mutableSpan
      let count = try reader.read(into: &room)
      take(block[..<count])
      if count < block.count { return }
    }
  }
}

/// A walk over `inventory_id,part_num,color_id,quantity,is_spare,img_url` in every line.
private struct PartScan {
  private(set) var sums = Sums(rows: -1)
  private(set) var keptSums = Sums()
  private var column = 0
  private var number: Int64 = 0
  private var sign: Int64 = 1
  private var length: Int64 = 0

  mutating func take(_ block: ArraySlice<UInt8>) {
    for byte in block {
      switch byte {
      case UInt8(ascii: ","): endField()
      case UInt8(ascii: "\n"):
        endField()
        column = 0
        sums.rows += 1
        if sums.rows.isMultiple(of: Int64(PartRows.multiple)), sums.rows <= PartRows.limit {
          keptSums = sums
        }
      case UInt8(ascii: "\r"): break
      case UInt8(ascii: "-") where length == 0:
        sign = -1
        length += 1
      default:
        // Wraps in the columns that are no numbers.
        number = number &* 10 &+ Int64(byte) &- 48
        length += 1
      }
    }
  }

  private mutating func endField() {
    // The header's line is not a record.
    if sums.rows >= 0 {
      switch column {
      case 0, 2, 3: sums.integers += sign * number
      case 4: sums.integers += length == 4 ? 1 : 0  // True
      default: sums.textBytes += length
      }
    }
    (column, number, sign, length) = (column + 1, 0, 1, 0)
  }
}
