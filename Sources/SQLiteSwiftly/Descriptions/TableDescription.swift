/// A table: its columns, keys, foreign keys and indexes.
///
/// One description serves `CREATE TABLE`, inserts, comparisons with an existing table, and checks of rows to insert.
///
/// Creating a description never fails. `faults` lists its errors, and every use of a description
/// with faults throws an error that lists them.
///
/// ```swift
/// let sets = TableDescription(
///   "sets",
///   columns: [
///     ColumnDescription("set_num", .text, domain: .singleLine),
///     ColumnDescription("theme_id", .integer, isNullable: true),
///   ],
///   primaryKey: ["set_num"],
///   foreignKeys: [ForeignKeyDescription("theme_id", references: "themes", "id")],
///   indexes: [["theme_id"]])
/// ```
public struct TableDescription: Hashable, Sendable {
  /// The table's name.
  public let name: String
  /// The columns, in the order of their declaration.
  ///
  /// No two of them have the same name in SQLite's sense, which ignores the case of ASCII letters.
  public let columns: [ColumnDescription]
  /// The columns of the primary key, in order; empty if there is none.
  public let primaryKey: [String]
  /// Other sets of columns that must be unique; NULL differs from everything.
  public let uniqueKeys: [[String]]
  /// References to keys of tables.
  public let foreignKeys: [ForeignKeyDescription]
  /// The columns of each additional index, in order.
  public let indexes: [[String]]
  /// Whether SQLite enforces the types of columns (<https://www.sqlite.org/stricttables.html>).
  public let isStrict: Bool
  /// Whether the primary key orders the table itself (<https://www.sqlite.org/withoutrowid.html>),
  /// so that it is stored only once.
  public let isWithoutRowid: Bool
  /// The meaning of a row, in sentences for readers of the table; nil if undocumented.
  ///
  /// Like the texts of columns it does not affect the table.
  public let meaning: String?
  /// The first year or month with rows, such as `2020-02`; nil if unknown.
  public let since: String?
  /// The faults of the description, as messages; empty if there are none.
  public private(set) var faults: [String]

  /// Describes a table.
  ///
  /// The parameters are described with the properties. Exact duplicates of columns are dropped; of
  /// different columns with the same name the first is used, and that is a fault. By default, the
  /// primary key orders the table itself, unless it is one integer or missing.
  public init(
    _ name: String, columns: [ColumnDescription], primaryKey: [String],
    uniqueKeys: [[String]] = [], foreignKeys: [ForeignKeyDescription] = [],
    indexes: [[String]] = [], isStrict: Bool = true, isWithoutRowid: Bool? = nil,
    meaning: String? = nil, since: String? = nil
  ) {
    let (columns, contradictions) = Self.distinct(columns)
    self.name = name
    self.columns = columns
    self.primaryKey = primaryKey
    self.uniqueKeys = uniqueKeys
    self.foreignKeys = foreignKeys
    self.indexes = indexes
    self.isStrict = isStrict
    self.meaning = meaning
    self.since = since
    let keyIsInteger =
      primaryKey.count == 1
      && columns.contains { $0.type == .integer && haveSameBytes($0.name, primaryKey[0]) }
    self.isWithoutRowid = isWithoutRowid ?? !(primaryKey.isEmpty || keyIsInteger)
    faults = nameFaults(name, empty: "the table has no name") + contradictions
    faults += columnFaults + keyFaults + indexFaults
  }

  /// Drops the columns that repeat a name, and returns the faults of those that differ.
  private static func distinct(
    _ columns: [ColumnDescription]
  ) -> (columns: [ColumnDescription], faults: [String]) {
    var taken: [[UInt8]: ColumnDescription] = [:]
    var distinct: [ColumnDescription] = []
    var faults: [String] = []
    for column in columns {
      let first = taken[foldedName(column.name)]
      if let first, first != column {
        faults.append("column \(written(identifier: column.name)) is described twice, differently")
      }
      guard first == nil else { continue }
      taken[foldedName(column.name)] = column
      distinct.append(column)
    }
    return (distinct, faults)
  }

