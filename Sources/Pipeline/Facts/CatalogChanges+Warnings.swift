extension CatalogChanges {
  /// The share of NULLs in a column, in points of a hundred, from whose rise on there is a warning.
  private static let notedRise = 10.0

  /// A warning for each column that is NULL in a much larger share of the rows than before.
  package func nullIncreases(of catalog: String) -> [Warning] {
    tables.flatMap { table -> [Warning] in
      guard let rowsBefore = table.rowsBefore, let rowsAfter = table.rowsAfter, rowsBefore > 0,
        rowsAfter > 0
      else { return [] }
      return table.nulls.compactMap { nulls in
        let before = Double(nulls.before) * 100 / Double(rowsBefore)
        let after = Double(nulls.after) * 100 / Double(rowsAfter)
        guard after - before >= Self.notedRise else { return nil }
        return Warning(
          file: catalog, code: .nullsRisen, table: table.name, column: nulls.column,
          "\(nulls.column) is NULL in \(rounded(after)) of the rows of \(table.name), and was in "
            + "\(rounded(before)): \(nulls.after.grouped) of \(rowsAfter.grouped), before "
            + "\(nulls.before.grouped) of \(rowsBefore.grouped)",
          facts: "\(rounded(before)) to \(rounded(after))")
      }
    }
  }

  /// The share of lost rows, in percent, beyond which there is a warning.
  private static let notedLoss = 10

  /// A warning for each table that has lost many of its rows, but for some tables of which that is told
  /// otherwise.
  package func rowLosses(of catalog: String, besides told: [String]) -> [Warning] {
    tables.compactMap { table in
      let (before, after) = (table.rowsBefore ?? 0, table.rowsAfter ?? 0)
      guard (before - after) * 100 > before * Self.notedLoss, !told.contains(table.name) else {
        return nil
      }
      return Warning(
        file: catalog, code: .tableShrunk, table: table.name,
        "\(table.name) has \(after.of("row")) and had \(before.grouped), which is "
          + "\(shareLost(before, after)) fewer")
    }
  }

  private func rounded(_ percent: Double) -> String {
    percentText((percent * 10).rounded() / 10)
  }
}
