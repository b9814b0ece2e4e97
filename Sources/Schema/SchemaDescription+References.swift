package import SQLiteSwiftly

extension SchemaDescription {
  /// The reasons why a loader cannot check the references between the tables, as messages; empty if it can.
  ///
  /// Rows are checked in the order of the tables: each must refer to tables before it, to itself,
  /// or to key unions of tables before it. Names are compared by bytes, and values as stored, so
  /// referring columns must have the same storage class.
  package var referenceFaults: [String] {
    tables.indices.flatMap { index in
      tables[index].foreignKeys.flatMap { key in
        faults(of: key, ofTableAt: index).map {
          "foreign key \(written(columns: key.columns)) of "
            + "\(written(identifier: tables[index].name)) \($0)"
        }
      }
    }
  }

  package func validateReferences() throws(SQLiteError) {
    try refuse(referenceFaults, in: "schema")
  }

  /// The columns of a table, or of the members of a key union; empty if there is no such table.
  package func sources(of key: ForeignKeyDescription) -> [(table: Int, columns: [String])] {
    if let table = tableIndex(key.table) { return [(table, key.keyColumns)] }
    let union = keyUnions.first { haveSameBytes($0.name, key.table) }
    return union?.members.compactMap { member in
      tableIndex(member.table).map { ($0, [member.keyColumn]) }
    } ?? []
  }

  private func tableIndex(_ name: String) -> Int? {
    tables.firstIndex { haveSameBytes($0.name, name) }
  }

  private func faults(of key: ForeignKeyDescription, ofTableAt index: Int) -> [String] {
    let union = keyUnions.first { haveSameBytes($0.name, key.table) }
    guard let parent = tableIndex(key.table).map({ tables[$0] }) ?? union?.table else {
      return ["refers to \(written(identifier: key.table)), which is not a table"]
    }
    let name = "\(written(identifier: parent.name)) \(written(columns: key.keyColumns))"
    var faults: [String] = []
    for source in sources(of: key) where source.table > index {
      faults.append(
        "needs \(written(identifier: tables[source.table].name)), which must precede it")
    }
    if union != nil, sources(of: key).contains(where: { $0.table == index }) {
      faults.append("refers to \(name), which includes values of the same table")
    }
    let ends = zip(key.columns, key.keyColumns).map { column, keyColumn in
      (tables[index].column(column)?.type, parent.column(keyColumn)?.type)
    }
    if ends.contains(where: { $0.1 == nil }) {
      faults.append("refers to \(name), which does not have these columns")
    } else if ends.contains(where: { $0.0?.sql != $0.1?.sql }) {
      faults.append("refers to \(name), which has another type")
    }
    if union != nil || key.isDeclared, !parent.isKey(key.keyColumns) {
      faults.append("refers to \(name), which is not a key")
    }
    return faults
  }

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

extension TableDescription {
  /// Whether the columns are exactly those of a key, in any order.
  package func isKey(_ columns: [String]) -> Bool {
    ([primaryKey] + uniqueKeys).contains { !$0.isEmpty && $0.setOfNames == columns.setOfNames }
  }

  fileprivate func column(_ name: String) -> ColumnDescription? {
    columnIndex(name).map { columns[$0] }
  }
}

extension [String] {
  /// The names by bytes, as SQLite compares them.
  package var setOfNames: Set<[UInt8]> { Set(map { [UInt8]($0.utf8) }) }
}
