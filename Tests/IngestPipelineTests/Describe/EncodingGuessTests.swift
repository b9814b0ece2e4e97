@testable import Vocabulary
import Foundation
import Schema
import SourceFiles
import SQLiteSwiftly
import TestSupport
import Testing
@testable import Inference

/// Encodings and values that a description finds; it must then load the same files.
@Suite struct EncodingGuessTests {
  private static let text = "id,name\n1,Café\n2,x\n"
  private static let long = String(repeating: "1,abcdefghijklm\n", count: 20_000)

  static let cases: [(Data, String?)] = [
    (Data(text.utf8), nil), (Data("id\n1\n".utf8), nil), (Data(), nil),
    (Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8), nil),
    (Data([0xFF, 0xFE]) + (text.data(using: .utf16LittleEndian) ?? Data()), "utf-16"),
    (Data([0xFE, 0xFF]) + (text.data(using: .utf16BigEndian) ?? Data()), "utf-16"),
    (text.data(using: .utf32) ?? Data(), "utf-32"),
    (text.data(using: .isoLatin1) ?? Data(), "windows-1252"),
    // A character that is incomplete at the end of the file.
    (Data("id,name\n1,Caf".utf8) + Data([0xE9]), "windows-1252"),
    // A byte that only ISO 8859-1 has, also far before the first one that is not UTF-8.
    (Data("id,name\n1,Caf".utf8) + Data([0xE9, 0x81, 0x0A]), "iso-8859-1"),
    (
      Data("id,name\n1,Á\n".utf8) + Data(long.utf8) + Data([0x31, 0x2C, 0xE9, 0xE9, 0x0A]),
      "iso-8859-1"
    ),
    // Damage of a few bytes does not make another encoding.
    (Data("id,name\n1,éèê\n2,".utf8) + Data([0xE9, 0x0A]), nil),
  ]

  @Test(arguments: cases.indices) func `an encoding is found, and can be read`(index: Int) throws {
    let (content, expected) = Self.cases[index]
    let workplace = try Workplace()
    let url = URL(fileURLWithPath: workplace.path + "/dumps/t.csv")
    try content.write(to: url)
    let guess = try EncodingGuess(.init(name: "t.csv", path: url.path))
    #expect(guess.name == expected)
    let isGuessed = expected == "windows-1252" || expected == "iso-8859-1"
    #expect((guess.doubt != nil) == isGuessed)
    guard expected != nil else { return }
    let family = try FamilyInference(options: InferenceOptions(source: workplace.path + "/dumps"))
      .run()
    let doubts = try #require(family.tables.first).doubts
    #expect(
      family.skipped.isEmpty
        && !doubts.contains { if case .unreadableRecords = $0 { true } else { false } },
      "\(family.skipped) \(doubts)")
  }

  /// The second column's type and missing values.
  @Test(arguments: [
    ("id,genre\n1,\"1,10\"\n2,\"1,1\"\n3,3\n", "text"),
    ("id;size\n1;1,10\n2;1,1\n", "real"),
    ("id;kind_id\n1;1,10\n2;1,1\n", "text"),
    ("id,n,t\n1,NULL,NULL\n2,5,x\n", "integer NULL"),
    ("id,t,n\n1,NULL,NULL\n2,x,5\n", "text NULL"),
    ("id,t,n\n1,NULL,-\n2,x,5\n", "text"),
  ])
  func `values are read as what they mean`(content: String, expected: String) throws {
    let workplace = try Workplace()
    try workplace.write("t.csv", content)
    let schema = try FamilyInference(options: InferenceOptions(source: workplace.path + "/dumps"))
      .run().schema
    let words =
      ["\(schema.tables[0].columns[1].type)"]
      + schema.sources[0].formats[1].missingValues.dropFirst()
    #expect(words.joined(separator: " ") == expected)
    let outcome = load(workplace, schema.withSources { $0.place = .named })
    #expect(outcome.error == nil && outcome.rejects.isEmpty)
  }

  /// Times that are equal, but written differently, are not two keys.
  @Test(arguments: [
    "2024-01-01 10:00:00,2024-01-01 10:00:00.000", "2024-01-01 12:00:00+02,2024-01-01 10:00:00+00",
    "2024-01-01T12:00:00+02:00,2024-01-01T10:00:00Z",
  ])
  func `times in variants are not a key`(times: String) throws {
    let workplace = try Workplace()
    let separator = times.contains("T") ? "T" : " "
    let others = (10..<50).map { "2024-02-01\(separator)10:00:\($0)" }
    let lines = (times.split(separator: ",").map(String.init) + others).map { "\($0),1\n" }
    try workplace.write("t.csv", "time_id,n\n" + lines.joined())
    let schema = try FamilyInference(options: InferenceOptions(source: workplace.path + "/dumps"))
      .run().schema
    #expect(schema.tables[0].primaryKey == [])
  }
}
