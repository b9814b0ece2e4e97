import Foundation
import RebrickableCatalog
import Testing

@testable import Vocabulary

/// The broken sets of the fixtures, with their code, place and kind of failure.
struct BrokenSetTests {
  private static let folder = URL(filePath: #filePath)
    .appending(path: "../../../fixtures/broken").standardized.path

  /// An entry of `expected.json`.
  struct Expectation: Decodable, CustomTestStringConvertible {
    var code = ""
    let level: String
    let file: String
    let line: Int?
    let column: String?
    let exit: Int
    var testDescription: String { code }

    private enum CodingKeys: CodingKey { case level, file, line, column, exit }

    static func all() throws -> [Expectation] {
      let data = try Data(contentsOf: URL(filePath: folder + "/expected.json"))
      let byCode = try JSONDecoder().decode([String: Expectation].self, from: data)
      return byCode.map { code, expectation in
        var expectation = expectation
        expectation.code = code
        return expectation
      }
    }
  }

  @Test(arguments: try Expectation.all())
  func `each broken set has its code and place`(expected: Expectation) throws {
    let outcome = load(try Workplace(), RebrickableCatalog.schema, limit: .records(0)) {
      $0.source = "\(Self.folder)/\(expected.code)"
    }
    let kinds = [65: IngestError.Kind.data, 66: .inputMissing]
    #expect(outcome.error?.kind == kinds[expected.exit])
    #expect(outcome.rejects.count == (expected.level == "record" ? 1 : 0))
    switch expected.level {
    case "record":
      let reject = try #require(outcome.rejects.first)
      let reason = reject.reasons[0]
      #expect(reject.file == expected.file && reject.lines.lowerBound == expected.line)
      #expect(reason.code.rawValue == expected.code)
      #expect(expected.column == nil || reason.column == expected.column)
    case "warning":
      let warnings = outcome.warnings.filter { $0.code.rawValue == expected.code }
      #expect(warnings.map(\.file) == [expected.file])
      #expect(expected.column == nil || warnings.first?.column == expected.column)
    default:
      #expect(outcome.error?.code?.name == expected.code)
      #expect(outcome.error?.message.contains(expected.file) == true)
    }
  }
}
