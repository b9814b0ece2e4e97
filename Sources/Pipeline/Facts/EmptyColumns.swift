package import SQLiteSwiftly

extension TableDescription {
  /// In fewer rows a column may be empty by chance.
  private static let fewestRows = 100

  /// A warning for each column that the dump has and that is NULL in every row all the same.
  ///
  /// A column is told of once, also if that was before, as `known` says.
  package func emptyColumnWarnings(_ account: TableCounts, besides known: [Warning]) -> [Warning] {
    guard let file = account.file, account.inserted >= Self.fewestRows else { return [] }
    return zip(columns, account.nulls).compactMap { column, nulls in
      let isTold = known.contains {
        $0.table == name && $0.column == column.name
          && [.columnAbsent, .nullsRisen].contains($0.code)
      }
      // Where the description permits that a column is absent, nobody is told.
      let header = account.sources.first?.header ?? []
      let isThere = header.isEmpty || header.hasName(column.name)
      guard nulls == account.inserted, isThere, !isTold else { return nil }
      return Warning(
        file: file, code: .columnEmpty, table: name, column: column.name,
        "the dump has the column \(column.name), but nothing in it: it is NULL in all "
          + "\(account.inserted.of("row")) of \(name)",
        facts: "")
    }
  }
}
