import SQLiteSwiftly

/// Writes a text as a Swift literal, in which nothing can control a terminal.
func swiftLiteral(_ text: String) -> String {
  let inner = text.rewritten { scalar in
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    default:
      let isShown = ![.control, .format].contains(scalar.properties.generalCategory)
      return isShown ? nil : scalar.escaped
    }
  }
  return "\"\(inner)\""
}

private func swiftList(_ texts: [String]) -> String {
  "[\(texts.map(swiftLiteral).joined(separator: ", "))]"
}

extension ColumnDescription {
  /// The Swift source that describes a column of which no more is known than a dump shows.
  fileprivate var swiftSource: String {
    "ColumnDescription(\(swiftLiteral(name)), .\(type)\(isNullable ? ", isNullable: true" : ""))"
  }
}

extension TableDescription {
  /// The change that adds a column which the dump has.
  func change(addingColumn name: String, _ sample: ColumnSample) -> String {
    let column = ColumnDescription(name, sample.type, isNullable: true)
    return "\(self.name): add \(column.swiftSource)"
  }

  /// The description of a table that is not known, from the header of its dump and the first records.
  ///
  /// - Parameters:
  ///   - name: the table's name.
  ///   - columns: the names in the header, with the types that are known.
  ///   - samples: what the first records have in each of them.
  /// - Returns: Swift source. The key has as many columns, from the first on, as tell those records
  ///   apart.
  static func swiftSource(
    forTable name: String, columns: [(name: String, type: ColumnDescription.DataType?)],
    _ samples: [ColumnSample]
  ) -> String {
    let keyCount = samples.uniqueColumns
    let sources = zip(columns, samples).enumerated().map { index, column in
      let isNullable = column.1.hasEmptyFields && index >= keyCount
      let type = column.0.type ?? column.1.type
      return ColumnDescription(column.0.name, type, isNullable: isNullable).swiftSource
    }
    let key = columns[..<keyCount].map(\.name)
    return "add TableDescription(\(swiftLiteral(name)), columns: ["
      + sources.joined(separator: ", ") + "], primaryKey: \(swiftList(key)))"
  }
}

extension Array<ColumnSample> {
  /// How many columns, from the first on, are together different in all records; one if there is none
  /// to tell, and 0 if not even all of them are.
  fileprivate var uniqueColumns: Int {
    let records = first?.values.count ?? 0
    return indices.first { last in
      let keys = (0..<records).map { record in self[...last].map { $0.values[record] } }
      return Set(keys).count == records
    }.map { $0 + 1 } ?? 0
  }
}
