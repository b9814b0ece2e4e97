import CSQLite

enum StorageClass: Int32 {
  case integer = 1
  case real = 2
  case text = 3
  case blob = 4
  case null = 5

  var phrase: String {
    switch self {
    case .integer: "an integer"
    case .real: "a real"
    case .text: "text"
    case .blob: "a blob"
    case .null: "NULL"
    }
  }

  func mismatch(_ expected: StorageClass) -> String {
    "expected \(expected.phrase), found \(phrase)"
  }
}

/// The storage class, and SQLite's conversions between them, for reading a column as another class
/// (<https://www.sqlite.org/c3ref/column_blob.html>, <https://www.sqlite.org/lang_expr.html#castexpr>).
///
/// They do not use SQLite, since values have no connection: opening one for a `CAST` takes about
/// 100 µs, and a statement alone 10, against 50 ns here, or 1 µs to read a real from text. Tests
/// compare each of them with SQLite's `CAST`.
extension SQLiteValue {
  var storageClass: StorageClass {
    switch self {
    case .null: .null
    case .integer: .integer
    // As SQLite stores the value.
    case .real(let value): value.isNaN ? .null : .real
    case .text: .text
    case .blob: .blob
    }
  }

  var convertedToInteger: Int64 {
    switch self {
    case .null: 0
    case .integer(let value): value
    // Clamped to the nearest bound; the bounds are not exact as floating-point numbers.
    case .real(let value) where value >= 0x1p63: .max
    case .real(let value) where value <= -0x1p63: .min
    case .real(let value): Int64(value)
    case .text(let value): Self.leadingInteger(value.utf8.span)
    case .blob(let value): Self.leadingInteger(value.span)
    }
  }

  var convertedToReal: Double {
    switch self {
    case .null: 0
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text(let value): Self.leadingReal(value.utf8.span)
    case .blob(let value): Self.leadingReal(value.span)
    }
  }

  var convertedToText: String {
    switch self {
    case .null: ""
    case .integer(let value): String(value)
    case .real(let value):
      // As SQLite formats it, with 15 digits.
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        guard let start = buffer.baseAddress else { return "" }
        unsafe csqlite_format_real(start, Int32(buffer.count), value)
        return unsafe String(cString: start)
      }
    case .text(let value): value
    case .blob(let value): String(decoding: value, as: UTF8.self)
    }
  }

  var convertedToBytes: [UInt8] {
    if case .blob(let value) = self { value } else { Array(convertedToText.utf8) }
  }

  /// The integer at the start of a text, or 0; clamped to 64 bits.
  private static func leadingInteger(_ text: Span<UInt8>) -> Int64 {
    var index = numberStart(text)
    let isNegative = index < text.count && text[index] == UInt8(ascii: "-")
    if index < text.count, isSign(text[index]) { index += 1 }
    var magnitude: UInt64 = 0
    while index < text.count, isDigit(text[index]) {
      let digit = UInt64(text[index] - UInt8(ascii: "0"))
      let (product, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, isStillTooLarge) = product.addingReportingOverflow(digit)
      if isTooLarge || isStillTooLarge { return isNegative ? .min : .max }
      magnitude = sum
      index += 1
    }
    if isNegative { return magnitude >= 1 << 63 ? .min : -Int64(magnitude) }
    return Int64(clamping: magnitude)
  }

  /// The number at the start of a text, or 0.
  private static func leadingReal(_ text: Span<UInt8>) -> Double {
    let start = numberStart(text)
    let isNegative = start < text.count && text[start] == UInt8(ascii: "-")
    var end = start
    if end < text.count, isSign(text[end]) { end += 1 }
    let digits = skipDigits(text, &end)
    var fraction = 0
    if end < text.count, text[end] == UInt8(ascii: ".") {
      end += 1
      fraction = skipDigits(text, &end)
    }
    // A sign alone is read as signed zero.
    guard digits + fraction > 0 else { return isNegative ? -0.0 : 0 }
    var exponent = end
    if exponent < text.count, text[exponent] | 0x20 == UInt8(ascii: "e") {
      exponent += 1
      if exponent < text.count, isSign(text[exponent]) { exponent += 1 }
      if skipDigits(text, &exponent) > 0 { end = exponent }
    }
    let number = (start..<end).map { Character(Unicode.Scalar(text[$0])) }
    return Double(String(number)) ?? 0
  }

  private static func numberStart(_ text: Span<UInt8>) -> Int {
    var index = 0
    while index < text.count, text[index] == 0x20 || 0x09...0x0d ~= text[index] { index += 1 }
    return index
  }

  private static func skipDigits(_ text: Span<UInt8>, _ index: inout Int) -> Int {
    let start = index
    while index < text.count, isDigit(text[index]) { index += 1 }
    return index - start
  }

  private static func isSign(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
