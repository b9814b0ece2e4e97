import Foundation
import Testing

@testable import ingest

@Suite struct HandbookTests {
  /// The string literals of the sources; literals split over lines are joined.
  private static func literals() throws -> String {
    let sources = try #require(FileManager.default.enumerator(atPath: Command.package + "/Sources"))
    let files = sources.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    return try files.map { try Command.text(of: "Sources/" + $0) }.joined()
      .replacing(/"\s*\+ "/, with: "")
  }

  @Test func `the troubleshooting page quotes messages exactly`() throws {
    let article = try Command.text(of: "Sources/ingest/ingest.docc/Troubleshooting.md")
    let literals = try Self.literals()
    let quotes = article.split(separator: "\n").filter { $0.hasPrefix("`") && $0.hasSuffix("`") }
    // Text in brackets is the system's.
    let messages = quotes.flatMap { quote in
      quote.dropFirst().dropLast().replacing(/\(".*"\)/, with: "").components(separatedBy: " · ")
        .flatMap { $0.components(separatedBy: " … ") }
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(messages.count > 30)
    #expect(messages.filter { !literals.contains($0) } == [])
  }

  @Test func `the troubleshooting page has every exit status`() throws {
    let article = try Command.text(of: "Sources/ingest/ingest.docc/Troubleshooting.md")
    let headings = article.split(separator: "\n").filter { $0.hasPrefix("## ") }
    let numbers = headings.flatMap { $0.matches(of: /\d+/).compactMap { Int32($0.0) } }
    #expect(numbers == ExitStatus.allCases.map(\.rawValue))
  }

  @Test func `the README is short`() throws {
    let words = try Command.text(of: "README.md").split(whereSeparator: \.isWhitespace)
    #expect(words.count <= 1_100)
  }
}
