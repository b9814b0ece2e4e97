/// The hash of FIPS 180-4, by which the corpus names the content of its larger files.
///
/// Loops and variables are plain, since tests are not optimized.
package enum SHA256 {
  /// The hash in hexadecimal digits.
  package static func hex(_ message: [UInt8]) -> String {
    var hash = initial
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    padded += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
    var words = [UInt32](repeating: 0, count: 64)
    var start = 0
    while start < padded.count {
      expand(padded, from: start, into: &words)
      compress(words, into: &hash)
      start += 64
    }
    return hash.map { word in
      let hex = String(word, radix: 16)
      return String(repeating: "0", count: 8 - hex.count) + hex
    }.joined()
  }

  /// Makes the words of all rounds of a block.
  private static func expand(_ bytes: [UInt8], from start: Int, into words: inout [UInt32]) {
    var index = 0
    while index < 16 {
      let place = start + 4 * index
      let (high, low) = (
        UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16,
        UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
      )
      words[index] = high | low
      index += 1
    }
    while index < 64 {
      let (first, second) = (words[index - 15], words[index - 2])
      let low = (first >> 7 | first << 25) ^ (first >> 18 | first << 14) ^ first >> 3
      let high = (second >> 17 | second << 15) ^ (second >> 19 | second << 13) ^ second >> 10
      words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
      index += 1
    }
  }

  private static func compress(_ words: [UInt32], into hash: inout [UInt32]) {
    var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
    var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
    let rounds = rounds
    var index = 0
    while index < 64 {
      let choice = e & f ^ ~e & g
      let majority = a & b ^ a & c ^ b & c
      let sumOfE = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
      let sumOfA = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
      let first = h &+ sumOfE &+ choice &+ rounds[index] &+ words[index]
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ sumOfA &+ majority)
      index += 1
    }
    hash[0] &+= a
    hash[1] &+= b
    hash[2] &+= c
    hash[3] &+= d
    hash[4] &+= e
    hash[5] &+= f
    hash[6] &+= g
    hash[7] &+= h
  }

  private static let primes = (2...311).filter { number in
    !(2..<number).contains { number.isMultiple(of: $0) }
  }
  private static let initial = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
  private static let rounds = primes.map { fraction(cubeRoot(Double($0))) }

  /// The first 32 bits after the point.
  private static func fraction(_ number: Double) -> UInt32 {
    UInt32((number - number.rounded(.down)) * 4_294_967_296)
  }

  private static func cubeRoot(_ number: Double) -> Double {
    (0..<60).reduce(number) { root, _ in root - (root * root * root - number) / (3 * root * root) }
  }
}
