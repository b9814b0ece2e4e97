extension CatalogChanges {
  /// The smallest reported rise in the share of NULLs, in percentage points.
  private static let reportedRise = 10.0

  /// A warning for each column with a much larger share of NULLs than before.
  package func nullIncreases(of catalog: String) -> [Warning] {
    tables.flatMap { table -> [Warning] in
      guard let rowsBefore = table.rowsBefore, let rowsAfter = table.rowsAfter, rowsBefore > 0,
        rowsAfter > 0
      else { return [] }
      return table.nulls.compactMap { nulls in
        let before = Double(nulls.before) * 100 / Double(rowsBefore)
        let after = Double(nulls.after) * 100 / Double(rowsAfter)
        guard after - before >= Self.reportedRise else { return nil }
        return Warning(
          file: catalog, code: .nullsRisen, table: table.name, column: nulls.column,
          "\(nulls.column) is NULL in \(rounded(after)) of the rows of \(table.name) "
            + "(\(nulls.after.grouped) of \(rowsAfter.grouped)), up from \(rounded(before)) "
            + "(\(nulls.before.grouped) of \(rowsBefore.grouped))",
          facts: "\(rounded(before)) to \(rounded(after))")
      }
    }
  }

  /// The largest loss of rows without a warning, in percent.
  private static let unreportedLoss = 10

  /// A warning for each table that has lost many of its rows, except those reported otherwise.
  package func rowLosses(of catalog: String, except reported: [String]) -> [Warning] {
    tables.compactMap { table in
      let (before, after) = (table.rowsBefore ?? 0, table.rowsAfter ?? 0)
      guard (before - after) * 100 > before * Self.unreportedLoss, !reported.contains(table.name)
      else {
        return nil
      }
      return Warning(
        file: catalog, code: .tableShrunk, table: table.name,
        "\(table.name) shrank from \(before.grouped) to \(after.of("row")), "
          + "\(shareLost(before, after)) fewer")
    }
  }

  private func rounded(_ percent: Double) -> String {
    percentText((percent * 10).rounded() / 10)
  }
}
