package import SourceFiles
package import Vocabulary
package import CSV
package import SQLiteSwiftly
package import Schema
import Text

/// The assignment of a source file's fields to the columns of its table.
package struct HeaderMatch {
  /// The names in the header, in order; those of the table's columns if there is no header.
  package let names: [String]
  package let exists: Bool
  package let dialect: Dialect
  /// The index of the field of each column of the table; nil if the source file lacks the column.
  package let fieldOfColumn: [Int?]
  package private(set) var warnings: [Warning] = []

  /// Matches a header to a table; `batch` holds the header, and the first records after it.
  package init(
    _ header: Header, table: TableDescription, permitting permitted: SourceDescription.FieldsMatch,
    file: SourceFolder.File,
    in batch: borrowing RecordBatch
  ) throws(IngestError) {
    dialect = file.layout.dialect
    exists = file.layout.headerRows > 0
    guard exists else {
      names = table.columns.map(\.name)
      fieldOfColumn = Array(table.columns.indices)
      return
    }
    let names =
      permitted == .exact
      ? header.names(ofColumns: table.columns.map(\.name), in: batch)
      : header.names
    self.names = names
    let bytes = names.map { Array($0.utf8) }
    for (index, name) in bytes.enumerated() where bytes[..<index].contains(name) {
      throw IngestError(
        .data, code: .file(.columnDuplicate),
        "\(file.path): line \(header.line): duplicate column \(names[index].quotedForMessage) in the header "
          + "(fields \((bytes.firstIndex(of: name) ?? 0) + 1) and \(index + 1)). Remove one of them."
      )
    }
    fieldOfColumn = table.columns.map { bytes.firstIndex(of: Array($0.name.utf8)) }
    let absent = zip(table.columns, fieldOfColumn).filter { $0.1 == nil }.map(\.0)
    let missing = absent.filter { !permitted.allowsAbsent || table.requires($0) }.map(\.name)
    guard missing.isEmpty else {
      throw IngestError(
        .data, code: .file(.columnMissing),
        "\(file.path): line \(header.line): no column \(missing.joined(separator: ", ")) in the header "
          + names.joined(separator: ",").quotedForMessage
          + (permitted.allowsAbsent
            ? ". Every record needs it: check "
            : ". The description requires it (fieldsMatch is \(permitted.rawValue)): check ")
          + "whether this is the source file of \(table.name), or whether the column was renamed."
          + MislabeledFile.hint(on: file))
    }
    try checkOthers(permitted, table, header, file)
    addWarnings(permitted, table, header, file.name, batch)
  }

  private mutating func addWarnings(
    _ permitted: SourceDescription.FieldsMatch, _ table: TableDescription, _ header: Header,
    _ file: String, _ batch: borrowing RecordBatch
  ) {
    let known = fieldOfColumn.compactMap(\.self)
    func warn(
      _ code: WarningCode, _ column: String?, _ message: String, facts: String = "",
      change: DescriptionChange? = nil
    ) {
      warnings.append(
        Warning(
          file: file, code: code, table: table.name, column: column, message, facts: facts,
          change: change))
    }
    // Absences that a description permits need no warning; skipped columns are a loss.
    for (column, field) in zip(table.columns, fieldOfColumn)
    where field == nil && permitted == .known {
      warn(
        .columnAbsent, column.name,
        "column \(column.name) is missing from the source file; it is NULL in every row of \(table.name)"
      )
    }
    let unknown = names.indices.filter { !known.contains($0) }
    let samples = unknown.isEmpty ? [] : ColumnSample.samples(of: batch, from: header.records)
    for index in unknown.prefix(Self.describedColumns) {
      warn(
        .columnUnknown, names[index].shown,
        "unknown column \(names[index].quotedForMessage), not loaded",
        change: .column(names[index], ofTable: table.name, samples[index]))
    }
    if let next = unknown.dropFirst(Self.describedColumns).first {
      let more = "and \((unknown.count - Self.describedColumns - 1).grouped) more"
      warn(
        .columnUnknown, names[next].shown,
        "unknown column \(names[next].quotedForMessage) \(more), not loaded", facts: more)
    }
    if permitted == .known, known != known.sorted() {
      let order = known.sorted().map { names[$0] }.joined(separator: ",")
      warn(
        .columnOrder, nil,
        "column order is \(order), but the database has "
          + known.map { names[$0] }.joined(separator: ",") + "; columns are matched by name",
        facts: order)
    }
  }

  private func checkOthers(
    _ permitted: SourceDescription.FieldsMatch, _ table: TableDescription, _ header: Header,
    _ file: SourceFolder.File
  ) throws(IngestError) {
    let columns = table.columns.map(\.name)
    var fault: String?
    if !permitted.allowsUnknown, let name = names.first(where: { !columns.hasName($0) }) {
      fault = "the column \(name.quotedForMessage) is not in the description"
    } else if permitted == .exact,
      let index = columns.indices.first(where: { fieldOfColumn[$0] != $0 })
    {
      fault = "field \(index + 1) is \(names[index].quotedForMessage), expected \(columns[index])"
    } else if permitted != .known, fieldOfColumn.allSatisfy({ $0 == nil }) {
      fault = "no column of the description is in the header"
    }
    guard let fault else { return }
    throw IngestError(
      .data, code: .file(.headerMismatch),
      "\(file.path): line \(header.line): \(fault). The header is "
        + "\(names.joined(separator: ",").quotedForMessage); the description has "
        + "\(columns.joined(separator: ",")), and fieldsMatch is \(permitted.rawValue): "
        + "\(permitted.words). Correct the description, or check whether this is the source file of "
        + "\(table.name)." + MislabeledFile.hint(on: file))
  }

  private static let describedColumns = 20
}

extension String {
  fileprivate var shown: String { String(quotedForMessage.dropFirst().dropLast()) }
}

extension SourceDescription.FieldsMatch {
  fileprivate var allowsAbsent: Bool { self == .known || self == .superset || self == .partial }

  fileprivate var allowsUnknown: Bool { self == .known || self == .subset || self == .partial }

  fileprivate var words: String {
    switch self {
    case .known: "columns are matched by name"
    case .exact: "exactly the described fields, in that order"
    case .equal: "exactly the described fields, in any order"
    case .subset: "all described fields, and possibly more"
    case .superset: "only described fields, and possibly fewer"
    case .partial: "at least one described field"
    }
  }
}
