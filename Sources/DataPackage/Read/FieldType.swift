import Fields
import SQLiteSwiftly
import Schema

/// The types of the standard (<https://datapackage.org/standard/table-schema/#field-types>).
enum FieldType: String, CaseIterable {
  case string, number, integer, boolean, object, array, list, datetime, date, time, year, yearmonth
  case duration, geopoint, geojson, any

  var columnType: ColumnDescription.DataType {
    switch self {
    case .integer: .integer
    case .number: .real
    case .boolean: .boolean
    default: .text
    }
  }

  var timeForm: ColumnDescription.TimeForm? {
    switch self {
    case .date: .date
    case .time: .time
    case .datetime: .dateTime
    case .year: .year
    case .yearmonth: .yearMonth
    case .duration: .duration
    default: nil
    }
  }

  var formats: [String] {
    switch self {
    case .string: ["default", "email", "uri", "binary", "uuid"]
    case .date, .time, .datetime: ["default", "any"]
    case .geopoint: ["default", "array", "object"]
    case .geojson: ["default", "topojson"]
    default: ["default"]
    }
  }

  /// The properties that specify how values are written.
  var spellingProperties: [String] {
    switch self {
    case .number: ["decimalChar", "groupChar", "bareNumber"]
    case .integer: ["groupChar", "bareNumber"]
    case .boolean: ["trueValues", "falseValues"]
    case .list: ["delimiter", "itemType"]
    default: []
    }
  }

  /// The constraints for fields of this type, in addition to the common ones.
  var constraints: [String] {
    switch self {
    case .string: ["minLength", "maxLength", "pattern"]
    case .integer, .number, .date, .time, .datetime, .duration, .year, .yearmonth:
      ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
    case .object, .array, .geojson: ["minLength", "maxLength", "jsonSchema"]
    case .list: ["minLength", "maxLength"]
    case .boolean, .geopoint, .any: []
    }
  }

  /// The named formats of strings that are checked.
  static let textForms: [String: ColumnDescription.TextForm] = [
    "email": .email, "uri": .uri, "binary": .base64, "uuid": .uuid,
  ]
  /// The types of the elements of lists, except for strings.
  static let listItems: [FieldType: FieldFormat.ListItem] = [
    .integer: .integer, .number: .number, .boolean: .boolean, .date: .date, .time: .time,
    .datetime: .dateTime,
  ]
  static let trueValues = ["true", "True", "TRUE", "1"]
  static let falseValues = ["false", "False", "FALSE", "0"]

  /// The constraints for every field.
  static let commonConstraints = ["required", "unique", "enum"]
  /// All constraints of the standard.
  static let allConstraints =
    commonConstraints + [
      "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
      "jsonSchema", "pattern",
    ]
}

extension ColumnDescription.TimeForm {
  /// The stored form of a time in a constraint; nil if it matches neither the field's pattern nor the default format.
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
