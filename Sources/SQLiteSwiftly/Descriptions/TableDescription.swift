/// A table: its columns, keys, foreign keys and indexes.
///
/// One description serves for the `CREATE TABLE`, for inserts, and for whoever must check rows
/// before they are inserted. Tables are `STRICT`.
public struct TableDescription: Hashable, Sendable {
  /// The table's name.
  public let name: String
  /// The columns, in the order in which they are declared.
  public let columns: [ColumnDescription]
  /// The columns of the primary key, in their order.
  public let primaryKey: [String]
  /// Other sets of columns that no two rows may share; NULL differs from everything.
  public let uniqueKeys: [[String]]
  /// References to keys of tables.
  public let foreignKeys: [ForeignKeyDescription]
  /// The columns of each further index, in their order.
  public let indexes: [[String]]

  /// Describes a table.
  ///
  /// All columns that are named in keys and indexes must be among `columns`, which differ in their
  /// names by more than the case of ASCII letters.
  public init(
    _ name: String, columns: [ColumnDescription], primaryKey: [String],
    uniqueKeys: [[String]] = [], foreignKeys: [ForeignKeyDescription] = [],
    indexes: [[String]] = []
  ) {
    // Names are compared as SQLite does, and not as strings, to which "\u{E9}" is "e\u{301}".
    let foldedNames = Set(columns.map { $0.name.utf8.map(lowercased) })
    precondition(foldedNames.count == columns.count, "table \(name) has two columns of one name")
    let names = Set(columns.map { Array($0.name.utf8) })
    let used = [primaryKey] + uniqueKeys + foreignKeys.map(\.columns) + indexes
    precondition(
      used.joined().allSatisfy { names.contains(Array($0.utf8)) },
      "table \(name) has no column for one of its keys")
    precondition(!primaryKey.isEmpty, "table \(name) has no primary key")
    self.name = name
    self.columns = columns
    self.primaryKey = primaryKey
    self.uniqueKeys = uniqueKeys
    self.foreignKeys = foreignKeys
    self.indexes = indexes
  }

  /// The place of a column among the columns, or nil if there is none of that name.
  public func columnIndex(_ name: String) -> Int? {
    columns.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// Whether the primary key is one integer, which SQLite keeps as the rowid.
  ///
  /// Inserted as NULL, it becomes a number that SQLite chooses. Any other key orders the table itself
  /// (`WITHOUT ROWID`), so that it is stored once.
  public var keyIsRowid: Bool { rowidColumn != nil }

  private var rowidColumn: Int? {
    guard primaryKey.count == 1, let column = columnIndex(primaryKey[0]) else { return nil }
    return columns[column].type == .integer ? column : nil
  }

  /// Compares all but the order of the columns, which is that of SQL text and no more.
  public static func == (left: TableDescription, right: TableDescription) -> Bool {
    left.name == right.name && left.columns.count == right.columns.count
      && left.columns.allSatisfy { column in
        right.columnIndex(column.name).map { right.columns[$0] == column } ?? false
      }
      && left.primaryKey == right.primaryKey && left.uniqueKeys == right.uniqueKeys
      && left.foreignKeys == right.foreignKeys && left.indexes == right.indexes
  }

  /// Hashes what tables that are equal have in common.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(primaryKey)
  }
}

/// The byte, or the small letter if it is a capital one of ASCII.
private func lowercased(_ byte: UInt8) -> UInt8 {
  UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
}

/// A reference from columns of one table to a key of a table.
public struct ForeignKeyDescription: Hashable, Sendable {
  /// The columns that refer.
  public let columns: [String]
  /// The table that is referred to.
  public let table: String
  /// The columns of its key, in the order of `columns`.
  public let keyColumns: [String]

  /// Describes a reference of one column.
  public init(_ column: String, references table: String, _ keyColumn: String) {
    self.init([column], references: table, [keyColumn])
  }

  /// Describes a reference of several columns, as many as the key has.
  public init(_ columns: [String], references table: String, _ keyColumns: [String]) {
    precondition(columns.count == keyColumns.count && !columns.isEmpty)
    self.columns = columns
    self.table = table
    self.keyColumns = keyColumns
  }
}

extension TableDescription {
  /// The `CREATE TABLE`, without the keys that have a statement of their own.
  package var creation: SQL {
    var lines = columns.map(\.definition)
    if let rowidColumn {
      lines[rowidColumn] += " PRIMARY KEY"
    } else {
      lines.append("PRIMARY KEY (\(list(primaryKey)))")
    }
    lines += foreignKeys.map { key in
      "FOREIGN KEY (\(list(key.columns))) REFERENCES "
        + "\(quoted(identifier: key.table)) (\(list(key.keyColumns)))"
    }
    let options = keyIsRowid ? "STRICT" : "STRICT, WITHOUT ROWID"
    let body = lines.map { "  " + $0 }.joined(separator: ",\n")
    return SQL(generated: "CREATE TABLE \(quoted(identifier: name)) (\n\(body)\n) \(options)")
  }

  /// A `CREATE INDEX` for each further index and each unique key, to be run once the rows are there.
  package var indexCreations: [SQL] {
    uniqueKeys.map { indexCreation($0, kind: "UNIQUE INDEX") }
      + indexes.map { indexCreation($0, kind: "INDEX") }
  }

  private func indexCreation(_ columns: [String], kind: String) -> SQL {
    let index = quoted(identifier: ([name] + columns).joined(separator: "_"))
    return SQL(
      generated: "CREATE \(kind) \(index) ON \(quoted(identifier: name)) (\(list(columns)))")
  }

  /// The names, quoted and parted by commas.
  func list(_ names: [String]) -> String {
    names.map(quoted(identifier:)).joined(separator: ", ")
  }
}

extension Connection {
  /// Creates the table of a description, with its unique keys and indexes.
  ///
  /// All of it is created or nothing.
  public func createTable(describedBy table: TableDescription) throws(SQLiteError) {
    try transaction { () throws(SQLiteError) in
      try execute(table.creation)
      for index in table.indexCreations { try execute(index) }
    }
  }
}
