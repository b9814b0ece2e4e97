import Foundation
import Testing

@testable import IngestPipeline
@testable import IngestReport

@Suite struct CodeExplanationTests {
  @Test func `every code is explained, once, in sentences`() {
    let codes = FileCode.allCases.map(\.rawValue) + RunCode.allCases.map(\.rawValue)
    let all =
      codes + RecordCode.allCases.map(\.rawValue) + NoticeCode.allCases.map(\.rawValue)
    #expect(CodeExplanation.all.map(\.code) == all)
    #expect(Set(all).count == all.count)
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

  /// The article about the codes has the texts of the command, so that neither can be the older one.
  @Test func `the documentation says what the command says`() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/IngestReport/IngestReport.docc/Codes.md")
    let article = try String(contentsOf: sources, encoding: .utf8)
    let headings = article.split(separator: "\n").filter { $0.hasPrefix("### ") }
    #expect(headings == CodeExplanation.all.map { "### \($0.code)" })
    for code in CodeExplanation.all {
      let section = """
        ### \(code.code)

        \(code.meaning)
        - Example: `\(code.example)`
        - Usual cause: \(code.cause)
        - Remedy: \(code.remedy)

        """
      #expect(article.contains(section), "\(code.code)")
    }
  }
}
