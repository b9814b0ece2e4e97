package import Facts
package import Files
import Schema

extension SourceFolder.File {
  /// Checks the size and the digest that the description states, of the file as stored or decompressed.
  package func checkClaims(_ identity: FileIdentity?) throws(IngestError) {
    guard let claims else { return }
    var difference: String?
    if archive == nil {
      var content = Content(claims)
      var file = try reporting(open(), as: { .sourceUnopenable(path, $0) })
      try content.add { room throws(IngestError) in
        try reporting(file.read(into: &room), as: { .readFailed(path, $0.code) })
      }
      difference = content.difference
      if difference == nil { return }
    }
    if format != .plain {
      var decompressed = self
      decompressed.encoding = nil
      var reader = try SourceReader(decompressed)
      var content = Content(claims)
      try content.add { room throws(IngestError) in try reader.read(into: &room) }
      if content.difference == nil { return }
      difference = difference ?? content.difference
    }
    try check(identity, now: (try? open())?.identity)
    if let difference { throw .claimsMismatch(path, difference) }
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
