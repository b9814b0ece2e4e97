import SourceFiles
package import Vocabulary
import CSV
import SQLiteSwiftly
package import Schema
import Text

extension SourceFolder {
  /// Warnings about files that look like source files of tables outside the schema, with a proposed description if the
  /// first block of a file allows one.
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

  private static let describedColumns = 100
}

extension Warning {
  private typealias Stamped = (table: String, file: String, time: SourceTime)

  /// The most seconds between the source files of one day, which are written within half a minute.
  private static let mostSecondsApart = 3600

  /// Gzip times are in UTC and ZIP times in an unknown time zone, so they are only compared with their own kind.
  package static func mixedGenerations(in tables: [TableCounts]) -> Warning? {
    let stamped: [Stamped] = tables.flatMap { counts in
      counts.sources.compactMap { source in
        source.time.map { (counts.table, source.name, $0) }
      }
    }
    return mixedGenerations(of: stamped.filter(\.time.isUTC))
      ?? mixedGenerations(of: stamped.filter { !$0.time.isUTC })
  }

  private static func mixedGenerations(of stamped: [Stamped]) -> Warning? {
    guard let oldest = stamped.min(by: { $0.time.isEarlier(than: $1.time) }),
      let newest = stamped.max(by: { $0.time.isEarlier(than: $1.time) }),
      newest.time.seconds - oldest.time.seconds > mostSecondsApart
    else { return nil }
    let (first, last) = (oldest.time.text, newest.time.text)
    return Warning(
      file: oldest.file, code: .mixedGenerations, table: oldest.table,
      "compressed at \(first), but \(newest.file) at \(last): the source files may be from different "
        + "days; download all of them again together",
      facts: "\(first) to \(last)")
  }
}
