import GzipWriting

/// A way of making every record of a dump a bad one.
enum Damage: String, CaseIterable {
  case fieldTooMany = "a field too many in every record"
  case wrongFields = "an x before every field"
  /// The dearest: the records' bytes stand beside the reasons a second time.
  case notText = "a byte that is not UTF-8 in every record"

  /// Writes damaged copies of plain dumps, compressed, into a folder that is there.
  ///
  /// - Parameters:
  ///   - tables: the names of the dumps.
  ///   - source: the folder that has them, with lines that end in CRLF.
  ///   - target: the folder for the copies.
  /// - Throws: `Failure` if one cannot be read or written.
  func copy(_ tables: [String], from source: String, to target: String) throws {
    for table in tables {
      var writer = GzipWriter(level: 6)
      writer.write(damaged(try fileBytes("\(source)/\(table).csv")).span)
      let path = "\(target)/\(table).csv.gz"
      let output = try Output(path: path)
      defer { output.close() }
      try output.write(writer.finish())
    }
  }

  private func damaged(_ dump: [UInt8]) -> [UInt8] {
    let (comma, lineFeed, letter) = (UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "x"))
    var damaged: [UInt8] = []
    damaged.reserveCapacity(dump.count * 3 / 2)
    var isHeader = true
    for byte in dump {
      if !isHeader, byte == UInt8(ascii: "\r") {
        switch self {
        case .fieldTooMany: damaged += [comma, letter]
        case .notText: damaged.append(0xe9)
        case .wrongFields: break
        }
      }
      damaged.append(byte)
      if byte == lineFeed { isHeader = false }
      if !isHeader, self == .wrongFields, byte == lineFeed || byte == comma {
        damaged.append(letter)
      }
    }
    if self == .wrongFields { damaged.removeLast() }
    return damaged
  }
}
