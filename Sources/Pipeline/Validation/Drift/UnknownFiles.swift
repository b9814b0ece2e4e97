import SourceFiles
package import Facts
import CSV
import SQLiteSwiftly
package import Schema

extension SourceFolder {
  /// A warning for each file that looks like the dump of a table which the schema does not know, with a
  /// description of that table, as far as the first block of the file allows one.
  ///
  /// Of many such files the first ones have a warning each, and the others one together.
  ///
  /// A column has the type of one of the schema's that has its name, or else that of its first values.
  package func unknownFileWarnings(_ schema: SchemaDescription) -> [Warning] {
    let knownColumns = schema.tables.flatMap(\.columns)
    let warnings = unknown.prefix(Self.describedFiles).map { file in
      Warning(
        file: file.name, code: .fileUnknown, "no table is known for this file",
        facts: "", change: description(of: file, knownColumns))
    }
    let others = unknown.dropFirst(Self.describedFiles)
    guard let next = others.first else { return warnings }
    return warnings + [
      Warning(
        file: next.name, code: .fileUnknown,
        "no table is known for this file and \((others.count - 1).grouped) more",
        facts: "and \((others.count - 1).grouped) more")
    ]
  }

  private static let describedFiles = 50

  /// Reads one block at most, and gives up at any fault.
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

  /// A file with more columns is not a dump.
  private static let describedColumns = 100
}
