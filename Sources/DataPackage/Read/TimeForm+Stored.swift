import Schema
import SQLiteSwiftly
import Validation

extension ColumnDescription.TimeForm {
  /// A date or a time of a constraint as it is stored; nil if it is written neither by the pattern of its field nor
  /// as it is stored.
  func stored(_ text: String, pattern: String?) -> String? {
    let bytes = Array(text.utf8)
    for pattern in [pattern].compactMap(\.self) + storedPatterns {
      let reader = TimeReader(.time(pattern: pattern), self == .yearMonth ? .date : self)
      var stored: [UInt8] = []
      if reader.append(0..<bytes.count, of: bytes.span, to: &stored) {
        return String(decoding: stored.prefix(self == .yearMonth ? 7 : .max), as: UTF8.self)
      }
    }
    let isYear = self == .year && bytes.count == 4 && bytes.allSatisfy(\.isDigit)
    return isYear ? text : nil
  }

  /// The patterns of what is stored of times that are read by one.
  private var storedPatterns: [String] {
    switch self {
    case .date: ["%Y-%m-%d"]
    case .time: ["%H:%M:%S", "%H:%M:%S.%f"]
    case .dateTime: ["", ".%f", "%z", ".%f%z"].map { "%Y-%m-%dT%H:%M:%S\($0)" }
    case .yearMonth: ["%Y-%m"]
    case .year, .duration: []
    }
  }

  /// What a message shows.
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
