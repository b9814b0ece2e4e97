import CSV
import SQLiteSwiftly

/// Which field of a dump's records belongs to which column of its table.
struct HeaderMatch {
  /// The names in the header, in its order.
  let names: [String]
  /// For each column of the table the index of its field, or nil where the dump lacks the column.
  let fieldOfColumn: [Int?]
  /// What differs from the table's description.
  private(set) var notices: [Notice] = []

  /// Matches the header by the columns' names, in any order.
  ///
  /// - Throws: `IngestError` with `column-duplicate` or `column-missing`.
  init(
    _ header: Header, table: TableDescription, file: DumpFolder.File
  ) throws(IngestError) {
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
    let missing = absent.filter { table.requires($0) }.map(\.name)
    guard missing.isEmpty else {
      throw IngestError(
        .data, code: .columnMissing,
        "\(file.path): line \(header.line): no column \(missing.joined(separator: ", ")) in the header, which is "
          + names.joined(separator: ",").quotedForMessage + ". Every record needs it: check "
          + "whether the file is the dump of \(table.name), or whether the column has a new name."
          + MistakenFile.hint(on: file))
    }
    addNotices(file: file.name, table, header)
  }

  /// The most unknown columns that are reported one by one.
  private static let describedColumns = 20

  /// Compares the header with the table's description.
  private mutating func addNotices(file: String, _ table: TableDescription, _ header: Header) {
    for (column, field) in zip(table.columns, fieldOfColumn) where field == nil {
      notices.append(
        Notice(
          file: file, code: .columnAbsent, table: table.name, column: column.name,
          "the dump has no column \(column.name); it is NULL in every row of \(table.name)",
          facts: ""))
    }
    let known = fieldOfColumn.compactMap { $0 }
    let unknown = names.indices.filter { !known.contains($0) }
    for index in unknown.prefix(Self.describedColumns) {
      notices.append(
        Notice(
          file: file, code: .columnUnknown, table: table.name, column: names[index].shown,
          "the column \(names[index].quotedForMessage) is not known and is not loaded",
          facts: "", change: table.change(addingColumn: names[index], header.samples[index])))
    }
    if let next = unknown.dropFirst(Self.describedColumns).first {
      notices.append(
        Notice(
          file: file, code: .columnUnknown, table: table.name, column: names[next].shown,
          "the column \(names[next].quotedForMessage) and "
            + "\((unknown.count - Self.describedColumns - 1).grouped) more "
            + "are not known and are not loaded",
          facts: "and \((unknown.count - Self.describedColumns - 1).grouped) more"))
    }
    if known != known.sorted() {
      let found = known.sorted().map { names[$0] }.joined(separator: ",")
      notices.append(
        Notice(
          file: file, code: .columnOrder, table: table.name,
          "the columns are in the order \(found), where the catalogue has "
            + known.map { names[$0] }.joined(separator: ",") + "; they are found by their names",
          facts: found))
    }
  }
}

extension String {
  /// The text as a message shows it, without the quotes.
  fileprivate var shown: String { String(quotedForMessage.dropFirst().dropLast()) }
}
