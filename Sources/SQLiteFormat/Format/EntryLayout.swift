import SQLiteSwiftly

/// What the entries of one index consist of, in the order in which they are sorted.
///
/// They have the indexed columns first, then what leads to the row: the rowid, or the columns of the
/// primary key that are not among the indexed ones already
/// (<https://www.sqlite.org/fileformat2.html#representation_of_sql_indices>).
struct EntryLayout: Sendable {
  struct Column: Sendable {
    /// Its place in a row; -1 for a rowid that SQLite counts from 1 on.
    let place: Int
    let kind: Kind
    let isNullable: Bool
    /// Whether a text has a byte before it in a key, which tells it from NULL, and from what may follow
    /// a NUL in a text before it.
    var isMarked = false

    var isText: Bool { kind == .text }
  }

  /// What the values of a column are unless they are NULL.
  enum Kind: UInt8 {
    case integer, text, real

    /// Returns nil for blobs, which no dump has.
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
  /// The indexed columns if no two rows may share them; 0 if they may.
  let uniqueColumns: Int

  /// Finds the columns of the entries of an index.
  ///
  /// Returns nil for an index whose entries are none that can be built here: one in a table that is not
  /// strict, where a value is not always what its column says, or one with numbers that are not whole
  /// or with blobs.
  init?(ofIndexOn indexed: [String], isUnique: Bool, in table: TableDescription) {
    guard table.isStrict, table.faults.isEmpty else { return nil }
    var names = indexed
    if table.isWithoutRowid {
      names += table.primaryKey.filter { !indexed.hasName($0) }
    }
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
  /// Finds a column of a table; nil if there is none, or one of blobs.
  init?(_ name: String, of table: TableDescription) {
    guard let place = table.columnIndex(name),
      let kind = EntryLayout.Kind(table.columns[place].type)
    else { return nil }
    self.init(place: place, kind: kind, isNullable: !table.requires(table.columns[place]))
  }
}
