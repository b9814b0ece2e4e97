import Vocabulary
import Foundation
import Schema
import Testing

/// Whether the last record of a source file has a line end.
struct FinalNewlineTests {
  @Test(arguments: [
    ("id,name,note\n1,a,b\n", true), ("id,name,note\n1,a,b", false), ("id,name,note\n1,a,", false),
    ("id,name,note\r\n1,a,b\r\n", true), ("id,name,note\r\n1,a,b", false),
    ("id,name,note\n1,a,\"b\n\"", false), ("id,name,note\n1,a,\"b\n\"\n", true),
    ("id,name,note\n1,a,b\n\n", true), ("id,name,note\n", true), ("id,name,note", false),
  ])
  func `a file is checked for its last line end`(text: String, isEnded: Bool) throws {
    let workplace = try Places.workplace(["places.csv": text])
    let outcome = loaded(workplace, Places.schema { _ in })
    let warnings = outcome.warnings.filter { $0.code == .noFinalNewline }
    #expect(warnings.map(\.file) == (isEnded ? [] : ["places.csv"]))
    #expect(
      warnings.map(\.suggestedSuppression) == (isEnded ? [] : ["no-final-newline places.csv"]))
  }

  @Test func `only a compressed file may have been cut before`() throws {
    let message = "the last record has no line end: the file may have been cut"
    for (name, end) in [("places.csv", ""), ("places.csv.gz", " before it was compressed")] {
      let workplace = try Workplace()
      let text = "id,name,note\n1,a,b"
      try Data(end.isEmpty ? Array(text.utf8) : gzip(text)).write(
        to: URL(fileURLWithPath: workplace.path + "/dumps/" + name))
      let warnings = loaded(workplace, Places.schema { _ in }).warnings
      #expect(warnings.filter { $0.code == .noFinalNewline }.map(\.message) == [message + end])
    }
  }

  @Test(arguments: [
    ("id|name|note;1|a|b;", true), ("id|name|note;1|a|b", false), ("id|name|note;1|a|b\n", false),
  ])
  func `a terminator of its own is the line end`(text: String, isEnded: Bool) throws {
    let schema = Places.schema {
      $0.dialect.delimiter = "|"
      $0.dialect.lineTerminator = ";"
    }
    let outcome = load(try Places.workplace(["places.csv": text]), schema)
    #expect(outcome.warnings.contains { $0.code == .noFinalNewline } == !isEnded)
  }

  /// Larger than a batch, and as large as one, so that the end is found by another reading.
  @Test(arguments: [0, 1, 2, 3, 1 << 20, (1 << 20) + 1, 3 << 20])
  func `the place of the end does not matter`(count: Int) throws {
    let name = String(repeating: "x", count: 97)
    let lines = (0..<(count / 100 + 1)).map { "\($0),\(name),b" }.joined(separator: "\n")
    for end in ["", "\n"] {
      let text = "id,name,note\n" + lines + end
      let outcome = load(try Places.workplace(["places.csv": text]), Places.schema { _ in })
      #expect(outcome.warnings.contains { $0.code == .noFinalNewline } == end.isEmpty)
    }
  }
}
