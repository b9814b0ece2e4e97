import CSV
import Foundation
import Gzip
import Testing

/// Runs where a corpus lies beside the package, and is reported as skipped where none does.
@Suite(.enabled(if: Corpus.isThere, "there is no ../shared/corpus beside the package"))
struct CorpusTests {
  /// Files that the corpus reads otherwise, where one record has a stray quote and an opening one.
  ///
  /// The corpus takes the first for data, so that the second opens a field that may reach over line
  /// ends. Here the record ends at the next line feed behind the stray quote, and certainly there
  /// if the number of quotes up to it is even.
  private static let otherwise: Set = [
    "duckfuzz-afl-null-padding-14", "duckfuzz-afl-null-padding-21", "zsv-test-quoted-nonstandard",
    "h,i\na\",\"",
  ]

  @Test(arguments: ["csv", "encoding", "gzip"])
  func `files are read as the corpus expects`(part: String) throws {
    var tally: [String: Int] = [:]
    for file in try Corpus.cases(of: part) {
      let reading = file.expected.ours
      tally[reading.reading ?? "as expected", default: 0] += 1
      let difference = try difference(file, from: reading)
      let isSame = !Self.otherwise.contains(file.name)
      #expect((difference == nil) == isSame, "\(part)/\(file.name): \(difference ?? "same")")
    }
    print("corpus \(part): \(tally.sorted { $0.key < $1.key })")
    #expect(!tally.isEmpty)
  }

  @Test func `short texts are read as the corpus expects`() throws {
    let texts = try Corpus.shortTexts()
    for (text, expected) in texts {
      var expected = expected
      // The corpus has blank lines as rejects here, and no alternative.
      let lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false)
      expected.rejects?.removeAll { lines[$0.line - 1].isEmpty }
      let difference = Outcome(Array(text.utf8)).difference(from: expected)
      let isSame = !Self.otherwise.contains(text)
      #expect((difference == nil) == isSame, "\(text.debugDescription): \(difference ?? "same")")
    }
    #expect(!texts.isEmpty)
  }

  private func difference(_ file: Case, from expected: Expectation) throws -> String? {
    guard file.input.pathExtension == "gz" else {
      return Outcome(try plainBytes(file.input.path)).difference(from: expected)
    }
    let (bytes, members): ([UInt8], Int)
    do {
      (bytes, members) = try inflate(file.input.path)
    } catch let error as GzipError {
      return Outcome(error).difference(from: expected)
    }
    let whole = file.expected
    if let expected = whole.members, expected != members { return "\(expected) members" }
    if let size = whole.payloadBytes, size != bytes.count { return "\(size) bytes" }
    if let hash = whole.payloadSha256, hash != SHA256.hex(bytes) { return "other bytes" }
    // Of what is not CSV, or hardly, the corpus tells the bytes only.
    let isCSV = expected.error != nil || expected.header != nil
    return isCSV ? Outcome(bytes).difference(from: expected) : nil
  }

  /// Not by way of `Data`, which leaks the buffer for an empty file.
  private func plainBytes(_ path: String) throws -> [UInt8] {
    var file = try FileReader(path: path)
    var bytes = [UInt8](repeating: 0, count: 4 << 20)
    var room = bytes.mutableSpan
    let count = try file.read(into: &room)
    #expect(count < bytes.count, "larger than any file of the corpus: \(path)")
    return Array(bytes[..<count])
  }

  private func inflate(_ path: String) throws -> ([UInt8], Int) {
    var reader = try GzipReader(FileReader(path: path))
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      var room = piece.mutableSpan
      let count = try reader.read(into: &room)
      bytes += piece[..<count]
      if count < piece.count { return (bytes, reader.members) }
    }
  }
}
