import Foundation
import Testing
@testable import Text

@Suite struct JSONTests {
  private static let layouts: [JSON.Layout] = [.record, .line, .description, .metadata, .report]

  /// Foundation reads the same texts to the same values.
  @Test(
    arguments: [
      #"{"a": [1, -2.5e3, true, false, null, ""], "b": {}}"#,
      #"["\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00", "é€😀"]"#,
      " [ ] ", "\u{FEFF}{\"x\": 0}", "[[[[]]]]",
    ])
  func `values are read and written`(text: String) throws {
    let json = try read(text)
    let plain = text.replacing("\u{FEFF}", with: "")
    let expected = try JSONSerialization.jsonObject(with: Data(plain.utf8)) as? NSObject
    for layout in Self.layouts {
      let written = json.written(as: layout)
      #expect(try JSONSerialization.jsonObject(with: Data(written.utf8)) as? NSObject == expected)
    }
  }

  @Test func `values are counted`() {
    var reader = JSONReader(Array("[{\"a\": [0]}, 1]".utf8), mostValues: 5)
    #expect(throws: Never.self) { try reader.read() }
    #expect(reader.valuesLeft == 0)
    reader = JSONReader(Array("[0, 0, 0]".utf8), mostValues: 3)
    let mistake = #expect(throws: JSONReader.Mistake.self) { try reader.read() }
    #expect(mistake?.problem == "too many values")
  }

  @Test(
    arguments: [
      (JSON("a\"\\\n\u{1}\u{1F}\u{7F}é"), #""a\"\\\n\u0001\u001f\u007fé""#),
      (JSON(-5), "-5"), (JSON(true), "true"), (JSON(false), "false"),
      (JSON(["a", JSON(1)]), #"["a", 1]"#), (JSON([JSON]()), "[]"), (JSON(members: []), "{}"),
      (
        JSON(members: [("b", "1"), ("a", JSON(members: [("c", "2")]))]),
        "{\n  \"b\": \"1\",\n  \"a\": {\n    \"c\": \"2\"\n  }\n}"
      ),
    ])
  func `metadata have one member per line`(value: JSON, text: String) {
    #expect(value.written(as: .metadata) == text)
  }

  @Test(
    arguments: [
      (JSON("\n\u{202E}\u{1F600}\u{E0001}"), #""\u000a\u202e😀\udb40\udc01""#),
      (JSON(1.0), "1.0"), (JSON(.infinity), "null"),
      (["b": "x", "a": .null] as JSON, #"{"a": null, "b": "x"}"#),
    ])
  func `a record is on one line without terminal control characters`(value: JSON, text: String) {
    #expect(value.written(as: .record) == text)
  }

  @Test func `a description has short values on one line`() throws {
    let value = try read(#"{"a": {"b": [1, 2]}, "c": {"d": {"e": 1}}, "f": "x\ny"}"#)
    #expect(
      value.written(as: .description) == """
        {
          "a": {"b": [1, 2]},
          "c": {
            "d": {"e": 1}
          },
          "f": "x\\ny"
        }
        """)
  }

  /// Programs depend on the format of reports as Foundation's encoder wrote them.
  @Test func `a report is written as Foundation writes it`() throws {
    let numbers = [
      0, 1, -1.5, 0.1, 1e-6, 1.25e-7, 123_456_789.25, 1e15, 1e16, 1e22, 0x1p53, 3e-300,
    ]
    let texts = ["", "a/b \"c\" \\", "é€😀", (0..<0x20).map { String(UnicodeScalar($0)) }.joined()]
    let names = ["b", "a", "B", "Z", "_", "a_b", "ab", "a1", "a10", "a2", "é", "日"]
    let written = JSON([
      "numbers": JSON(numbers.map { JSON($0) }), "texts": JSON(texts), "none": JSON([JSON]()),
      "empty": JSON([String: JSON]()), "yes": JSON(true), "null": .null, "integer": JSON(Int.min),
      "names": JSON(Dictionary(uniqueKeysWithValues: names.map { ($0, JSON($0)) })),
    ])
    struct Report: Encodable {
      let numbers: [Double]
      let texts: [String]
      let none: [Int] = []
      let empty: [String: Int] = [:]
      let yes = true
      let null: Int?? = .some(nil)
      let integer = Int.min
      let names: [String: String]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let report = Report(
      numbers: numbers, texts: texts,
      names: Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }))
    let expected = String(decoding: try encoder.encode(report), as: UTF8.self)
    #expect(written.written(as: .report) == expected)
  }

  /// A character may have accents without end.
  @Test func `a message shows the beginning of a long text`() {
    let text = JSON(String(repeating: "e\u{301}", count: 1000))
    #expect(text.shortened == "\"" + String(repeating: "e\u{301}", count: 30) + "\"...")
    // Most of them are escaped.
    #expect(JSON("a" + String(repeating: "\u{301}", count: 1000)).shortened.utf8.count < 350)
  }

  private func read(_ text: String) throws -> JSON {
    var reader = JSONReader(Array(text.utf8), mostValues: 100)
    return try reader.read()
  }
}
