package import SQLiteSwiftly
import Text
package import Vocabulary

extension TableDescription {
  /// With fewer rows, a column may be empty by chance.
  private static let fewestRows = 100

  /// A warning for each column of the source file that is NULL in every row, except those reported before.
  package func emptyColumnWarnings(
    _ counts: TableCounts, except reported: [Warning]
  ) -> [Warning] {
    guard let file = counts.file, counts.inserted >= Self.fewestRows else { return [] }
    return zip(columns, counts.nulls).compactMap { column, nulls in
      let isReported = reported.contains {
        $0.table == name && $0.column == column.name
          && [.columnAbsent, .nullsRisen].contains($0.code)
      }
      // A description may permit that a column is absent, without a warning.
      let header = counts.sources.first?.header ?? []
      let isPresent = header.isEmpty || header.hasName(column.name)
      guard nulls == counts.inserted, isPresent, !isReported else { return nil }
      return Warning(
        file: file, code: .columnEmpty, table: name, column: column.name,
        "column \(column.name) is empty in the source file: it is NULL in all "
          + "\(counts.inserted.of("row")) of \(name)",
        facts: "")
    }
  }
}
