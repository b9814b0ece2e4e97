import Foundation

/// A folder of real and made-up files with what a strict reader makes of them.
///
/// It may lie beside the package and is no part of it. Every case is a folder of its own.
enum Corpus {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared/corpus")

  static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

  static func cases(of part: String) throws -> [Case] {
    let folders = try FileManager.default.contentsOfDirectory(
      at: folder.appendingPathComponent(part), includingPropertiesForKeys: nil)
    return try folders.sorted { $0.path < $1.path }.compactMap { folder in
      guard
        let input = ["input.csv", "input.csv.gz"].map(folder.appendingPathComponent)
          .first(where: { FileManager.default.fileExists(atPath: $0.path) })
      else { return nil }
      let json = try Data(contentsOf: folder.appendingPathComponent("expected.json"))
      return Case(
        name: folder.lastPathComponent, input: input,
        expected: try decoder.decode(Expectation.self, from: json))
    }
  }

  /// The texts of up to a few bytes behind a header of two columns.
  static func shortTexts() throws -> [(input: String, expected: Expectation)] {
    struct Line: Decodable {
      var input: String
      var expected: Expectation
    }
    let file = folder.appendingPathComponent("csv/own-exhaustive/input.jsonl")
    return try Data(contentsOf: file).split(separator: 10).map { json in
      let line = try decoder.decode(Line.self, from: json)
      return (line.input, line.expected)
    }
  }

  private static let decoder = {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }()
}

struct Case {
  var name: String
  var input: URL
  var expected: Expectation
}

/// One way to read a file: that of the corpus, or an alternative, which then has a name.
struct Expectation: Decodable {
  var reading: String?
  var error: String?
  var scope: String?
  var header: [String]?
  var rows: [[String]]?
  var rowCount: Int?
  var rowsSha256: String?
  var rejects: [Reject]?
  var rejectCount: Int?
  var rejectLines: [Int]?
  var contestedWhy: [String]?
  var alternatives: [Expectation]?
  var gzip: String?
  var members: Int?
  var payloadBytes: Int?
  var payloadSha256: String?

  struct Reject: Decodable {
    var line: Int
    var kind: String
    var boundary: String
  }

  /// The reading that is ours: blank lines are skipped; all else is as the corpus expects it.
  var ours: Expectation {
    alternatives?.first { $0.reading == "blank lines are skipped" } ?? self
  }

  var isOfFile: Bool { error != nil && header == nil }
}
