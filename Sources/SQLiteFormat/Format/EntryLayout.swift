import SQLiteSwiftly

/// The values of an index's entries, in sort order.
///
/// The indexed columns come first, then the reference to the row: the rowid, or the columns of the primary key that are
/// not indexed (<https://www.sqlite.org/fileformat2.html#representation_of_sql_indices>).
struct EntryLayout: Sendable {
  struct Column: Sendable {
    /// Its position in a row; -1 for a rowid that SQLite counts from 1.
    let place: Int
    let kind: Kind
    let isNullable: Bool
    /// Whether a text is preceded by a byte in a key, which distinguishes it from NULL, and from
    /// the text after a NUL in the preceding text.
    var isMarked = false

    var isText: Bool { kind == .text }
  }

  /// The type of a column's values other than NULL.
  enum Kind: UInt8 {
    case integer, text, real

    /// Fails for blobs, which source files do not contain.
    init?(_ type: ColumnDescription.DataType) {
      switch type {
      case .integer, .boolean: self = .integer
      case .text: self = .text
      case .real: self = .real
      case .blob: return nil
      }
    }
  }

  private(set) var columns: [Column]
  /// The number of indexed columns of a unique index; otherwise 0.
  let uniqueColumns: Int

  /// Fails for an index that cannot be built here: in a table that is not strict, whose values may
  /// not match their columns' types, or with reals or blobs.
  init?(ofIndexOn indexed: [String], isUnique: Bool, in table: TableDescription) {
    guard table.isStrict, table.faults.isEmpty else { return nil }
    var names = indexed
    if table.isWithoutRowid { names += table.primaryKey.filter { !indexed.hasName($0) } }
    var columns: [Column] = []
    for name in names {
      guard let column = Column(name, of: table), column.kind != .real else { return nil }
      columns.append(column)
    }
    if !table.isWithoutRowid {
      let key = table.keyIsRowid ? table.columnIndex(table.primaryKey[0]) : nil
      columns.append(Column(place: key ?? -1, kind: .integer, isNullable: false))
    }
    for index in columns.indices where columns[index].isText {
      let followsText = index > 0 && columns[index - 1].isText
      columns[index].isMarked = columns[index].isNullable || followsText
    }
    self.columns = columns
    uniqueColumns = isUnique ? indexed.count : 0
  }
}

extension EntryLayout.Column {
  /// Fails if the column does not exist or contains blobs.
  init?(_ name: String, of table: TableDescription) {
    guard let place = table.columnIndex(name),
      let kind = EntryLayout.Kind(table.columns[place].type)
    else { return nil }
    self.init(place: place, kind: kind, isNullable: !table.requires(table.columns[place]))
  }
}

/// The contents of a table's records (<https://www.sqlite.org/fileformat2.html#representation_of_sql_tables>).
struct RowLayout: Sendable {
  /// The values of a record, in order: without rowids, those of the key come first.
  let columns: [EntryLayout.Column]
  /// The number of values that sort the records; 0 in a table with rowids.
  let keyColumns: Int
  let hasRowids: Bool
  /// The index of the value that is the rowid; the record contains NULL in its place.
  let rowidColumn: Int?

  /// Finds the values of the records of a loaded table, which has no blobs.
  init(_ table: TableDescription) {
    let key = table.isWithoutRowid ? table.primaryKey : []
    let others = table.columns.map(\.name).filter { !key.hasName($0) }
    columns = (key + others).map { name in
      guard let column = EntryLayout.Column(name, of: table) else {
        preconditionFailure("rows of \(table.name) cannot be loaded")
      }
      return column
    }
    keyColumns = key.count
    hasRowids = !table.isWithoutRowid
    rowidColumn = table.keyIsRowid ? table.columnIndex(table.primaryKey[0]) : nil
  }
}
