package import Facts
import DatabaseFile
import SQLiteSwiftly

extension CatalogComparison {
  /// Counts what would differ if what was read were loaded; of keys only building a catalogue can tell.
  ///
  /// - Parameters:
  ///   - read: what was read for each table of the schema.
  ///   - options: say what else the catalogue would have.
  ///   - recorder: is told of what is noticed.
  /// - Returns: What would differ; nil if there is no catalogue, or if it cannot be made sense of.
  /// - Throws: `IngestError` if the catalogue is locked or fails to be read.
  package func foreseenChanges(
    _ read: [ReadRows], _ options: IngestOptions, _ recorder: RunRecorder
  ) throws(IngestError) -> CatalogChanges? {
    try telling(recorder) { size, _ throws(ComparisonError) in
      let old = try reading(ComparisonError.old) { () throws(SQLiteError) in try openOld() }
      let new = try reading(ComparisonError.new) { () throws(SQLiteError) in
        try emptyCatalog(withSearch: options.hasSearch)
      }
      let pair = DatabasePair(old: old, new: new) { table, columns in
        guard let place = schema.tables.map(\.name).firstIndex(where: { haveSameBytes($0, table) })
        else { return [Int](repeating: 0, count: columns.count + 1) }
        let places = columns.compactMap(schema.tables[place].columnIndex)
        return [read[place].rows] + places.map { read[place].nulls[$0] }
      }
      return try old.limitingWork(to: WorkLimit(forFileOf: size)) { () throws(ComparisonError) in
        var found = try compare(pair) { table, onlyRows throws(ComparisonError) in
          var table = table
          table.key = []
          return try pair.change(of: table, onlyRows: onlyRows)
        }
        found.0.isForeseen = true
        // The operator's own SQL may make what is not there yet.
        if !options.sqlFiles.isEmpty {
          found.0.tables.removeAll { $0.rowsAfter == nil }
          found.1 = nil
        }
        return found
      }
    }
  }

  /// A database with all that a catalogue has but rows.
  private func emptyCatalog(withSearch hasSearch: Bool) throws(SQLiteError) -> Connection {
    let connection = try Connection.inMemory()
    for table in schema.tables + schema.allDerivedTables + Provenance.tables {
      try connection.createTable(describedBy: table)
    }
    for view in schema.views { try connection.execute(view.creation) }
    if hasSearch, let search = schema.search, try connection.canSearch(search) {
      _ = try connection.createSearch(search)
    }
    return connection
  }
}
