/// The hash of FIPS 180-4, by which the corpus names the content of its larger files.
package enum SHA256 {
  /// The hash in hexadecimal digits.
  package static func hex(_ message: [UInt8]) -> String {
    var hash = initial
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    padded += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
    for block in stride(from: 0, to: padded.count, by: 64) {
      add(padded[block..<block + 64], to: &hash)
    }
    return hash.map { word in
      let hex = String(word, radix: 16)
      return String(repeating: "0", count: 8 - hex.count) + hex
    }.joined()
  }

  private static func add(_ block: ArraySlice<UInt8>, to hash: inout [UInt32]) {
    var words = [UInt32](repeating: 0, count: 64)
    for (index, byte) in block.enumerated() {
      words[index / 4] = words[index / 4] << 8 | UInt32(byte)
    }
    for index in 16..<64 {
      let (first, second) = (words[index - 15], words[index - 2])
      let low = rotate(first, 7) ^ rotate(first, 18) ^ first >> 3
      let high = rotate(second, 17) ^ rotate(second, 19) ^ second >> 10
      words[index] = words[index - 16] &+ low &+ words[index - 7] &+ high
    }
    var state = hash
    for index in 0..<64 {
      let (a, e) = (state[0], state[4])
      let choice = e & state[5] ^ ~e & state[6]
      let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
      let first =
        state[7] &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice &+ rounds[index]
        &+ words[index]
      let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
      state = [
        first &+ second, a, state[1], state[2], state[3] &+ first, e, state[5], state[6],
      ]
    }
    for index in 0..<8 { hash[index] &+= state[index] }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
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
