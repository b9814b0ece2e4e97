package import Vocabulary
package import Platform
import Schema
import Text

extension SourceFolder.File {
  /// Checks the size and the digest that the description states, of the file as stored or decompressed.
  package func checkClaims(_ identity: FileIdentity?) throws(IngestError) {
    guard let claims, archive == nil else { return }
    var file = try mapError(open(), as: { .sourceUnopenable(path, $0) })
    try check(identity, now: file.identity)
    var stored = Content(claims)
    try stored.add { room throws(IngestError) in
      try mapError(
        file.read(into: &room), as: { (error: FileError) in .readFailed(path, error.code) })
    }
    guard let difference = stored.difference else { return }
    if format != .plain {
      var unconverted = self
      unconverted.encoding = nil
      var reader = try SourceReader(unconverted)
      try reader.check(identity)
      var decompressed = Content(claims)
      try decompressed.add { room throws(IngestError) in try reader.read(into: &room) }
      if decompressed.difference == nil { return }
    }
    throw .claimsMismatch(path, difference)
  }

  private struct Content {
    private let claims: SourceDescription.Claims
    private var bytes = 0
    private var digest: Digest?

    init(_ claims: SourceDescription.Claims) {
      self.claims = claims
      digest = claims.hash.map { Digest($0.algorithm) }
    }

    mutating func add(
      _ read: (inout MutableSpan<UInt8>) throws(IngestError) -> Int
    ) throws(IngestError) {
      var block = [UInt8](repeating: 0, count: 256 << 10)
      var count = 0
      repeat {
        var room = block.mutableSpan
        count = try read(&room)
        bytes += count
        digest?.append(block.span.extracting(0..<count))
      } while count == block.count
    }

    /// What differs from the description; nil if nothing does.
    var difference: String? {
      if let expected = claims.bytes, bytes != expected {
        return "it has \(bytes.of("byte")), but the description says \(expected.grouped)"
      }
      guard let hash = claims.hash, let found = digest?.hexadecimal, found != hash.digits else {
        return nil
      }
      return "its \(hash.algorithm.rawValue) is \(found), but the description says \(hash.digits)"
    }
  }
}
