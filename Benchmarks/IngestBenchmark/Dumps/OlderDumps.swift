import GzipWriting

/// The dumps of the previous day: the same, except that 0.5% of the rows of two tables are missing or
/// different.
enum OlderDumps {
  /// One of 400 records of inventory_parts is missing, and one is different; one of 200 records of
  /// elements is missing.
  private static let period = 400

  /// Writes them from existing dumps into an existing folder.
  ///
  /// - Parameters:
  ///   - tables: the names of the dumps.
  ///   - plain: the folder of the dumps as CSV, with lines that end in CRLF.
  ///   - compressed: the folder of the same dumps, compressed.
  ///   - target: the folder of the older ones.
  /// - Throws: `Failure` if one cannot be read or written.
  static func write(
    _ tables: [String], plain: String, compressed: String, to target: String
  ) throws {
    for table in tables {
      let output = try Output(path: "\(target)/\(table).csv.gz")
      defer { output.close() }
      guard table == "inventory_parts" || table == "elements" else {
        try output.write(fileBytes("\(compressed)/\(table).csv.gz"))
        continue
      }
      var writer = GzipWriter(level: 6)
      writer.write(older(try fileBytes("\(plain)/\(table).csv"), of: table).span)
      try output.write(writer.finish())
    }
  }

  private static func older(_ dump: [UInt8], of table: String) -> [UInt8] {
    let isParts = table == "inventory_parts"
    let period = isParts ? period : period / 2
    var older: [UInt8] = []
    older.reserveCapacity(dump.count * 101 / 100)
    // The header is line 0, and the first record of each period is missing.
    var (line, commas) = (0, 0)
    for byte in dump {
      if line % period != 1 { older.append(byte) }
      if byte == UInt8(ascii: ",") {
        commas += 1
        // One more digit makes another quantity.
        if isParts, commas == 3, line % period == 2 { older.append(UInt8(ascii: "1")) }
      } else if byte == UInt8(ascii: "\n") {
        (line, commas) = (line + 1, 0)
      }
    }
    return older
  }
}
