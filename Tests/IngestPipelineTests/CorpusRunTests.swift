@testable import Vocabulary
import Corpus
import Foundation
import SQLiteSwiftly
import Schema
import Testing

/// The files of the corpus as dumps of tables that are made for them, through the whole pipeline.
///
/// All that has rows is loaded in one run, a table for each file, and all that cannot be used is in
/// another one, which must name every file.
@Suite(.enabled(if: Corpus.isThere, Comment(rawValue: Corpus.absence)))
struct CorpusRunTests {
  @Test(arguments: Corpus.parts + ["short texts"])
  func `every file is loaded or refused as the corpus expects`(part: String) throws {
    let isShort = part == "short texts"
    let cases = try (isShort ? Corpus.shortTexts() : Corpus.cases(of: part)).filter {
      // Of what is not CSV, or hardly, the corpus tells the bytes only.
      $0.ours.error != nil || $0.ours.header != nil
    }
    let tables = cases.enumerated().map { CorpusTable(name: "c\($0)", of: $1) }
    let sound = tables.filter { $0.fileCodes.isEmpty }
    let refused = tables.filter { !$0.fileCodes.isEmpty }
    try expectAsWanted(sound)
    try expectRefused(refused)
    #expect(!sound.isEmpty && !refused.isEmpty)
  }

  private func expectAsWanted(_ tables: [CorpusTable]) throws {
    let workplace = try Workplace()
    let schema = try prepare(tables, in: workplace)
    let outcome = load(workplace, schema, limit: .percent(100))
    let report = try #require(outcome.report, "\(String(describing: outcome.error))")
    let connection = try Connection(workplace.output, opening: .readOnly)
    for (table, account) in zip(tables, report.tables) {
      let (file, expected) = (table.file, table.file.ours)
      let rows = try table.rows(on: connection)
      #expect(account.inserted == rows.count && account.failure == nil, "\(file.name)")
      let rejects = account.rejected == 0 ? [] : try table.rejects(in: workplace.kept)
      #expect(account.rejected == rejects.count)
      let difference =
        (table.hasAllColumns ? expected.difference(rows: rows) : nil)
        ?? expected.difference(rejects: rejects)
      #expect(
        (difference == nil) == file.isReadAsExpected, "\(file.name): \(difference ?? "the same")")
      if !table.hasAllColumns, let wanted = expected.rows {
        #expect(rows == table.project(wanted), "\(file.name)")
      }
    }
  }

  private func expectRefused(_ tables: [CorpusTable]) throws {
    let workplace = try Workplace()
    let schema = try prepare(tables, in: workplace)
    let outcome = load(workplace, schema, limit: .percent(100))
    #expect(outcome.report == nil)
    #expect(!FileManager.default.fileExists(atPath: workplace.output))
    #expect(outcome.whole.failures.count == tables.count)
    for (index, table) in tables.enumerated() {
      let failure = try #require(outcome.whole.tables[index].failure, "\(table.file.name)")
      #expect(table.fileCodes.contains(failure), "\(table.file.name): \(failure)")
      let message = outcome.whole.failures[index].message
      #expect(message.hasPrefix("\(workplace.path)/dumps/\(table.description.name).csv"))
      // No data may control a terminal.
      let kinds = message.unicodeScalars.map(\.properties.generalCategory)
      #expect(!kinds.contains(.control) && !kinds.contains(.format), "\(table.file.name)")
    }
  }

  private func prepare(
    _ tables: [CorpusTable], in workplace: Workplace
  ) throws -> SchemaDescription {
    for table in tables {
      try table.file.drop(into: workplace.path + "/dumps", table: table.description.name)
    }
    return SchemaDescription(tables: tables.map(\.description), applicationID: 77, version: 1)
  }
}

/// A case of the corpus with a table whose columns are those of its header: texts that may be NULL.
private struct CorpusTable {
  let file: Case
  let description: TableDescription
  /// For each column its place in the header.
  private let places: [Int]

  init(name: String, of file: Case) {
    self.file = file
    let header = file.ours.header ?? []
    var seen: Set<String> = []
    // SQLite knows no two columns that differ in their case only, and we none without a name.
    places = header.indices.filter {
      !header[$0].isEmpty && seen.insert(header[$0].lowercased()).inserted
    }
    var names = places.map { header[$0] }
    if names.isEmpty { names = ["nothing"] }
    description = TableDescription(
      name, columns: names.map { ColumnDescription($0, .text, isNullable: true) }, primaryKey: [])
  }

  var hasAllColumns: Bool { places.count == file.ours.header?.count }

  /// The codes of which one is expected, where nothing of the file may be loaded.
  var fileCodes: Set<FileCode> {
    let expected = file.ours
    if expected.isOfFile { return Self.codes(ofKind: expected.error ?? "") }
    let header = (expected.header ?? []).map { Array($0.utf8) }
    if Set(header).count < header.count { return [.columnDuplicate] }
    // Such a file is cut short as a rule, whatever comes before.
    return file.isOpen && file.isReadAsExpected ? [.unterminatedQuote] : []
  }

  private static func codes(ofKind kind: String) -> Set<FileCode> {
    switch kind {
    case "gzip_not_gzip": [.notGzip]
    case "gzip_truncated": [.gzipTruncated]
    case "gzip_trailing_garbage": [.gzipTrailingData]
    case "gzip_bad_deflate", "gzip_crc_mismatch", "gzip_size_mismatch", "gzip_reserved_flags",
      "gzip_header_crc", "gzip_unsupported_method":
      [.gzipCorrupt]
    case "unsupported_encoding": [.encodingUnsupported]
    case "unterminated_quote": [.unterminatedQuote]
    default: [.headerMissing]
    }
  }

  /// The rows in the order of their coming, an empty field for NULL.
  func rows(on connection: Connection) throws -> [[[UInt8]]] {
    try connection.query("SELECT * FROM \(identifier: description.name) ORDER BY rowid").map {
      $0.map { value in
        if case .text(let text) = value { return Array(text.utf8) }
        return value == .null ? [] : Array("not a text".utf8)
      }
    }
  }

  /// The fields of rows for which the table has columns.
  func project(_ rows: [[String]]) -> [[[UInt8]]] {
    rows.map { row in places.isEmpty ? [[]] : places.map { Array(row[$0].utf8) } }
  }

  /// The records that were kept, each once.
  func rejects(in kept: Kept) throws -> [ExpectedReading.Found] {
    let reasons = try kept.reasons(description.name)
    let records = Dictionary(grouping: reasons) { Int($0["record"]) ?? -1 }
    return records.sorted { $0.key < $1.key }.map { _, reasons in
      ExpectedReading.Found(
        line: Int(reasons[0]["first_line"]) ?? -1,
        kinds: Set(reasons.map { Self.kinds[$0["code"]] ?? $0["code"] }),
        isCertain: reasons[0]["extent"] == "certain")
    }
  }

  /// The codes of what can be wrong with a record's form, in the words of the corpus.
  private static let kinds = [
    "wrong-field-count": "ragged_row", "stray-quote": "quote_in_unquoted",
    "text-after-quote": "text_after_quote", "bare-carriage-return": "bare_cr",
    "nul-byte": "nul_byte", "invalid-utf8": "invalid_utf8",
  ]
}
