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

  func tableIndex(_ name: String) -> Int? {
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
