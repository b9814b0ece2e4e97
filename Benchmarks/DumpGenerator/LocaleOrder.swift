/// A text, comparable as in the collation that the real dumps are sorted by.
///
/// Letters compare without regard to case, and punctuation counts only between texts that are equal
/// otherwise; bytewise order would put `Z` before `a` and `10-1` before `1-2`.
struct LocaleOrder: Comparable {
  private let letters: [UInt8]
  private let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
    letters = bytes.compactMap { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): byte
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      default: byte < 0x80 ? nil : byte
      }
    }
  }

  static func < (left: LocaleOrder, right: LocaleOrder) -> Bool {
    left.letters == right.letters
      ? left.bytes.lexicographicallyPrecedes(right.bytes)
      : left.letters.lexicographicallyPrecedes(right.letters)
  }
}

extension Array {
  /// Sorts by the text of each element, as the real dumps are.
  mutating func sortAsInDumps(by text: (Element) -> String) {
    self = map { (LocaleOrder(text($0)), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
