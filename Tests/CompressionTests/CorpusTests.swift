import Foundation
import Corpus
import Testing

/// The gzip files of the corpus: their bytes, as another reader has them.
///
/// How they and the others are loaded is in `CorpusRunTests`.
@Suite(.enabled(if: Corpus.isThere, Comment(rawValue: Corpus.absence)))
struct CorpusTests {
  @Test func `members and bytes are as the corpus expects`() throws {
    for file in try Corpus.cases(of: "gzip") {
      guard case .file(let input) = file.input, file.corpus.error?.hasPrefix("gzip") != true
      else { continue }
      let expected = file.corpus
      let (bytes, members) = try inflate(path: input.path)
      #expect(expected.members == nil || expected.members == members, "\(file.name)")
      #expect(expected.payloadBytes == nil || expected.payloadBytes == bytes.count, "\(file.name)")
      let hash = SHA256.hex(bytes)
      #expect(expected.payloadSha256 == nil || expected.payloadSha256 == hash, "\(file.name)")
    }
  }
}