  /// The maximum number of columns of a table in SQLite's default build
  /// (<https://www.sqlite.org/limits.html#max_column>).
  package static let maximumColumns = 2000

  /// The index of the column of exactly that name, or nil.
  public func columnIndex(_ name: String) -> Int? {
    // By index: passing columns to a closure copies each of them.
    columns.indices.first { haveSameBytes(columns[$0].name, name) }
  }

  package func columnPlace(ignoringCase name: String) -> Int? {
    columns.firstIndex { areSameName($0.name, name) }
  }

  /// Whether a column must have a value in every row.
  ///
  /// Columns of the primary key are never NULL, even if described as nullable: SQLite would make up an integer.
  package func requires(_ column: ColumnDescription) -> Bool {
    !column.isNullable || primaryKey.hasName(column.name)
  }

  /// Whether the primary key is one integer that SQLite stores as the rowid
  /// (<https://www.sqlite.org/lang_createtable.html#rowid>).
  ///
  /// If inserted as NULL, it becomes a number that SQLite chooses.
  public var keyIsRowid: Bool { rowidColumn != nil }

  /// A name of the rowid that no column has; nil if there is none.
  package var rowidName: String? {
    isWithoutRowid ? nil : columns.map(\.name).freeRowidName
  }

  package var rowidColumn: Int? {
    guard !isWithoutRowid, primaryKey.count == 1, let column = columnIndex(primaryKey[0]) else {
      return nil
    }
    return columns[column].type.sql == ColumnDescription.DataType.integer.sql ? column : nil
  }

  /// The `CREATE TABLE`, without the keys that have their own statement.
  package var creation: SQL { get throws(SQLiteError) { try creation(withKeyIndex: true) } }

  /// Returns the `CREATE TABLE`, optionally without a primary key that has its own index.
  package func creation(withKeyIndex: Bool) throws(SQLiteError) -> SQL {
    try validate()
    var lines = columns.map(\.definition)
    if let rowidColumn {
      lines[rowidColumn] += " PRIMARY KEY"
    } else if !primaryKey.isEmpty, withKeyIndex || isWithoutRowid {
      lines.append("PRIMARY KEY (\(list(primaryKey)))")
    }
    lines += foreignKeys.filter(\.isDeclared).map { key in
      "FOREIGN KEY (\(list(key.columns))) REFERENCES "
        + "\(quoted(identifier: key.table)) (\(list(key.keyColumns)))"
    }
    let options = [isStrict ? "STRICT" : nil, isWithoutRowid ? "WITHOUT ROWID" : nil]
    let end = options.compactMap(\.self).joined(separator: ", ")
    let body = lines.map { "  " + $0 }.joined(separator: ",\n")
    return SQL(
      generated: "CREATE TABLE \(quoted(identifier: name)) (\n\(body)\n)"
        + (end.isEmpty ? "" : " " + end))
  }

  /// The `CREATE INDEX` statements, first of unique keys, then of other indexes; run them after the rows are inserted.
  package var indexCreations: [SQL] { (0..<uniqueKeys.count + indexes.count).map(indexCreation) }

  /// Indexes have places: first those of the unique keys, then the others, and last that of the primary key.
  package func indexCreation(_ place: Int) -> SQL {
    let isKey = place < uniqueKeys.count
    let index = quoted(identifier: indexName(place))
    let columns = "\(quoted(identifier: name)) (\(list(indexColumns(place))))"
    return SQL(generated: "CREATE \(isKey ? "UNIQUE " : "")INDEX \(index) ON \(columns)")
  }

  package var keyIndexPlace: Int { uniqueKeys.count + indexes.count }

  package func indexColumns(_ place: Int) -> [String] {
    place == keyIndexPlace ? primaryKey : (uniqueKeys + indexes)[place]
  }

