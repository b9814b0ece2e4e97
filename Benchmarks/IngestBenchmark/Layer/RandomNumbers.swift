/// Numbers that are the same in every run: SplitMix64 (Steele, Lea, Flood 2014).
struct RandomNumbers: RandomNumberGenerator {
  private var state: UInt64 = 0

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }

  /// Whether an event of `perMille` in a thousand happens.
  mutating func happens(perMille: Int) -> Bool { Int.random(in: 0..<1000, using: &self) < perMille }
}
