import SQLiteSwiftly
import Schema

extension FieldFormat {
  /// A description of the spelling in a source file; nil if values are stored as written.
  func words(for column: ColumnDescription) -> String? {
    switch spelling {
    case .exact: nil
    case .integer(let spelling): "a whole number" + spelling.words(ofWhole: true)
    case .number(let spelling): "a number" + spelling.words(ofWhole: false)
    case .boolean(let trueTexts, let falseTexts):
      trueTexts.joined(separator: " or ") + " for true, " + falseTexts.joined(separator: " or ")
        + " for false"
    case .time(let pattern): "text in the format \(pattern)"
    case .anyTime: "\(column.expectation), or another unambiguous spelling of one"
    case .list(let delimiter, let items): "\(items.words) separated by \(delimiter)"
    case .coordinates: "a longitude up to 180, a comma, and a latitude up to 90"
    }
  }
}

extension FieldFormat.NumberSpelling {
  fileprivate func words(ofWhole isWhole: Bool) -> String {
    (isWhole || decimalSeparator == "." ? "" : " with \(decimalSeparator) as the decimal separator")
      + (groupSeparator.map { ", optionally with \($0) between groups of digits" } ?? "")
      + (isBare ? "" : ", optionally with other text around it")
  }
}

extension FieldFormat.ListItem {
  fileprivate var words: String {
    switch self {
    case .text: "strings"
    case .integer: "whole numbers"
    case .number: "numbers"
    case .boolean: "true or false"
    case .date: "dates"
    case .time: "times of day"
    case .dateTime: "dates with times"
    }
  }
}
