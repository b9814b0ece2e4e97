import SQLiteSwiftly
import Schema

struct ListFormat {
  private let delimiter: [UInt8]
  private let items: FieldFormat.ListItem
  private let times: TimeReader
  private static let numbers = NumberFormat(FieldFormat.NumberSpelling())
  private static let trueTexts = TextSet(["true", "True", "TRUE", "1"])
  private static let falseTexts = TextSet(["false", "False", "FALSE", "0"])

  init(delimiter: String, items: FieldFormat.ListItem) {
    self.delimiter = Array(delimiter.utf8)
    self.items = items
    let form: ColumnDescription.TimeForm? =
      switch items {
      case .date: .date
      case .time: .time
      case .dateTime: .dateTime
      case .text, .integer, .number, .boolean: nil
      }
    times = TimeReader(.exact, form)
  }

  /// Appends a field as a JSON array; returns false if an item has another type.
  func append(_ range: Range<Int>, of bytes: Span<UInt8>, to text: inout [UInt8]) -> Bool {
    text.append(UInt8(ascii: "["))
    var start = range.lowerBound
    var index = start
    while true {
      let isEnd = index == range.upperBound
      guard isEnd || bytes.has(delimiter, at: index, before: range.upperBound) else {
        index += 1
        continue
      }
      guard append(item: start..<index, of: bytes, to: &text) else { return false }
      if isEnd { break }
      text.append(UInt8(ascii: ","))
      index += delimiter.count
      start = index
    }
    text.append(UInt8(ascii: "]"))
    return true
  }

  private func append(item: Range<Int>, of bytes: Span<UInt8>, to text: inout [UInt8]) -> Bool {
    switch items {
    case .text:
      Self.append(string: item, of: bytes, to: &text)
      return true
    case .integer:
      let (value, fault) = Self.numbers.integer(item, of: bytes)
      guard fault == nil else { return false }
      text += Array("\(value)".utf8)
      return true
    case .number: return Self.append(number: item, of: bytes, to: &text)
    case .boolean:
      let isTrue = Self.trueTexts.contains(item, of: bytes)
      guard isTrue || Self.falseTexts.contains(item, of: bytes) else { return false }
      text += Array((isTrue ? "true" : "false").utf8)
      return true
    case .date, .time, .dateTime:
      text.append(UInt8(ascii: "\""))
      guard times.append(item, of: bytes, to: &text) else { return false }
      text.append(UInt8(ascii: "\""))
      return true
    }
  }

  /// Appends a longitude and a latitude as a JSON array; returns false if they are not valid.
  static func append(
    coordinates range: Range<Int>, of bytes: Span<UInt8>, to text: inout [UInt8]
  ) -> Bool {
    guard let comma = range.first(where: { bytes[$0] == UInt8(ascii: ",") }) else { return false }
    let (longitude, latitude) = (range.lowerBound..<comma, comma + 1..<range.upperBound)
    text.append(UInt8(ascii: "["))
    guard append(number: longitude, of: bytes, to: &text, within: 180) else { return false }
    text.append(UInt8(ascii: ","))
    guard append(number: latitude, of: bytes, to: &text, within: 90) else { return false }
    text.append(UInt8(ascii: "]"))
    return true
  }

  /// Appends a number with all its digits as in JSON: without a plus sign or leading zeros, and with digits on both sides of
  /// the point.
  private static func append(
    number range: Range<Int>, of bytes: Span<UInt8>, to text: inout [UInt8],
    within limit: Double = .greatestFiniteMagnitude
  ) -> Bool {
    let number = numbers.real(range, of: bytes)
    guard number.fault == nil, abs(number.value) <= limit else { return false }
    let written = range.map { bytes[$0] }.filter { !$0.isBlank }
    let (digits, exponent) =
      written.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
      .map { (written[..<$0], written[$0...]) } ?? (written[...], [])
    let parts = digits.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let whole = parts[0].filter(\.isDigit).drop { $0 == UInt8(ascii: "0") }
    if digits.first == UInt8(ascii: "-") { text.append(UInt8(ascii: "-")) }
    text += whole.isEmpty ? [UInt8(ascii: "0")] : Array(whole)
    if parts.count > 1, !parts[1].isEmpty { text += [UInt8(ascii: ".")] + parts[1] }
    text += exponent
    return true
  }

  private static func append(
    string range: Range<Int>, of bytes: Span<UInt8>, to text: inout [UInt8]
  ) {
    text.append(UInt8(ascii: "\""))
    for index in range {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        text += [UInt8(ascii: "\\"), byte]
      } else if byte < 0x20 {
        text += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
      } else {
        text.append(byte)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}
