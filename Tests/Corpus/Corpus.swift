package import Foundation

/// A folder of real and artificial files, with the results of a strict reader.
///
/// It may be next to the package, but is not a part of it. Every case has its own folder.
package enum Corpus {
  /// Its parts.
  package static let parts = ["csv", "encoding", "gzip"]

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared/corpus")

  /// Whether it exists.
  package static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

  /// The reason for skipping tests that need it.
  package static let absence = "there is no ../shared/corpus beside the package"

  /// Cases that the corpus reads otherwise, where one record has a stray quote and an opening one.
  ///
  /// The corpus takes the first for data, so that the second opens a field that may reach over line
  /// ends. Here the record ends at the next line feed after the stray quote, and certainly there
  /// if the number of quotes up to it is even.
  private static let otherwise: Set = [
    "duckfuzz-afl-null-padding-14", "duckfuzz-afl-null-padding-21", "zsv-test-quoted-nonstandard",
    "h,i\na\",\"",
  ]

  /// The cases of a part that are files.
  package static func cases(of part: String) throws -> [Case] {
    let folders = try FileManager.default.contentsOfDirectory(
      at: folder.appendingPathComponent(part), includingPropertiesForKeys: nil)
    return try folders.sorted { $0.path < $1.path }.compactMap { folder in
      guard
        let input = ["input.csv", "input.csv.gz"].map(folder.appendingPathComponent)
          .first(where: { FileManager.default.fileExists(atPath: $0.path) })
      else { return nil }
      let json = try Data(contentsOf: folder.appendingPathComponent("expected.json"))
      let expected = try decoder.decode(ExpectedReading.self, from: json)
      let name = folder.lastPathComponent
      return Case(
        name: name, input: .file(input), corpus: expected, ours: expected.ours,
        isReadAsExpected: !otherwise.contains(name))
    }
  }

  /// The texts of up to a few bytes after a header of two columns.
  package static func shortTexts() throws -> [Case] {
    struct Line: Decodable {
      var input: String
      var expected: ExpectedReading
    }
    let file = folder.appendingPathComponent("csv/own-exhaustive/input.jsonl")
    return try Data(contentsOf: file).split(separator: 10).map { json in
      let line = try decoder.decode(Line.self, from: json)
      var ours = line.expected
      // The corpus has blank lines as rejects here, and no alternative.
      let lines = line.input.utf8.split(separator: 10, omittingEmptySubsequences: false)
      ours.rejects?.removeAll { lines[$0.line - 1].isEmpty }
      return Case(
        name: line.input, input: .text(Array(line.input.utf8)), corpus: line.expected, ours: ours,
        isReadAsExpected: !otherwise.contains(line.input))
    }
  }

  private static let decoder = {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }()
}

/// An input and its expected results.
package struct Case: Sendable {
  package enum Input: Sendable {
    case file(URL)
    case text([UInt8])
  }

  package let name: String
  package let input: Input
  /// The corpus's reading.
  package let corpus: ExpectedReading
  /// The corpus's reading that matches ours.
  package let ours: ExpectedReading
  /// Whether our reading matches; each exception has a reason.
  package let isReadAsExpected: Bool

  /// Whether it ends inside quotes.
  package var isOpen: Bool {
    (corpus.rejects ?? []).contains {
      $0.kind == "unterminated_quote" || $0.also?.contains("unterminated_quote") == true
    }
  }

  /// Whether it is compressed, or named as if it were.
  package var isCompressed: Bool {
    if case .file(let file) = input { file.pathExtension == "gz" } else { false }
  }

  /// Copies it into a folder of source files, as the file of a table.
  package func drop(into folder: String, table: String) throws {
    let path = "\(folder)/\(table).csv"
    switch input {
    case .file(let file):
      try FileManager.default.createSymbolicLink(
        atPath: isCompressed ? path + ".gz" : path, withDestinationPath: file.path)
    case .text(let bytes): try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
  }
}
