package import SQLiteSwiftly

/// What a description only guesses, and how a run corrects a guess that its data contradict.
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
        guard let parent = tableIndex(key.table) else { return [] }
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
    var columns = tables[place.table].columns
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
    if type == .text {
      sources[place.table].formats[place.column].missingValues.removeAll(
        where: FieldFormat.missingWords.contains)
    }
    let table = tables[place.table]
    replace(place.table, columns, table.primaryKey, table.foreignKeys, table.indexes)
  }

  /// Drops the primary key of a table and the references to it, and returns the tables and columns of these.
  package mutating func dropKey(ofTable index: Int) -> [(table: Int, columns: [String])] {
    let table = tables[index]
    var dropped: [(table: Int, columns: [String])] = []
    for (child, other) in tables.enumerated() {
      for key in other.foreignKeys
      where haveSameBytes(key.table, table.name) && haveSameBytes(key.keyColumns, table.primaryKey)
      {
        dropReference(key.columns, ofTable: child)
        dropped.append((child, key.columns))
      }
    }
    sources[index].keyGuess = .dropped(table.primaryKey)
    replace(index, table.columns, [], tables[index].foreignKeys, tables[index].indexes)
    return dropped
  }

  /// Drops the foreign key of some columns, but not its index, which queries may need, unless a value is too long for it.
  package mutating func dropReference(
    _ columns: [String], ofTable index: Int, withIndex: Bool = false
  ) {
    let table = tables[index]
    replace(
      index, table.columns, table.primaryKey,
      table.foreignKeys.filter { !haveSameBytes($0.columns, columns) },
      withIndex ? table.indexes.filter { !haveSameBytes($0, columns) } : table.indexes)
  }

  private mutating func replace(
    _ index: Int, _ columns: [ColumnDescription], _ primaryKey: [String],
    _ foreignKeys: [ForeignKeyDescription], _ indexes: [[String]]
  ) {
    let table = tables[index]
    tables[index] = TableDescription(
      table.name, columns: columns, primaryKey: primaryKey, uniqueKeys: table.uniqueKeys,
      foreignKeys: foreignKeys, indexes: indexes,
      isWithoutRowid: TableDescription.storage(of: columns, primaryKey: primaryKey),
      meaning: table.meaning, since: table.since)
  }

  /// A table with the key that this run has dropped: records are still recognized by it in repairs, and in other nights.
  package func describedTable(_ index: Int) -> TableDescription {
    guard case .dropped(let key) = sources[index].keyGuess else { return tables[index] }
    var described = self
    let table = tables[index]
    described.replace(index, table.columns, key, table.foreignKeys, table.indexes)
    return described.tables[index]
  }
}
