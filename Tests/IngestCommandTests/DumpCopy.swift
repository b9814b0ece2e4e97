import Foundation
import TestSupport

/// A copy of a folder of source files that a test may damage.
struct DumpCopy {
  let path: String

  /// Copies `source` into the command's folder, as `dumps`.
  init(of source: String, for command: Command) throws {
    path = command.folder + "/dumps"
    try FileManager.default.copyItem(atPath: source, toPath: path)
  }

  /// Removes the source file of a table.
  func removing(_ table: String) throws -> DumpCopy {
    try FileManager.default.removeItem(atPath: "\(path)/\(table).csv.gz")
    return self
  }

  /// Changes the stored bytes of a table's source file, or removes it if none are left.
  func changeBytes(of table: String, _ change: (Data) -> Data?) throws {
    let url = URL(fileURLWithPath: "\(path)/\(table).csv.gz")
    let changed = change(try Data(contentsOf: url))
    try FileManager.default.removeItem(at: url)
    try changed?.write(to: url)
  }

  /// Changes the lines of a table's source file, with their line endings; it is then uncompressed.
  func changeLines(of table: String, _ change: (inout [Data]) -> Void) throws {
    var lines = try lines(of: table)
    change(&lines)
    try? FileManager.default.removeItem(atPath: "\(path)/\(table).csv.gz")
    try Data(lines.joined()).write(to: URL(fileURLWithPath: "\(path)/\(table).csv"))
  }

  /// Changes the fields of all records of a table's source file.
  func changeFields(of table: String, _ change: (inout [String]) -> Void) throws {
    let input = Array(try lines(of: table).joined())
    let reader = ReferenceReader(input, recordLimit: input.count, fieldLimit: input.count)
    let records = try reader.read().records.map { record in
      record.fields.map { String(decoding: $0, as: UTF8.self) }
    }
    try changeLines(of: table) { lines in
      lines = records.enumerated().map { place, record in
        var fields = record
        if place > 0 { change(&fields) }
        let quoted = fields.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
        return Data((quoted.joined(separator: ",") + "\n").utf8)
      }
    }
  }

  /// The lines of a table's source file, with their line endings.
  func lines(of table: String) throws -> [Data] {
    let plain = "\(path)/\(table).csv"
    let content =
      FileManager.default.fileExists(atPath: plain)
      ? try Data(contentsOf: URL(fileURLWithPath: plain)) : try decompressed(plain + ".gz")
    var lines = content.split(separator: 0x0a, omittingEmptySubsequences: false).map { $0 + [0x0a] }
    lines.removeLast()
    return lines
  }

  private func decompressed(_ path: String) throws -> Data {
    let copy = path + ".plain"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    _ = try ChildProcess("/bin/sh", ["-c", "gunzip -c \"$0\" >\"$1\"", path, copy]).run()
    return try Data(contentsOf: URL(fileURLWithPath: copy))
  }
}
