import SQLiteSwiftly

/// The types of the standard (<https://datapackage.org/standard/table-schema/#field-types>).
enum FieldType: String, CaseIterable {
  case string, number, integer, boolean, object, array, list, datetime, date, time, year, yearmonth
  case duration, geopoint, geojson, any

  /// The type of the column.
  var columnType: ColumnDescription.DataType {
    switch self {
    case .integer: .integer
    case .number: .real
    case .boolean: .boolean
    default: .text
    }
  }

  /// The form of a date or time.
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

  /// The named formats.
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

  /// The constraints for every field.
  static let commonConstraints = ["required", "unique", "enum"]
  /// All constraints of the standard.
  static let allConstraints =
    commonConstraints + [
      "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
      "jsonSchema", "pattern",
    ]
}
