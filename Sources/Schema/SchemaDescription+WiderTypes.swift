package import SQLiteSwiftly

extension SchemaDescription {
  /// Whether a run may widen the type of a column: it was inferred, and nothing else is required of its values.
  package func mayWiden(column: Int, ofTable table: Int) -> Bool {
    guard hasInferredTypes, keyUnions.isEmpty else { return false }
    return switch (tables[table].columns[column].type, tables[table].columns[column].domain) {
    case (.text, .time), (.text, .json), (.text, .form(.uuid)): true
    case (.text, _): false
    case (_, let domain): domain == nil
    }
  }

  /// Widens the type of a column, and of all columns connected with it by references.
  ///
  /// A column of a key becomes text, since a real is not a valid key.
  ///
  /// - Returns: The positions of all widened columns, beginning with the column itself.
  package mutating func widen(
    column: Int, ofTable table: Int, to type: ColumnDescription.DataType
  ) -> [(table: Int, column: Int)] {
    var widened = [(table: table, column: column)]
    var next = 0
    while next < widened.count {
      for other in connected(with: widened[next])
      where !widened.contains(where: { $0 == other }) {
        widened.append(other)
      }
      next += 1
    }
    let isKey = widened.contains { place in
      let table = tables[place.table]
      return ([table.primaryKey] + table.uniqueKeys).joined().contains {
        haveSameBytes($0, table.columns[place.column].name)
      }
    }
    for place in widened { setType(isKey ? .text : type, at: place) }
    return widened
  }

  private func connected(with place: (table: Int, column: Int)) -> [(table: Int, column: Int)] {
    let (own, name) = (tables[place.table].name, tables[place.table].columns[place.column].name)
    return tables.enumerated().flatMap { child, table in
      table.foreignKeys.flatMap { key -> [(table: Int, column: Int)] in
        guard let parent = tables.firstIndex(where: { haveSameBytes($0.name, key.table) })
        else { return [] }
        return zip(key.columns, key.keyColumns).compactMap { column, keyColumn in
          if child == place.table, haveSameBytes(column, name) {
            return tables[parent].columnIndex(keyColumn).map { (parent, $0) }
          }
          guard haveSameBytes(key.table, own), haveSameBytes(keyColumn, name) else { return nil }
          return table.columnIndex(column).map { (child, $0) }
        }
      }
    }
  }

  private mutating func setType(
    _ type: ColumnDescription.DataType, at place: (table: Int, column: Int)
  ) {
    let table = tables[place.table]
    var columns = table.columns
    let column = columns[place.column]
    // A column that is already text keeps its own domain.
    guard column.type != type || mayWiden(column: place.column, ofTable: place.table) else {
      return
    }
    columns[place.column] = ColumnDescription(
      column.name, type, isNullable: column.isNullable, meaning: column.meaning,
      since: column.since)
    sources[place.table].formats[place.column].spelling =
      type == .real ? .number(FieldFormat.NumberSpelling()) : .exact
    tables[place.table] = TableDescription(
      table.name, columns: columns, primaryKey: table.primaryKey, uniqueKeys: table.uniqueKeys,
      foreignKeys: table.foreignKeys, indexes: table.indexes,
      isWithoutRowid: TableDescription.storage(of: columns, primaryKey: table.primaryKey),
      meaning: table.meaning, since: table.since)
  }
}