  /// SQLite names the index of the primary key (<https://www.sqlite.org/fileformat2.html#intschema>).
  package func indexName(_ place: Int) -> String {
    place == keyIndexPlace ? "sqlite_autoindex_\(name)_1" : indexName(indexColumns(place))
  }

  /// The indexes of two tables can have the same name, as those of `a` on `b_c` and of `a_b` on
  /// `c`; SQLite refuses the second one.
  func indexName(_ columns: [String]) -> String { ([name] + columns).joined(separator: "_") }

  package func list(_ names: [String]) -> String {
    names.map(quoted(identifier:)).joined(separator: ", ")
  }

  /// Compares everything except the texts and the order of columns.
  ///
  /// The order matters to SQL text and to values inserted by position: equal descriptions may put
  /// those into different columns.
  public static func == (left: TableDescription, right: TableDescription) -> Bool {
    left.name == right.name && left.columns.count == right.columns.count
      && left.columns.allSatisfy { column in
        right.columnIndex(column.name).map { right.columns[$0] == column } ?? false
      }
      && left.primaryKey == right.primaryKey && left.uniqueKeys == right.uniqueKeys
      && left.foreignKeys == right.foreignKeys && left.indexes == right.indexes
      && left.isStrict == right.isStrict && left.isWithoutRowid == right.isWithoutRowid
      && Set(left.faults) == Set(right.faults)
  }

  /// Hashes the name and the primary key.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(primaryKey)
  }
}

/// A reference from columns of one table to a key of a table.
///
/// ```swift
/// let theme = ForeignKeyDescription("theme_id", references: "themes", "id")
/// let set = ForeignKeyDescription(
///   ["set_num", "version"], references: "inventories", ["set_num", "version"])
/// ```
public struct ForeignKeyDescription: Hashable, Sendable {
  /// The referring columns.
  public let columns: [String]
  /// The table referred to.
  public let table: String
  /// The columns of its key, in the order of `columns`.
  public let keyColumns: [String]
  /// Whether SQLite checks the reference, which it does only for primary and unique keys; a loader can check others.
  package var isDeclared = true

  /// Describes a reference with one column.
  public init(_ column: String, references table: String, _ keyColumn: String) {
    self.init([column], references: table, [keyColumn])
  }

  /// Describes a reference with several columns; a key with another number of columns is a fault of the table.
  public init(_ columns: [String], references table: String, _ keyColumns: [String]) {
    self.columns = columns
    self.table = table
    self.keyColumns = keyColumns
  }
}

extension Connection {
  /// Creates the table of a description, with its unique keys and indexes, in one transaction.
  ///
  /// ```swift
  /// try connection.createTable(describedBy: sets, withIndexes: false)
  /// try connection.execute("INSERT INTO sets VALUES ('8880-1', NULL)")
  /// try connection.createIndexes(describedBy: sets)
  /// ```
  ///
  /// To create unique keys and indexes after the rows, by `createIndexes(describedBy:)`, is several
  /// times as fast for a table with many rows.
  ///
  /// - Throws: `SQLiteError` with `misuse` if the description has faults, which the message lists,
  ///   or the error of SQLite, for example if a table or an index of that name exists.
  public func createTable(
    describedBy table: TableDescription, withIndexes: Bool = true
  ) throws(SQLiteError) {
    try transaction { () throws(SQLiteError) in
      try execute(table.creation)
      if withIndexes { try createIndexes(describedBy: table) }
    }
  }

  /// Creates all unique keys and indexes of a table that was created without them, in one transaction.
  ///
  /// - Throws: `SQLiteError`, for example if two rows have the same unique key.
  public func createIndexes(describedBy table: TableDescription) throws(SQLiteError) {
    try table.validate()
    try transaction { () throws(SQLiteError) in
      for index in table.indexCreations { try execute(index) }
    }
  }
}
