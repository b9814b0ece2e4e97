import CSV
import Corpus
import Platform
import Foundation
import Compression
import Testing

/// Runs where a corpus lies beside the package, and is reported as skipped where none does.
@Suite(.enabled(if: Corpus.isThere, Comment(rawValue: Corpus.absence)))
struct CorpusTests {
  @Test(arguments: Corpus.parts)
  func `files are read as the corpus expects`(part: String) throws {
    let cases = try Corpus.cases(of: part)
    for file in cases {
      let difference = try difference(file)
      #expect(
        (difference == nil) == file.isReadAsExpected,
        "\(part)/\(file.name): \(difference ?? "same")")
    }
    print("corpus \(part), read: \(cases.tally)")
    #expect(!cases.isEmpty)
  }

  @Test func `short texts are read as the corpus expects`() throws {
    let texts = try Corpus.shortTexts()
    for text in texts {
      guard case .text(let bytes) = text.input else { continue }
      let difference = Outcome(bytes).difference(from: text.ours)
      #expect(
        (difference == nil) == text.isReadAsExpected,
        "\(text.name.debugDescription): \(difference ?? "same")")
    }
    print("corpus short texts, read: \(texts.tally)")
    #expect(!texts.isEmpty)
  }

  private func difference(_ file: Case) throws -> String? {
    let expected = file.ours
    guard case .file(let input) = file.input else { return nil }
    guard file.isCompressed else {
      return Outcome(try plainBytes(input.path)).difference(from: expected)
    }
    let (bytes, members): ([UInt8], Int)
    do {
      (bytes, members) = try inflate(input.path)
    } catch let error as GzipError {
      return Outcome(error).difference(from: expected)
    }
    let whole = file.corpus
    if let expected = whole.members, expected != members { return "\(expected) members" }
    if let size = whole.payloadBytes, size != bytes.count { return "\(size) bytes" }
    if let hash = whole.payloadSha256, hash != SHA256.hex(bytes) { return "other bytes" }
    // For files that are hardly CSV, the corpus specifies the bytes only.
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
