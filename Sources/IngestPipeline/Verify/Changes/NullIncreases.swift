extension CatalogChanges {
  /// The share of NULLs in a column, in points of a hundred, from whose rise on there is a notice.
  private static let notedRise = 10.0

  /// A notice for each column that is NULL in a much larger share of the rows than before.
  func nullIncreases(of catalog: String) -> [Notice] {
    tables.flatMap { table -> [Notice] in
      guard let rowsBefore = table.rowsBefore, let rowsAfter = table.rowsAfter, rowsBefore > 0,
        rowsAfter > 0
      else { return [] }
      return table.nulls.compactMap { nulls in
        let before = Double(nulls.before) * 100 / Double(rowsBefore)
        let after = Double(nulls.after) * 100 / Double(rowsAfter)
        guard after - before >= Self.notedRise else { return nil }
        return Notice(
          file: catalog, code: .nullsRisen, table: table.name, column: nulls.column,
          "\(nulls.column) is NULL in \(rounded(after)) of the rows of \(table.name), and was in "
            + "\(rounded(before)): \(nulls.after) of \(rowsAfter), before \(nulls.before) of "
            + "\(rowsBefore)")
      }
    }
  }

  private func rounded(_ percent: Double) -> String {
    percentText((percent * 10).rounded() / 10)
  }
}
