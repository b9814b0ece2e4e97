@testable import Vocabulary
import Foundation
import Schema
import SourceFiles
import SQLiteSwiftly
import TestSupport
import Text
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
    // A byte that Windows-1252 does not have, far after the first words.
    (
      Data("id,name\n1,Caf".utf8) + Data([0x8E, 0x0A]) + Data(long.utf8)
        + Data("1,cr".utf8) + Data([0x8F, 0x6D, 0x65, 0x0A]),
      "macintosh"
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
    let isGuessed = expected?.hasPrefix("utf") == false
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

  /// Names of places and people, with the encodings in which files of such a language come.
  private static let names: [(encodings: [String], names: String)] = [
    (["CP932", "EUC-JP"], "東京都 札幌市 横浜市 さいたま市 アイルランド 田中太郎 鈴木花子 ソ連 表示"),
    (["EUC-KR", "UHC"], "서울특별시 부산광역시 김민수 박지현 이영희 대한민국 경상북도 강릉시"),
    (["GB18030", "GBK"], "北京市 上海市 广东省 深圳市 王小明 李建国 张丽 有限公司"),
    (["BIG5"], "臺北市 新竹縣 高雄市 陳美玲 林志明 中華民國 有限公司 股份"),
    (["CP1250", "ISO-8859-2", "CP852"], "Łódź Kraków Gdańsk Wałęsa Częstochowa Świętochłowice"),
    (["CP1250", "ISO-8859-2"], "Plzeň Třebíč Dvořák Žďár Novotný Českýkrumlov"),
    (
      ["CP1251", "KOI8-R", "ISO-8859-5", "CP866", "MAC-CYRILLIC"],
      "Москва Казань ПЕРМЬ Иванов Новгород"
    ),
    (
      ["CP1252", "ISO-8859-15", "MACINTOSH", "CP850"], "Zürich Köln Größe Françoise Besançon Malmö"
    ),
    (["CP1252", "ISO-8859-15", "MACINTOSH"], "Besançon cœur Hélène œuvre Noël sœur 10€"),
    (["CP1252", "ISO-8859-15", "MACINTOSH"], "José Peña Málaga Cádiz Ángel Núñez"),
    (["CP1252", "MACINTOSH"], "don’t “quoted” Beyoncé café © 10 °C"),
    (["CP1254"], "İstanbul Eskişehir Ağrı Muğla Işık Çağlar Gökçe"),
    (["CP1253", "ISO-8859-7"], "Αθήνα Θεσσαλονίκη Ηράκλειο Γιώργος Άρτα"),
    (["CP1255"], "ירושלים חיפה באר שבע"), (["CP1256"], "القاهرة بغداد محمد أحمد"),
    (["CP1257"], "Šiauliai Kėdainiai Mažeikiai Rīga Liepāja Žalgirųgatvė"),
    (["CP874"], "กรุงเทพ เชียงใหม่ ภูเก็ต"),
  ]

  @Test(arguments: names.indices) func `names of a language are read`(index: Int) throws {
    let (encodings, text) = Self.names[index]
    let workplace = try Workplace()
    let names = text.split(separator: " ").map(String.init)
    let file = "id,name\n" + names.enumerated().map { "\($0),\($1)\n" }.joined()
    for encoding in encodings {
      let bytes = try Self.encode(file, in: encoding)
      let url = URL(fileURLWithPath: workplace.path + "/dumps/\(encoding).csv")
      try bytes.write(to: url)
      let guess = try EncodingGuess(.init(name: encoding, path: url.path))
      #expect(
        Self.decode(bytes, from: try #require(guess.name)) == file, "\(encoding): \(guess)")
      guard case .guessedEncoding(let best, _) = guess.doubt else {
        Issue.record("no doubt about \(encoding)")
        continue
      }
      #expect(best.text == names.first { !$0.utf8.allSatisfy { $0 < 0x80 } })
    }
  }

  private static func decode(_ bytes: Data, from encoding: String) -> String? {
    guard let decoder = TextDecoder(of: encoding) else { return nil }
    var text = [UInt8](repeating: 0, count: bytes.count * 4 + TextDecoder.longestCharacter)
    var room = text.mutableSpan
    let count = decoder.decode(Array(bytes).span, into: &room).written
    var rest = room._mutatingExtracting(count..<room.count)
    return String(decoding: text[..<(count + decoder.flush(into: &rest))], as: UTF8.self)
  }

  private static func encode(_ text: String, in encoding: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/iconv")
    process.arguments = ["-f", "UTF-8", "-t", encoding]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data(text.utf8))
    try input.fileHandleForWriting.close()
    let encoded = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return encoded
  }

  /// Two encodings of nearly the same likelihood, one that is stated, and a file that is no text.
  @Test func `what a guess cannot decide is reported`() throws {
    let workplace = try Workplace()
    let url = URL(fileURLWithPath: workplace.path + "/dumps/t.csv")
    try Data("id,name\n1,".utf8 + [0xB9, 0x69, 0x0A]).write(to: url)
    var options = InferenceOptions(source: workplace.path + "/dumps")
    let family = try FamilyInference(options: options).run()
    let words = try #require(family.tables.first?.doubts.first?.words)
    let guesses =
      "its encoding may be windows-1250, so that it contains \"ąi\", or iso-8859-2 (\"ši\")"
    #expect(words.contains(guesses) && words.contains("--encoding"))

    options.stated.encoding = "CP1252"
    let stated = try FamilyInference(options: options).run()
    #expect(stated.schema.sources.map(\.encoding) == ["CP1252"])
    #expect(stated.tables.map(\.doubts) == [[]])

    options.stated.encoding = nil
    var noise: [UInt8] = []
    for index in 0..<200 { noise.append(UInt8(0x80 | (index * index * 7 + index * 3) & 0x7F)) }
    try Data("id,name\n1,".utf8 + noise + [0x0A]).write(to: url)
    let error = #expect(throws: IngestError.self) { try FamilyInference(options: options).run() }
    let advice = "no known encoding fits the text. Pass its encoding to --encoding"
    #expect(error?.message.contains(advice) == true)
  }

  /// The second column's type and missing values.
  @Test(arguments: [
    ("id,genre\n1,\"1,10\"\n2,\"1,1\"\n3,3\n", "text"),
    ("id;size\n1;1,10\n2;1,15\n", "real"),
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

  /// Times that are equal, but written differently, are two keys as texts.
  @Test(arguments: [
    "2024-01-01 10:00:00,2024-01-01 10:00:00.000", "2024-01-01 12:00:00+02,2024-01-01 10:00:00+00",
    "2024-01-01T12:00:00+02:00,2024-01-01T10:00:00Z",
  ])
  func `times in variants are a key of texts`(times: String) throws {
    let workplace = try Workplace()
    let separator = times.contains("T") ? "T" : " "
    let others = (10..<50).map { "2024-02-01\(separator)10:00:\($0)" }
    let lines = (times.split(separator: ",").map(String.init) + others).map { "\($0),1\n" }
    try workplace.write("t.csv", "time_id,n\n" + lines.joined())
    let schema = try FamilyInference(options: InferenceOptions(source: workplace.path + "/dumps"))
      .run().schema
    #expect(schema.tables[0].primaryKey == ["time_id"])
    #expect(schema.tables[0].columns[0].type == .text && schema.tables[0].columns[0].domain == nil)
  }
}
