extension TableDescription {
  package func validate() throws(SQLiteError) {
    try refuse(faults, in: "table \(written(identifier: name))")
  }

  var columnFaults: [String] {
    (columns.isEmpty ? ["there are no columns"] : []) + columns.flatMap(\.faults)
  }

  var keyFaults: [String] {
    var faults: [String] = []
    if !primaryKey.isEmpty {
      faults += listFaults(primaryKey, of: "the primary key")
    } else if isWithoutRowid {
      faults.append("a table without rowid needs a primary key")
    }
    for key in uniqueKeys { faults += listFaults(key, of: "a unique key") }
    for key in foreignKeys {
      let name = "a foreign key to \(written(identifier: key.table))"
      faults += nameFaults(key.table, empty: "a foreign key has an empty table name")
      faults += key.keyColumns.flatMap { nameFaults($0, empty: "\(name) has an empty column name") }
      faults += missing(key.columns, of: name)
      if key.columns.isEmpty { faults.append("\(name) has no columns") }
      if key.columns.count != key.keyColumns.count {
        faults.append(
          "\(name) has \(counted(key.columns.count, "column")), but its key has \(key.keyColumns.count)"
        )
      }
      faults += repetition(in: key.keyColumns, of: "the key of \(name)")
    }
    return faults
  }

  var indexFaults: [String] {
    var faults = indexes.flatMap { listFaults($0, of: "an index") }
    var columnsOfName: [[UInt8]: [String]] = [:]
    for columns in uniqueKeys + indexes {
      let index = indexName(columns)
      if let others = columnsOfName.updateValue(columns, forKey: foldedName(index)) {
        faults.append(
          "the indexes on \(written(columns: others)) and \(written(columns: columns)) "
            + "have the same name, \(written(identifier: index))")
      }
    }
    return faults
  }

  private func listFaults(_ list: [String], of name: String) -> [String] {
    missing(list, of: name) + (list.isEmpty ? ["\(name) has no columns"] : [])
      + repetition(in: list, of: name)
  }

  private func repetition(in list: [String], of name: String) -> [String] {
    guard Set(list.map(foldedName)).count < list.count else { return [] }
    return ["\(name) has a duplicate column: \(written(columns: list))"]
  }

  private func missing(_ list: [String], of name: String) -> [String] {
    list.filter { columnIndex($0) == nil }.map {
      "\(name) uses column \(written(identifier: $0)), which does not exist"
    }
  }
}

package func refuse(_ faults: [String], in thing: String) throws(SQLiteError) {
  guard !faults.isEmpty else { return }
  throw SQLiteError(.misuse, "invalid description of \(thing): " + faults.joined(separator: "; "))
}
