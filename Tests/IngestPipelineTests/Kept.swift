import Foundation
import Testing

/// What a run left of its rejected records, read by other means than those that wrote it.
struct Kept {
  let folder: String

  /// One line of `TABLE.reasons.csv`.
  struct Reason {
    let fields: [String: String]

    subscript(_ name: String) -> String { fields[name] ?? "no column \(name)" }
    var bytes: Range<Int> {
      let offset = Int(self["offset"]) ?? -1
      return offset..<offset + (Int(self["length"]) ?? 0)
    }
  }

  init(_ folder: String) { self.folder = folder }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
  }

  /// Replaces text in a file, which must be there.
  func replace(_ old: String, by new: String, in name: String) throws {
    let text = String(decoding: try data(name), as: UTF8.self)
    try #require(text.contains(old))
    try write(name, text.replacingOccurrences(of: old, with: new))
  }

  func records(_ table: String) throws -> String {
    String(decoding: try data("\(table).csv"), as: UTF8.self)
  }

  func reasons(_ table: String) throws -> [Reason] { try list("\(table).reasons.csv") }

  var manifest: [Reason] { get throws { try list("manifest.csv") } }

  /// The lines of a CSV file by the names in its header.
  private func list(_ name: String) throws -> [Reason] {
    let text = try #require(String(data: try data(name), encoding: .utf8))
    var rows: [[String]] = [[""]]
    var isQuoted = false
    var wasQuote = false
    // Scalars, for a Character may join a comma with what follows it.
    for scalar in text.unicodeScalars {
      let (row, field) = (rows.count - 1, rows[rows.count - 1].count - 1)
      switch (scalar, isQuoted) {
      case ("\"", _):
        // The second of two quotes inside quotes is one.
        if !isQuoted, wasQuote { rows[row][field].append("\"") }
        isQuoted.toggle()
      case (",", false): rows[row].append("")
      case ("\n", false): rows.append([""])
      default: rows[row][field].unicodeScalars.append(scalar)
      }
      wasQuote = scalar == "\"" && !isQuoted
    }
    try #require(rows.removeLast() == [""], "\(name) must end with a line feed")
    let header = rows.removeFirst()
    return try rows.map { row in
      try #require(row.count == header.count, "\(name): \(row)")
      return Reason(fields: Dictionary(uniqueKeysWithValues: zip(header, row)))
    }
  }
}

extension Workplace {
  /// The folder of the rejected records that belongs to the output.
  var kept: Kept { Kept(output + ".rejects") }

  func dump(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path + "/dumps/" + name))
  }
}

/// What is added after a rejected record, so that none runs into the next one and none becomes another.
func addedLineEnd(after record: Data) -> Data {
  switch record.last {
  case 0x0a: Data()
  case 0x0d: Data([0x0d, 0x0a])
  default: Data([0x0a])
  }
}
