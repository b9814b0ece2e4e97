import SQLiteSwiftly

/// What a column's field must be; plain numbers only, so that a record is checked without a retain.
struct ColumnRule {
  /// Index of the field in a record, or -1 if the dump lacks the column.
  let field: Int
  let kind: Kind
  let isNullable: Bool
  let domain: Domain
  /// The bounds of an integer.
  let bounds: ClosedRange<Int64>
  /// The digits of a hexadecimal number.
  let digits: Int
  /// The key sets, one behind the other, of which one must have the value; empty if none has to.
  let parents: Range<Int>
  /// Whether the value refers to the table's own key.
  let refersToOwnTable: Bool

  enum Kind { case integer, boolean, text }

  enum Domain { case any, bounded, singleLine, hexadecimal, listed }

  init(_ column: ColumnDescription, field: Int?, parents: Range<Int>, refersToOwnTable: Bool) {
    self.field = field ?? -1
    isNullable = column.isNullable
    self.parents = parents
    self.refersToOwnTable = refersToOwnTable
    switch column.type {
    case .integer: kind = .integer
    case .boolean: kind = .boolean
    case .text: kind = .text
    case .real, .blob: preconditionFailure("dumps of \(column.name)'s type are not read")
    }
    var bounds = Int64.min...Int64.max
    var digits = 0
    switch column.domain {
    case nil: domain = .any
    case .atLeast(let minimum):
      bounds = minimum...Int64.max
      domain = .bounded
    case .within(let range):
      bounds = range
      domain = .bounded
    case .singleLine: domain = .singleLine
    case .hexadecimalDigits(let count):
      digits = count
      domain = .hexadecimal
    case .oneOf: domain = .listed
    }
    self.bounds = bounds
    self.digits = digits
  }

  /// The bits of the token that stands for a value in a key of several columns; 0 for text of its
  /// own, which stands for itself.
  func tokenBits(_ keys: borrowing KeyRegistry) -> Int {
    if !parents.isEmpty { return keys.tokenBits(parents) }
    return switch kind {
    case .integer: 64
    case .boolean: 1
    case .text: 0
    }
  }
}

/// Reads an integer as SQLite would write it: an optional minus, digits, no leading zeros.
///
/// Other spellings are refused, because the number would not come back as it stood.
///
/// - Returns: The number, or the code of what is wrong.
func parseInteger(_ text: Span<UInt8>) -> (value: Int64, fault: RecordCode?) {
  let isNegative = text[0] == UInt8(ascii: "-")
  let first = isNegative ? 1 : 0
  guard first < text.count else { return (0, .notAnInteger) }
  let hasLeadingZero = text[first] == UInt8(ascii: "0") && (text.count > 1)
  var value: Int64 = 0
  var isTooLarge = false
  for index in first..<text.count {
    let digit = Int64(text[index]) - 48
    guard 0...9 ~= digit else { return (0, .notAnInteger) }
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) =
      isNegative
      ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
    isTooLarge = isTooLarge || overflow || carry
    value = sum
  }
  if hasLeadingZero { return (0, .notAnInteger) }
  return (value, isTooLarge ? .integerOutOfRange : nil)
}

/// Reads a boolean in either spelling of the dumps: `t` and `f`, or `True` and `False`.
func parseBoolean(_ text: Span<UInt8>) -> Bool? {
  guard text.count <= 5 else { return nil }
  var word: UInt64 = 0
  for index in text.indices { word = word << 8 | UInt64(text[index]) }
  return switch (text.count, word) {
  case (1, 0x74), (4, 0x5472_7565): true  // t, True
  case (1, 0x66), (5, 0x46_616c_7365): false  // f, False
  default: nil
  }
}

extension Span<UInt8> {
  /// Compares bytes.
  func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }

  /// Whether there is no line feed.
  var isSingleLine: Bool {
    for index in indices where self[index] == UInt8(ascii: "\n") { return false }
    return true
  }

  /// Whether there are just so many hexadecimal digits.
  func isHexadecimal(digits: Int) -> Bool {
    guard count == digits else { return false }
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        continue
      default: return false
      }
    }
    return true
  }
}
