import SQLiteSwiftly
import Schema
import Validation

/// The forms shared by all values of a column so far.
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
  /// The number of pairs that the loader recognizes without a description.
  static let exact = 2
  static let longest = 5
  private static let bytes = pairs.map { (Array($0.true.utf8), Array($0.false.utf8)) }

  /// The pairs, as bits, that contain a value, and whether it is their word for true.
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

/// Words for a missing value in a column whose other values are numbers, dates or the like.
enum MissingWords {
  static let all = ["NA", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan", "-", "\\N"]
  static let longest = 4
  private static let bytes = all.map { Array($0.utf8) }

  /// The position of a value among the words; nil if it is not one of them.
  static func index(_ place: Range<Int>, of bytes: Span<UInt8>) -> Int? {
    guard place.count <= longest, !bytes[place.upperBound - 1].isDigit else { return nil }
    return self.bytes.firstIndex { bytes.extracting(place).isEqual(to: $0.span) }
  }
}

/// Reads a decimal number that is printed as it was read, or nearly so: without leading zeros or a plus sign, and with no
/// more digits than a 64-bit number has.
///
/// - Returns: The number, or nil.
func decimal(_ place: Range<Int>, of bytes: Span<UInt8>) -> Double? {
  guard bytes.extracting(place).matches(DecimalText.form) else { return nil }
  let count = DecimalText.format.countDigits(place, of: bytes)
  guard let count, count <= DecimalText.maximumDigits else { return nil }
  return DecimalText.format.real(place, of: bytes).value
}

private enum DecimalText {
  /// The digits that suffice for every 64-bit number.
  static let maximumDigits = 17
  /// The form of a number; with an exponent it has one digit before the point, as numbers are printed.
  ///
  /// Codes such as 973e104 only look like numbers.
  static let form = TextForms.pattern(
    #"-?(0|[1-9][0-9]*)?(\.[0-9]+)?|-?[0-9](\.[0-9]+)?[eE][+\-]?([0-2]?[0-9]?[0-9]|300)"#)
  static let format = NumberFormat(FieldFormat.NumberSpelling())
}

extension Span<UInt8> {
  /// Whether it is a URI with an authority, since many other texts contain a colon.
  var isURIWithAuthority: Bool {
    guard let colon = indices.first(where: { self[$0] == UInt8(ascii: ":") }), colon + 2 < count
    else { return false }
    return self[colon + 1] == UInt8(ascii: "/") && self[colon + 2] == UInt8(ascii: "/")
      && matches(TextForms.uri)
  }
}
