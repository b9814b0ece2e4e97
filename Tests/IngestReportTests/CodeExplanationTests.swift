@testable import Vocabulary
import Foundation
import Testing
@testable import DataPackage
@testable import IngestReport

@Suite struct CodeExplanationTests {
  @Test func `every code has one explanation, in sentences`() {
    let codes: [CodeExplanation.Level: [String]] = [
      .description: DescriptionCode.allCases.map(\.rawValue),
      .file: FileCode.allCases.map(\.rawValue), .run: RunCode.allCases.map(\.rawValue),
      .record: RecordCode.allCases.map(\.rawValue), .warning: WarningCode.allCases.map(\.rawValue),
    ]
    for level in CodeExplanation.Level.allCases {
      #expect(CodeExplanation.all.filter { $0.level == level }.map(\.code) == codes[level])
    }
    #expect(Set(CodeExplanation.all.map(\.code)).count == CodeExplanation.all.count)
    for explanation in CodeExplanation.all {
      for sentence in [explanation.meaning, explanation.remedy] {
        #expect(sentence.first?.isUppercase == true, "\(explanation.code): \(sentence)")
      }
      for text in [explanation.meaning, explanation.cause, explanation.remedy] {
        #expect(text.hasSuffix("."), "\(explanation.code): \(text)")
      }
      #expect(!explanation.example.isEmpty)
    }
  }

  @Test func `the suppressions in explanations are valid`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/suppress-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    let examples = CodeExplanation.all.compactMap { code in code.suppression.map { (code.code, $0) }
    }
    try examples.map(\.1).joined(separator: "\n").write(
      toFile: path, atomically: true, encoding: .utf8)
    let lines = try Suppressions(readingFrom: path).lines
    #expect(lines.map(\.code.rawValue) == examples.map(\.0))
    #expect(
      WarningCode.allCases.filter(\.recurs).allSatisfy { code in
        code == .searchAbsent || examples.contains { $0.0 == code.rawValue }
      })
  }

  /// The texts are parsed from the handbook's page, completely and unchanged.
  @Test func `explanations are those of the handbook`() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/ingest/ingest.docc/Codes.md")
    let article = try String(contentsOf: page, encoding: .utf8)
    let headings = article.split(separator: "\n").filter { $0.hasPrefix("### ") }
    #expect(headings == CodeExplanation.all.map { "### \($0.code)" })
    for code in CodeExplanation.all {
      let steps = [code.firstStep, String(code.remedy.dropFirst(code.firstStep.count + 1))]
      let section = """
        ### \(code.code)

        \(code.meaning)
        - Example: `\(code.example)`
        - Usual cause: \(code.cause)
        - Remedy: \(steps.filter { !$0.isEmpty }.joined(separator: "\n  "))
        \(code.suppression.map { "- Suppressed by: `\($0)`\n" } ?? "")
        """
      #expect(article.contains(section), "\(code.code)")
    }
  }
}
