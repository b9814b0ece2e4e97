import Corpus
import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Files of the corpus, loaded unchanged as themes by the built command: every tenth, or all.
@Suite(.enabled(if: Corpus.isThere, Comment(rawValue: Corpus.absence)))
struct CorpusCommandTests {
  @Test(arguments: Corpus.parts)
  func `files are loaded or refused as the corpus and the schema specify`(part: String) throws {
    let step = LongTests.areOn ? 1 : 10
    let cases = try Corpus.cases(of: part).enumerated().filter { $0.offset % step == 0 }
      .map(\.element)
    var loaded: [Case] = []
    for file in cases {
      if !file.isReadAsExpected || file.isOpen {
        try expectRefused(file)
      } else if let places = placesOfThemes(in: file.ours.header ?? []) {
        try expectAsModelled(file, places)
        loaded.append(file)
      } else {
        try expectRefused(file)
      }
    }
    print("corpus \(part), by the command: \(cases.tally); with themes: \(loaded.tally)")
    #expect(!cases.isEmpty && !loaded.isEmpty)
  }

  /// The positions of the themes' columns; nil if the header lacks a required one, or has one twice.
  private func placesOfThemes(in header: [String]) -> [Int?]? {
    let names = header.map { Array($0.utf8) }
    let places = ["id", "name", "parent_id"].map { names.firstIndex(of: Array($0.utf8)) }
    return Set(names).count == names.count && places[0] != nil && places[1] != nil ? places : nil
  }

  private func load(_ file: Case) throws -> (Command, ChildProcess.Outcome) {
    let command = try Command()
    let dumps = command.folder + "/dumps"
    try FileManager.default.createDirectory(atPath: dumps, withIntermediateDirectories: false)
    try file.drop(into: dumps, table: "themes")
    return (
      command, try command.load(dumps, "--allow-missing", "all", "--max-rejects", "100%", "-q")
    )
  }

  private func expectMessage(_ result: ChildProcess.Outcome, of file: Case) {
    let failures = result.errors.split(separator: "\n").filter { $0.hasPrefix("ingest: ") }
    #expect(failures.count == 1, "\(file.name): \(result)")
    #expect(failures.first?.contains("/dumps/themes.csv") == true, "\(file.name): \(result)")
    // No data may control a terminal.
    let isPrintable = result.errors.unicodeScalars.allSatisfy {
      $0 == "\n" || ![.control, .format].contains($0.properties.generalCategory)
    }
    #expect(isPrintable, "\(file.name): \(result.errors.debugDescription)")
  }

  private func expectRefused(_ file: Case) throws {
    let (command, result) = try load(file)
    #expect(result.status == 65, "\(file.name): \(result)")
    expectMessage(result, of: file)
    #expect(!FileManager.default.fileExists(atPath: command.catalog), "\(file.name)")
  }

  private func expectAsModelled(_ file: Case, _ places: [Int?]) throws {
    let (command, result) = try load(file)
    let reasons = try reasons(in: command)
    // The corpus rejects records that are not valid CSV.
    let malformed = reasons.filter { Self.codesOfForm.contains($0.code) }
    #expect(
      Set(malformed.map(\.line)) == Set(file.ours.linesOfRejects) || file.ours.rejectCount != nil,
      "\(file.name): \(result)")
    let rowsOfForm = file.ours.rows?.map { row in places.map { $0.map { row[$0] } ?? "" } }
    guard let sound = rowsOfForm else {
      // Too many to list; they are compared without a schema.
      #expect([0, 3].contains(result.status), "\(file.name): \(result)")
      return
    }
    let model = ThemesModel(sound)
    let connection = try Connection(command.catalog, opening: .readOnly)
    let rows = try connection.query("SELECT id, name, parent_id FROM themes ORDER BY id").map {
      $0.map(text)
    }
    #expect(rows == model.rows, "\(file.name)")
    let numbers = Set(malformed.map(\.record))
    let records = (1...sound.count + numbers.count + 1).filter { !numbers.contains($0) }
    var expected: [Int: [String]] = [:]
    for (index, reasons) in model.rejects { expected[records[index]] = reasons.sorted() }
    let found = Dictionary(grouping: reasons.filter { !numbers.contains($0.record) }, by: \.record)
      .mapValues { $0.map { "\($0.code) \($0.column)" }.sorted() }
    #expect(found == expected, "\(file.name)")
    let isWhole = model.rejects.isEmpty && malformed.isEmpty
    #expect(result.status == (isWhole ? 0 : 3), "\(file.name): \(result)")
  }

  private static let codesOfForm: Set = [
    "wrong-field-count", "stray-quote", "text-after-quote", "bare-carriage-return", "nul-byte",
    "invalid-utf8", "record-too-long",
  ]

  private func text(_ value: SQLiteValue) -> String {
    switch value {
    case .text(let text): text
    case .integer(let number): "\(number)"
    default: ""
    }
  }

  private struct Reason {
    let record: Int
    let line: Int
    let column: String
    let code: String
  }

  /// The stored reasons; the columns of themes need no quotes.
  private func reasons(in command: Command) throws -> [Reason] {
    let path = command.catalog + ".rejects/themes.reasons.csv"
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    return try lines.dropFirst().map { line in
      let fields = line.split(separator: ",", maxSplits: 9, omittingEmptySubsequences: false)
      return Reason(
        record: try #require(Int(fields[1])), line: try #require(Int(fields[2])),
        column: String(fields[7]), code: String(fields[8]))
    }
  }
}
