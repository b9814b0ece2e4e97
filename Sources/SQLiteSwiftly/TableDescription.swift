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

  /// Describes a table. All columns that are named must be among `columns`.
  public init(
    _ name: String, columns: [ColumnDescription], primaryKey: [String],
    uniqueKeys: [[String]] = [], foreignKeys: [ForeignKeyDescription] = [],
    indexes: [[String]] = []
  ) {
    let names = Set(columns.map(\.name))
    precondition(names.count == columns.count, "table \(name) has two columns of one name")
    let used = [primaryKey] + uniqueKeys + foreignKeys.map(\.columns) + indexes
    precondition(
      used.joined().allSatisfy(names.contains), "table \(name) has no column for one of its keys")
    precondition(!primaryKey.isEmpty, "table \(name) has no primary key")
    self.name = name
    self.columns = columns
    self.primaryKey = primaryKey
    self.uniqueKeys = uniqueKeys
    self.foreignKeys = foreignKeys
    self.indexes = indexes
  }

  /// The place of a column among the columns, or nil if there is none of that name.
  public func columnIndex(_ name: String) -> Int? { columns.firstIndex { $0.name == name } }

  /// Whether the primary key is one integer, which SQLite keeps as the rowid.
  ///
  /// Any other key orders the table itself (`WITHOUT ROWID`), so that it is stored once.
  public var keyIsRowid: Bool {
    primaryKey.count == 1 && columns.contains { $0.name == primaryKey[0] && $0.type == .integer }
  }
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
    let rowidKey = keyIsRowid ? primaryKey[0] : nil
    var lines = columns.map { column in
      column.definition + (column.name == rowidKey ? " PRIMARY KEY" : "")
    }
    if !keyIsRowid { lines.append("PRIMARY KEY (\(list(primaryKey)))") }
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
  public func createTable(describedBy table: TableDescription) throws(SQLiteError) {
    try execute(table.creation)
    for index in table.indexCreations { try execute(index) }
  }
}
