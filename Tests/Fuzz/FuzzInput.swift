/// One input: data in front, and after it the choices how it is read.
///
/// So the data stays where it is when libFuzzer adds a choice, and it is found in a corpus by eye.
struct FuzzInput {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  /// Takes a number off the end; the lowest one if nothing is left.
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    var value = 0
    var reach = range.count - 1
    while reach > 0 {
      value = value << 8 | Int(bytes.popLast() ?? 0)
      reach >>= 8
    }
    return range.lowerBound + value % range.count
  }

  /// Takes a Bool off the end; false if nothing is left.
  mutating func flag() -> Bool { number(0...1) == 1 }

  /// What is left.
  var data: [UInt8] { Array(bytes) }
}
