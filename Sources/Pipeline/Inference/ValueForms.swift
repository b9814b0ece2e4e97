import SQLiteSwiftly
import Schema
import Validation

/// The forms that all values of a column have had so far.
struct ValueForms: OptionSet {
  let rawValue: UInt8

  static let integer = ValueForms(rawValue: 1 << 0)
  static let number = ValueForms(rawValue: 1 << 1)
  static let boolean = ValueForms(rawValue: 1 << 2)
  static let time = ValueForms(rawValue: 1 << 3)
  static let uuid = ValueForms(rawValue: 1 << 4)
  static let uri = ValueForms(rawValue: 1 << 5)
  static let jsonObject = ValueForms(rawValue: 1 << 6)
  static let jsonArray = ValueForms(rawValue: 1 << 7)
  static let all = ValueForms(rawValue: .max)
}

enum BooleanWords {
  static let pairs: [(true: String, false: String)] = [
    ("t", "f"), ("True", "False"), ("true", "false"), ("TRUE", "FALSE"), ("yes", "no"),
    ("Yes", "No"), ("YES", "NO"), ("y", "n"), ("Y", "N"), ("T", "F"),
  ]
  /// How many of the pairs the loader knows by itself.
  static let exact = 2
  static let longest = 5
  private static let bytes = pairs.map { (Array($0.true.utf8), Array($0.false.utf8)) }

  /// The pairs among `pairs`, as bits, that have a value, and whether it is their word for true.
  static func pairs(
    among live: UInt16, with place: Range<Int>, of bytes: Span<UInt8>
  ) -> (pairs: UInt16, isTrue: Bool) {
    var (left, isTrue) = (UInt16(0), false)
    guard place.count <= longest else { return (left, isTrue) }
    for (index, pair) in self.bytes.enumerated() where live & 1 << index != 0 {
      let isFirst = bytes.extracting(place).isEqual(to: pair.0.span)
      guard isFirst || bytes.extracting(place).isEqual(to: pair.1.span) else { continue }
      left |= 1 << index
      isTrue = isTrue || isFirst
    }
    return (left, isTrue)
  }
}

/// Words that stand for a missing value where all others of a column are numbers or the like.
enum MissingWords {
  static let all = ["NA", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan", "-", "\\N"]
  static let longest = 4
  private static let bytes = all.map { Array($0.utf8) }

  /// The place of a value among the words, or nil if it is none of them.
  static func index(_ place: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    guard place.count <= longest, !bytes[place.upperBound - 1].isDigit else { return nil }
    return self.bytes.firstIndex { bytes.extracting(place).isEqual(to: $0.span) }
  }
}

/// A decimal number that comes back as it was, or nearly so: one that has zeros or a plus in front is not, and
/// neither is one of more digits than a number of 64 bits has.
///
/// - Returns: Its size, or nil.
func decimal(_ place: Range<Int>, of bytes: Span<UInt8>) -> Double? {
  guard bytes.extracting(place).matches(DecimalText.form) else { return nil }
  let count = DecimalText.format.countDigits(place, of: bytes)
  guard let count, count <= DecimalText.mostDigits else { return nil }
  return DecimalText.format.real(place, of: bytes).value
}

private enum DecimalText {
  /// What every number of 64 bits can be written with.
  static let mostDigits = 17
  /// A number with an exponent has one digit before the point, as numbers are printed.
  ///
  /// Others look like it and are none: 973e104.
  static let form = TextForms.pattern(
    #"-?(0|[1-9][0-9]*)?(\.[0-9]+)?|-?[0-9](\.[0-9]+)?[eE][+\-]?([0-2]?[0-9]?[0-9]|300)"#)
  static let format = NumberFormat(FieldFormat.NumberSpelling())
}

extension Span<UInt8> {
  /// Whether it is a URI that names a host or a file: much else has a colon in it as well.
  var isURIWithAuthority: Bool {
    guard let colon = indices.first(where: { self[$0] == UInt8(ascii: ":") }), colon + 2 < count
    else { return false }
    return self[colon + 1] == UInt8(ascii: "/") && self[colon + 2] == UInt8(ascii: "/")
      && matches(TextForms.uri)
  }
}
