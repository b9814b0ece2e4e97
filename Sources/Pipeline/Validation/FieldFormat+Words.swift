import SQLiteSwiftly
import Schema

extension FieldFormat {
  /// How a value is written in a dump, in words; nil if it is as it is stored.
  func words(for column: ColumnDescription) -> String? {
    switch spelling {
    case .exact: nil
    case .integer(let spelling): "a whole number" + spelling.words(ofWhole: true)
    case .number(let spelling): "a number" + spelling.words(ofWhole: false)
    case .boolean(let trueTexts, let falseTexts):
      trueTexts.joined(separator: " or ") + " for true, " + falseTexts.joined(separator: " or ")
        + " for false"
    case .time(let pattern): "a text by the pattern \(pattern)"
    case .anyTime: "\(column.expectation), or another way to write it that can only mean one"
    case .list(let delimiter, let items): "\(items.words) with \(delimiter) between them"
    case .coordinates: "a longitude up to 180, a comma and a latitude up to 90"
    }
  }
}

extension FieldFormat.NumberSpelling {
  fileprivate func words(ofWhole isWhole: Bool) -> String {
    (isWhole || decimalSeparator == "." ? "" : ", with \(decimalSeparator) before the fraction")
      + (groupSeparator.map { ", with \($0) between groups of digits or without" } ?? "")
      + (isBare ? "" : ", with other text around it or without")
  }
}

extension FieldFormat.ListItem {
  fileprivate var words: String {
    switch self {
    case .text: "texts"
    case .integer: "whole numbers"
    case .number: "numbers"
    case .boolean: "true or false"
    case .date: "dates"
    case .time: "times of day"
    case .dateTime: "dates with a time"
    }
  }
}
