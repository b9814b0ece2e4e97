import SQLiteFormat
import Vocabulary
import Text
import SQLiteSwiftly

/// What the changed rows of one table have in common, collected during a comparison.
struct ChangedRows {
  struct Column {
    var changed = 0
    /// The most common new value if it makes up more than half of all (Boyer and Moore, 1981), and its margin.
    var candidate = SQLiteValue.null
    var margin = 0
    var encodedTwice = 0
    var example = ""
    var samples = KeySamples()
  }

  private(set) var lost = KeySamples()
  private(set) var columns: [Int: Column] = [:]

  mutating func add(_ change: RowChange) {
    guard change.kind != .added else { return }
    lost.add(key: change.key)
    for field in change.fields {
      columns[field.column, default: Column()].add(field, of: change.key)
    }
  }
}

extension ChangedRows.Column {
  fileprivate mutating func add(_ field: RowChange.Field, of key: [SQLiteValue]) {
    changed += 1
    if margin == 0 { candidate = field.after }
    margin += candidate == field.after ? 1 : -1
    guard case .text(let before) = field.before, case .text(let after) = field.after,
      after.utf8.count > before.utf8.count, after.isEncodedTwice(of: before)
    else { return }
    if encodedTwice == 0 { example = "\(after.quotedForMessage) for \(before.quotedForMessage)" }
    encodedTwice += 1
    samples.add(key: key)
  }
}

typealias KeySamples = EvenSample<[SQLiteValue]>

extension EvenSample<[SQLiteValue]> {
  private static let longestKey = 200

  init() { self.init(most: History.Cause.mostSamples) }

  /// Adds a key, without its values if they are long.
  mutating func add(key: [SQLiteValue]) {
    add(key.allSatisfy { $0.textValue?.utf8.count ?? 0 <= Self.longestKey } ? key : [.null])
  }

  /// The keys as arrays in JSON, without those that have none or are long.
  var json: [String] {
    elements.compactMap { key in
      let values = key.compactMap { value -> JSON? in
        switch value {
        case .integer(let number): JSON(Int(number))
        case .text(let text): JSON(text)
        case .real, .blob, .null: nil
        }
      }
      guard values.count == key.count else { return nil }
      let text = JSON(values).written(as: .line)
      return text.utf8.count <= Self.longestKey ? text : nil
    }
  }
}

extension String {
  /// Whether its characters are the bytes of `text` in UTF-8, in ISO 8859-1 or Windows-1252.
  fileprivate func isEncodedTwice(of text: String) -> Bool {
    var bytes = text.utf8.makeIterator()
    for scalar in unicodeScalars {
      guard let byte = bytes.next() else { return false }
      let isByte =
        scalar.value == UInt32(byte)
        || (0x80...0x9f ~= byte && scalar.value == Self.windows1252[Int(byte) - 0x80])
      guard isByte else { return false }
    }
    return bytes.next() == nil
  }

  /// The characters of the bytes 80 to 9F
  /// (<https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1252.TXT>); 0 for none.
  private static let windows1252: [UInt32] = [
    0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc,
    0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
  ]
}
