package import SourceFiles
package import Facts
package import CSV
package import SQLiteSwiftly
package import Schema

/// Which field of a dump's records belongs to which column of its table.
package struct HeaderMatch {
  /// The names in the header, in its order; those of the table's columns if there is no header.
  package let names: [String]
  package let isThere: Bool
  package let dialect: Dialect
  /// For each column of the table the index of its field, or nil where the dump lacks the column.
  package let fieldOfColumn: [Int?]
  package private(set) var warnings: [Warning] = []

  /// The batch has the header, and the first records after it.
  package init(
    _ header: Header, table: TableDescription, permitting permitted: SourceDescription.FieldsMatch,
    file: SourceFolder.File,
    in batch: borrowing RecordBatch
  ) throws(IngestError) {
    dialect = file.layout.dialect
    isThere = file.layout.headerRows > 0
    guard isThere else {
      names = table.columns.map(\.name)
      fieldOfColumn = Array(table.columns.indices)
      return
    }
    let names = header.names
    self.names = names
    let bytes = names.map { Array($0.utf8) }
    for (index, name) in bytes.enumerated() where bytes[..<index].contains(name) {
      throw IngestError(
        .data, code: .columnDuplicate,
        "\(file.path): line \(header.line): the column \(names[index].quotedForMessage) is in the header "
          + "twice, as field \((bytes.firstIndex(of: name) ?? 0) + 1) and \(index + 1). "
          + "Remove one of them.")
    }
    fieldOfColumn = table.columns.map { bytes.firstIndex(of: Array($0.name.utf8)) }
    let absent = zip(table.columns, fieldOfColumn).filter { $0.1 == nil }.map(\.0)
    let missing = absent.filter { !permitted.allowsAbsent || table.requires($0) }.map(\.name)
    guard missing.isEmpty else {
      throw IngestError(
        .data, code: .columnMissing,
        "\(file.path): line \(header.line): no column \(missing.joined(separator: ", ")) in the header, which is "
          + names.joined(separator: ",").quotedForMessage
          + (permitted.allowsAbsent
            ? ". Every record needs it: check "
            : ". The description asks for it (fieldsMatch is \(permitted.rawValue)): check ")
          + "whether the file is the dump of \(table.name), or whether the column has a new name."
          + MislabeledFile.hint(on: file))
    }
    try checkOthers(permitted, table, header, file)
    // What a description permits to be absent it need not be told; what is passed over is lost.
    if permitted == .known { noteAbsentColumns(file: file.name, table) }
    noteUnknownColumns(file: file.name, table, header, batch)
    if permitted == .known { noteOrder(file: file.name, table) }
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
      let place = columns.indices.first(where: { fieldOfColumn[$0] != $0 })
    {
      fault =
        "field \(place + 1) is \(names[place].quotedForMessage), where \(columns[place]) is expected"
    } else if permitted != .known, fieldOfColumn.allSatisfy({ $0 == nil }) {
      fault = "no column of the description is in the header"
    }
    guard let fault else { return }
    throw IngestError(
      .data, code: .headerMismatch,
      "\(file.path): line \(header.line): \(fault). The header is "
        + "\(names.joined(separator: ",").quotedForMessage), the description has "
        + "\(columns.joined(separator: ",")), and fieldsMatch is \(permitted.rawValue): "
        + "\(permitted.words). Correct the description, or check whether the file is the dump of "
        + "\(table.name)." + MislabeledFile.hint(on: file))
  }

  private static let describedColumns = 20

  private mutating func noteAbsentColumns(file: String, _ table: TableDescription) {
    for (column, field) in zip(table.columns, fieldOfColumn) where field == nil {
      warnings.append(
        Warning(
          file: file, code: .columnAbsent, table: table.name, column: column.name,
          "the dump has no column \(column.name); it is NULL in every row of \(table.name)",
          facts: ""))
    }
  }

  private mutating func noteUnknownColumns(
    file: String, _ table: TableDescription, _ header: Header, _ batch: borrowing RecordBatch
  ) {
    let known = fieldOfColumn.compactMap { $0 }
    let unknown = names.indices.filter { !known.contains($0) }
    let samples =
      unknown.isEmpty ? [] : ColumnSample.samples(of: batch, from: header.records)
    for index in unknown.prefix(Self.describedColumns) {
      warnings.append(
        Warning(
          file: file, code: .columnUnknown, table: table.name, column: names[index].shown,
          "the column \(names[index].quotedForMessage) is not known and is not loaded",
          facts: "", change: .column(names[index], ofTable: table.name, samples[index])))
    }
    if let next = unknown.dropFirst(Self.describedColumns).first {
      warnings.append(
        Warning(
          file: file, code: .columnUnknown, table: table.name, column: names[next].shown,
          "the column \(names[next].quotedForMessage) and "
            + "\((unknown.count - Self.describedColumns - 1).grouped) more "
            + "are not known and are not loaded",
          facts: "and \((unknown.count - Self.describedColumns - 1).grouped) more"))
    }
  }

  private mutating func noteOrder(file: String, _ table: TableDescription) {
    let known = fieldOfColumn.compactMap { $0 }
    if known != known.sorted() {
      let found = known.sorted().map { names[$0] }.joined(separator: ",")
      warnings.append(
        Warning(
          file: file, code: .columnOrder, table: table.name,
          "the columns are in the order \(found), where the catalog has "
            + known.map { names[$0] }.joined(separator: ",") + "; they are found by their names",
          facts: found))
    }
  }
}

extension String {
  fileprivate var shown: String { String(quotedForMessage.dropFirst().dropLast()) }
}

extension SourceDescription.FieldsMatch {
  fileprivate var allowsAbsent: Bool { self == .known || self == .superset || self == .partial }

  fileprivate var allowsUnknown: Bool { self == .known || self == .subset || self == .partial }

  fileprivate var words: String {
    switch self {
    case .known: "columns are found by their names"
    case .exact: "the fields are those of the description, in its order"
    case .equal: "the fields are those of the description, in any order"
    case .subset: "all fields of the description are there, and there may be more"
    case .superset: "there are only fields of the description, and there may be fewer"
    case .partial: "at least one field of the description is there"
    }
  }
}
