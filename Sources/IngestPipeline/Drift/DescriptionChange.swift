package import SQLiteSwiftly

/// What could be added to the description of the dumps, so that what a notice tells of would be loaded.
package enum DescriptionChange: Equatable, Sendable {
  /// A column of a table.
  case column(ColumnDescription, ofTable: String)
  /// A table, with the file that has its dump.
  case table(TableDescription)

  /// A column of which no more is known than the first records of its dump show.
  static func column(
    _ name: String, ofTable table: String, _ sample: ColumnSample
  ) -> DescriptionChange {
    .column(ColumnDescription(name, sample.type, isNullable: true), ofTable: table)
  }

  /// A table of which no more is known than its dump shows.
  ///
  /// - Parameters:
  ///   - name: the table's name.
  ///   - file: the name of its dump.
  ///   - columns: the names in the header, with the types that are known.
  ///   - samples: what the first records have in each of them.
  /// - Returns: The table. The key has as many columns, from the first on, as tell those records apart.
  static func table(
    _ name: String, file: String, columns: [(name: String, type: ColumnDescription.DataType?)],
    _ samples: [ColumnSample]
  ) -> DescriptionChange {
    let keyCount = samples.uniqueColumns
    let described = zip(columns, samples).enumerated().map { index, column in
      ColumnDescription(
        column.0.name, column.0.type ?? column.1.type,
        isNullable: column.1.hasEmptyFields && index >= keyCount)
    }
    var table = TableDescription(
      name, columns: described, primaryKey: described.prefix(keyCount).map(\.name))
    table.dump.place = .files([file])
    table.dump.fieldsMatch = .exact
    return .table(table)
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
