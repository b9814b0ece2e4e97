import SourceFiles
package import Facts
import CSV
import SQLiteSwiftly
package import Schema

extension SourceFolder {
  /// A warning for each file that looks like the source file of a table outside the schema, with a proposed description
  /// of that table if the first block of the file allows one.
  ///
  /// The first files have a warning each, and any others share one.
  ///
  /// A column has the type of the schema's column with that name, or else the type of its first values.
  package func unknownFileWarnings(_ schema: SchemaDescription) -> [Warning] {
    let knownColumns = schema.tables.flatMap(\.columns)
    let warnings = unknown.prefix(Self.describedFiles).map { file in
      Warning(
        file: file.name, code: .fileUnknown, "no table for this file; not loaded",
        facts: "", change: description(of: file, knownColumns))
    }
    let others = unknown.dropFirst(Self.describedFiles)
    guard let next = others.first else { return warnings }
    return warnings + [
      Warning(
        file: next.name, code: .fileUnknown,
        "no table for this file and \((others.count - 1).grouped) more; not loaded",
        facts: "and \((others.count - 1).grouped) more")
    ]
  }

  private static let describedFiles = 50

  /// Reads at most one block; returns nil at any fault.
  private func description(
    of file: File, _ knownColumns: [ColumnDescription]
  ) -> DescriptionChange? {
    var batch = RecordBatch(capacity: 64 << 10, records: 1000, fields: 10_000)
    guard var parser = try? SourceParser(file, recordLimit: 32 << 10),
      (try? parser.next(&batch)) == true, let header = batch.records.first, header.faults.isEmpty,
      header.fieldCount <= Self.describedColumns
    else { return nil }
    let table = file.name.prefix { $0 != "." }
    let names = batch.texts(of: header)
    let types = names.map { name in knownColumns.first { haveSameBytes($0.name, name) }?.type }
    return .table(
      String(table), file: file.name, columns: Array(zip(names, types)),
      ColumnSample.samples(of: batch, from: 1, keepingValues: true))
  }

  /// A file with more columns is not described.
  private static let describedColumns = 100
}
