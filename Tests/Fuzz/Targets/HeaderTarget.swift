@testable import Validation
@testable import SourceFiles
@testable import Vocabulary
import CSV
import Foundation
import RebrickableCatalog
import SQLiteSwiftly
import Schema
import TestSupport
import IngestReport

/// The header match: whatever the first bytes of a dump are, they are refused, or matched as the rules
/// of the design say.
enum HeaderTarget: FuzzTarget {
  static let name = "header"
  private static let tables = RebrickableCatalog.schema.tables
  private static let path = FileManager.default.temporaryDirectory.path + "/fuzz-header-\(getpid())"

  static func check(_ input: FuzzInput, makesMistake: Bool) {
    var input = input
    let table = tables[input.number(0...tables.count - 1)]
    let capacity = input.flag() ? input.number(1...300) : 8 << 10
    let text = input.data
    let expected = SlowHeaderMatch(text, table)
    let got = match(makesMistake ? withoutRepetitions(text) : text, table, capacity: capacity)
    let context = "\(table.name) \(text): "
    switch got {
    case .success(let match):
      require(expected.code == nil, context + "matched, not \(String(describing: expected.code))")
      require(match.fieldOfColumn == expected.fieldOfColumn, context + "\(match.fieldOfColumn)")
      let codes = match.warnings.map(\.code)
      require(codes == expected.warnings, context + "\(codes), not \(expected.warnings)")
      for warning in match.warnings {
        requirePlain(warning.message + (warning.change?.instruction ?? "") + (warning.column ?? ""))
      }
    case .failure(let error):
      require(error.code?.file == expected.code, context + "\(error), not \(expected)")
      require(error.kind == .data, context + "\(error)")
      requirePlain(error.message)
    }
  }

  private static func match(
    _ text: [UInt8], _ table: TableDescription, capacity: Int
  ) -> Result<HeaderMatch, IngestError> {
    writeFile(path, text)
    let dump = SourceFolder.File(name: "dump.csv", path: path)
    return Result { () throws(IngestError) in
      var batch = RecordBatch(
        capacity: capacity, records: text.count + 1,
        fields: text.count + TableDescription.maximumColumns + 1)
      var parser = try SourceParser(dump, recordLimit: 16 << 20)
      let head = try parser.readHeader(&batch)
      let match = try HeaderMatch(head, table: table, permitting: .known, file: dump, in: batch)
      try parser.checkQuotes(batch)
      repeat { batch.discardParsed() } while try parser.next(&batch)
      return match
    }
  }

  /// The mistake: a column that stands there twice is taken out once, in a text without quotes.
  private static func withoutRepetitions(_ text: [UInt8]) -> [UInt8] {
    guard !text.contains(34), let end = text.firstIndex(of: 10) else { return text }
    var names: [ArraySlice<UInt8>] = []
    for name in text[..<end].split(separator: 44, omittingEmptySubsequences: false)
    where !names.contains(name) {
      names.append(name)
    }
    return Array(names.joined(separator: [44])) + text[end...]
  }

  static let seeds = tables.enumerated().flatMap { index, table in
    let names = table.columns.map(\.name)
    let first = names.joined(separator: ",") + "\n1,2,3\n"
    let second = "\r\n" + names.reversed().joined(separator: ",") + ",new\r\nt,,5\n"
    let third = "\"" + names.joined(separator: "\",\"") + "\"," + (names.first ?? "") + "\n"
    // More fields than are kept.
    let wide = first + String(repeating: ",", count: TableDescription.maximumColumns + 100) + "\n"
    return [first, second, third, String(wide.reversed())].map {
      Array($0.utf8) + [1, 0, UInt8(index)]
    }
  }
}
