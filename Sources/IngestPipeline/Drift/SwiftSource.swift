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
  /// The Swift source that describes the column, with other known values if they are given.
  func swiftSource(knownValues: [String]? = nil) -> String {
    let knownValues = knownValues ?? self.knownValues
    var source = "ColumnDescription(\(swiftLiteral(name)), .\(type)"
    if isNullable { source += ", isNullable: true" }
    if let domain { source += ", domain: \(domain.swiftSource)" }
    if let defaultValue { source += ", defaultValue: \(defaultValue.swiftSource)" }
    if !knownValues.isEmpty { source += ", knownValues: \(swiftList(knownValues))" }
    return source + ")"
  }
}

extension ColumnDescription.Domain {
  fileprivate var swiftSource: String {
    switch self {
    case .atLeast(let minimum): ".atLeast(\(minimum))"
    case .within(let range): ".within(\(range.lowerBound)...\(range.upperBound))"
    case .oneOf(let texts): ".oneOf(\(swiftList(texts)))"
    case .singleLine: ".singleLine"
    case .hexadecimalDigits(let count): ".hexadecimalDigits(\(count))"
    }
  }
}

extension SQLiteValue {
  fileprivate var swiftSource: String {
    switch self {
    case .null: ".null"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): swiftLiteral(text)
    case .blob(let bytes): ".blob(\(bytes))"
    }
  }
}

extension TableDescription {
  /// The change that adds a column which the dump has.
  func change(addingColumn name: String, _ sample: ColumnSample) -> String {
    let column = ColumnDescription(name, sample.type, isNullable: true)
    return "\(self.name): add \(column.swiftSource())"
  }

  /// The change that removes a column which the dump does not have.
  func change(removing column: ColumnDescription) -> String {
    "\(name): remove \(column.swiftSource())"
  }

  /// The change to the order of the columns that a dump has.
  ///
  /// - Parameter names: the columns that are in the dump, in its order; the others stay after those
  ///   that they follow now.
  /// - Returns: The change.
  func change(orderingColumns names: [String]) -> String {
    var order = names
    for (index, column) in columns.enumerated()
    where !order.contains(where: { haveSameBytes($0, column.name) }) {
      let place = order.firstIndex { index > 0 && haveSameBytes($0, columns[index - 1].name) }
      order.insert(column.name, at: place.map { $0 + 1 } ?? 0)
    }
    return "\(name): put the columns in the order \(swiftList(order))"
  }

  /// The change that adds values to those that are known of a column.
  func change(knowing values: [String], of column: ColumnDescription) -> String {
    "\(name): replace \(column.name) by \(column.swiftSource(knownValues: column.knownValues + values))"
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
      return ColumnDescription(column.0.name, type, isNullable: isNullable).swiftSource()
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
