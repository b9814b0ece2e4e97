package import Vocabulary
import Glibc
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
    throw IngestError(
      .data, code: .file(.checksumMismatch),
      "\(path): not the file of its description: \(difference). Download it again, or if it has changed on "
        + "purpose, remove bytes and hash from the description.")
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

/// An MD5 (RFC 1321) or SHA-256 (FIPS 180-4) of bytes, computed in steps, to find damage; not for secrets.
struct Digest {
  private let algorithm: SourceDescription.Claims.Algorithm
  private var state: [UInt32]
  private var block: [UInt8] = []
  private var count: UInt64 = 0

  private static let blockBytes = 64
  private static let primes = (2...311).filter { number in
    !(2..<number).contains { number.isMultiple(of: $0) }
  }.map(Double.init)
  private static let roots = primes.prefix(8).map { fraction($0.squareRoot()) }
  private static let cubeRoots = primes.map { fraction(cbrt($0)) }
  private static let sines = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }
  private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

  private static func fraction(_ number: Double) -> UInt32 {
    UInt32((number - number.rounded(.down)) * 0x1p32)
  }

  init(_ algorithm: SourceDescription.Claims.Algorithm) {
    self.algorithm = algorithm
    state = algorithm == .md5 ? [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476] : Self.roots
  }

  /// Adds `bytes`, in time linear in their number.
  mutating func append(_ bytes: Span<UInt8>) {
    count += UInt64(bytes.count)
    for index in bytes.indices { add(bytes[index]) }
  }

  private mutating func add(_ byte: UInt8) {
    block.append(byte)
    if block.count == Self.blockBytes { compress() }
  }

  /// The digest of all bytes, in lowercase.
  var hexadecimal: String {
    var whole = self
    return whole.end()
  }

  private mutating func end() -> String {
    let bits = count * 8
    add(0x80)
    while block.count != Self.blockBytes - 8 { add(0) }
    for index in 0..<8 {
      let shift = algorithm == .md5 ? index * 8 : 56 - index * 8
      add(UInt8(truncatingIfNeeded: bits >> shift))
    }
    let words = algorithm == .md5 ? state.map(\.byteSwapped) : state
    return words.map(\.hexadecimal).joined()
  }

  private mutating func compress() {
    var words = InlineArray<64, UInt32>(repeating: 0)
    for index in 0..<Self.blockBytes {
      let shift = algorithm == .md5 ? index % 4 * 8 : 24 - index % 4 * 8
      words[index / 4] |= UInt32(block[index]) << UInt32(shift)
    }
    block.removeAll(keepingCapacity: true)
    if algorithm == .md5 { mixMD5(words) } else { mixSHA256(&words) }
  }

  private mutating func mixMD5(_ words: InlineArray<64, UInt32>) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let (mixed, word) =
        switch step / 16 {
        case 0: (b & c | ~b & d, step)
        case 1: (d & b | ~d & c, (5 * step + 1) % 16)
        case 2: (b ^ c ^ d, (3 * step + 5) % 16)
        default: (c ^ (b | ~d), 7 * step % 16)
        }
      let sum = a &+ mixed &+ Self.sines[step] &+ words[word]
      let shift = Self.shifts[step / 16 * 4 + step % 4]
      (a, d, c, b) = (d, c, b, b &+ sum.rotated(32 - shift))
    }
    for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
  }

  private mutating func mixSHA256(_ words: inout InlineArray<64, UInt32>) {
    for step in 16..<64 {
      let (early, late) = (words[step - 15], words[step - 2])
      words[step] =
        words[step - 16] &+ (early.rotated(7) ^ early.rotated(18) ^ early >> 3)
        &+ words[step - 7] &+ (late.rotated(17) ^ late.rotated(19) ^ late >> 10)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for step in 0..<64 {
      let choice = (e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)) &+ (e & f ^ ~e & g)
      let first = h &+ choice &+ Self.cubeRoots[step] &+ words[step]
      let majority = (a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ majority)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }
}

extension UInt32 {
  /// The bits moved to the right, and those that fall off to the left end.
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
