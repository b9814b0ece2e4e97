import Schema
import SQLiteSwiftly
import Validation

extension ColumnDescription.TimeForm {
  /// The stored form of a date or time in a constraint; nil if it matches neither the field's pattern nor the default
  /// format.
  func stored(_ text: String, pattern: String?) -> String? {
    let bytes = Array(text.utf8)
    switch self {
    case .year: return bytes.count == 4 && bytes.allSatisfy(\.isDigit) ? text : nil
    case .yearMonth: return bytes.span.matches(TextForms.yearMonth) ? text : nil
    case .duration: return nil
    case .date, .time, .dateTime: break
    }
    for spelling in [pattern.map { .time(pattern: $0) }, FieldFormat.Spelling.exact] {
      guard let spelling else { continue }
      var stored: [UInt8] = []
      if TimeReader(spelling, self).append(0..<bytes.count, of: bytes.span, to: &stored) {
        return String(decoding: stored, as: UTF8.self)
      }
    }
    return nil
  }

  /// An example for messages.
  var example: String {
    switch self {
    case .date: "2024-12-31"
    case .time: "23:59:59"
    case .dateTime: "2024-12-31T23:59:59"
    case .year: "2024"
    case .yearMonth: "2024-12"
    case .duration: "P1Y"
    }
  }
}
