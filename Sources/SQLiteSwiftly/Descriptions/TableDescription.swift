/// A table: its columns, keys, foreign keys and indexes.
///
/// One description serves for the `CREATE TABLE`, for inserts, for the comparison with a table that is
/// there, and for whoever must check rows before they are inserted.
///
/// Making one never fails. What is wrong with it is in `faults`, and whatever would use a
/// description with faults throws an error that names them.
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
public struct TableDescription: Sendable {
  /// The table's name.
  public let name: String
  /// The columns, in the order in which they are declared.
  ///
  /// No two of them have one name, in SQLite's sense: names that differ only in the case of ASCII
  /// letters are one.
  public let columns: [ColumnDescription]
  /// The columns of the primary key, in their order; empty if there is none.
  public let primaryKey: [String]
  /// Other sets of columns that no two rows may share; NULL differs from everything.
  public let uniqueKeys: [[String]]
  /// References to keys of tables.
  public let foreignKeys: [ForeignKeyDescription]
  /// The columns of each further index, in their order.
  public let indexes: [[String]]
  /// Whether SQLite holds the columns to their types (<https://www.sqlite.org/stricttables.html>).
  public let isStrict: Bool
  /// Whether the primary key orders the table itself (<https://www.sqlite.org/withoutrowid.html>), so
  /// that it is stored once.
  public let isWithoutRowid: Bool
  /// What a row of the table is, in sentences for those who read it; nil if nobody has explained it.
  ///
  /// Like the words of the columns it makes no difference to the table.
  public let meaning: String?
  /// Since when there are rows, as a year or a year and a month such as `2020-02`; nil if that is not
  /// known.
  public let since: String?
  /// What is wrong with the description, in words; empty if nothing is.
  public private(set) var faults: [String]

  /// Describes a table.
  ///
  /// - Parameters:
  ///   - name: the table's name.
  ///   - columns: the columns. One that is there twice is taken once; of two that have one name and
  ///     differ otherwise the first is taken, and that is a fault.
  ///   - primaryKey: the columns of the primary key; none for a table that has no other key than the
  ///     rowid.
  ///   - uniqueKeys: the columns of each further key.
  ///   - foreignKeys: references to keys of tables.
  ///   - indexes: the columns of each further index.
  ///   - isStrict: whether SQLite holds the columns to their types.
  ///   - isWithoutRowid: whether the primary key orders the table itself; nil lets it do so unless it is
  ///     one integer or there is none.
  ///   - meaning: what a row is, in words.
  ///   - since: since when there are rows.
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

  /// The columns without those that have the name of one before them, and which of these differ from
  /// that one.
  private static func distinct(
    _ columns: [ColumnDescription]
  ) -> (columns: [ColumnDescription], faults: [String]) {
    var taken: [[UInt8]: ColumnDescription] = [:]
    var distinct: [ColumnDescription] = []
    var faults: [String] = []
    for column in columns {
      let first = taken[foldedName(column.name)]
      if let first, first != column {
        faults.append(
          "the column \(written(identifier: column.name)) is described twice, and not alike")
      }
      guard first == nil else { continue }
      taken[foldedName(column.name)] = column
      distinct.append(column)
    }
    return (distinct, faults)
  }

  /// The most columns of a table: SQLite has no more unless it is compiled for more
  /// (<https://www.sqlite.org/limits.html#max_column>).
  package static let mostColumns = 2000

  /// The place of a column among the columns, or nil if there is none of exactly that name.
  ///
  /// ```swift
  /// if let place = words.columnIndex("word") {
  ///   texts = read.map { row in row[place].textValue }
  /// }
  /// ```
  public func columnIndex(_ name: String) -> Int? {
    // By places: a closure that is given columns copies each of them.
    columns.indices.first { haveSameBytes(columns[$0].name, name) }
  }

  /// The place of a column whose name differs in nothing but the case of ASCII letters, as SQLite finds it.
  package func columnPlace(ignoringCase name: String) -> Int? {
    columns.firstIndex { areOneName($0.name, name) }
  }

  /// Whether every row must have a value in a column.
  ///
  /// Those of the primary key are never NULL, whatever their description says: for an integer SQLite
  /// would make up a number.
  package func requires(_ column: ColumnDescription) -> Bool {
    !column.isNullable || primaryKey.hasName(column.name)
  }

  /// Whether the primary key is one integer that SQLite keeps as the rowid
  /// (<https://www.sqlite.org/lang_createtable.html#rowid>).
  ///
  /// Inserted as NULL, it becomes a number that SQLite chooses.
  public var keyIsRowid: Bool { rowidColumn != nil }

  /// The place of the column that is the rowid.
  package var rowidColumn: Int? {
    guard !isWithoutRowid, primaryKey.count == 1, let column = columnIndex(primaryKey[0]) else {
      return nil
    }
    return columns[column].type.sql == ColumnDescription.DataType.integer.sql ? column : nil
  }
}

extension TableDescription: Hashable {
  /// Compares all but the words and the order of the columns, which is that of SQL text, and of values that are inserted by
  /// position: equal descriptions may put those into other columns.
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

  /// Hashes what tables that are equal have in common.
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
  /// The columns that refer.
  public let columns: [String]
  /// The table that is referred to.
  public let table: String
  /// The columns of its key, in the order of `columns`.
  public let keyColumns: [String]
  /// Whether the table says so to SQLite, which only takes references to a primary or unique key.
  ///
  /// A loader can check others as well.
  package var isDeclared = true

  /// Describes a reference of one column.
  ///
  /// ```swift
  /// let color = ForeignKeyDescription("color_id", references: "colors", "id")
  /// ```
  public init(_ column: String, references table: String, _ keyColumn: String) {
    self.init([column], references: table, [keyColumn])
  }

  /// Describes a reference of several columns, as many as the key has; anything else becomes a fault of
  /// the table.
  ///
  /// ```swift
  /// let element = ForeignKeyDescription(
  ///   ["part_num", "color_id"], references: "elements", ["part_num", "color_id"])
  /// ```
  public init(_ columns: [String], references table: String, _ keyColumns: [String]) {
    self.columns = columns
    self.table = table
    self.keyColumns = keyColumns
  }
}

extension TableDescription {
  /// The `CREATE TABLE`, without the keys that have a statement of their own.
  ///
  /// Getting it throws when the description has faults.
  package var creation: SQL {
    get throws(SQLiteError) { try creation(withKeyIndex: true) }
  }

  /// The `CREATE TABLE`, also without a primary key that has an index of its own.
  ///
  /// - Throws: `SQLiteError` when the description has faults.
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

  /// A `CREATE INDEX` for each further index and each unique key, to be run once the rows are there.
  package var indexCreations: [SQL] {
    (0..<uniqueKeys.count + indexes.count).map(indexCreation)
  }

  /// The `CREATE INDEX` at a place among the unique keys and, after them, the other indexes.
  package func indexCreation(_ place: Int) -> SQL {
    let isKey = place < uniqueKeys.count
    let index = quoted(identifier: indexName(place))
    let columns = "\(quoted(identifier: name)) (\(list(indexColumns(place))))"
    return SQL(generated: "CREATE \(isKey ? "UNIQUE " : "")INDEX \(index) ON \(columns)")
  }

  /// The place of the index that SQLite keeps for the primary key, after all others.
  package var keyIndexPlace: Int { uniqueKeys.count + indexes.count }

  /// The columns of the index at a place among the unique keys, the other indexes and the primary key.
  package func indexColumns(_ place: Int) -> [String] {
    place == keyIndexPlace ? primaryKey : (uniqueKeys + indexes)[place]
  }

  /// The name of the index at a place among the unique keys, the other indexes and the primary key, whose name is SQLite's
  /// (<https://www.sqlite.org/fileformat2.html#intschema>).
  package func indexName(_ place: Int) -> String {
    place == keyIndexPlace ? "sqlite_autoindex_\(name)_1" : indexName(indexColumns(place))
  }

  /// The name of the index on some columns.
  ///
  /// Two tables' indexes can come to one name, as those of `a` on `b_c` and of `a_b` on `c` do; SQLite
  /// refuses the second one.
  func indexName(_ columns: [String]) -> String { ([name] + columns).joined(separator: "_") }

  /// The names, quoted and separated by commas.
  package func list(_ names: [String]) -> String {
    names.map(quoted(identifier:)).joined(separator: ", ")
  }
}

extension Connection {
  /// Creates the table of a description, with its unique keys and indexes.
  ///
  /// All of it is created or nothing.
  ///
  /// ```swift
  /// try connection.createTable(describedBy: sets, withIndexes: false)
  /// try connection.execute("INSERT INTO sets VALUES ('8880-1', NULL)")
  /// try connection.createIndexes(describedBy: sets)
  /// ```
  ///
  /// - Parameters:
  ///   - table: the description.
  ///   - withIndexes: whether unique keys and indexes are made now, or later by
  ///     `createIndexes(describedBy:)`, which is several times as fast for a table with many rows.
  /// - Throws: `SQLiteError` with `misuse` when the description has faults, which the message names, or
  ///   the error of SQLite, as when there is a table or an index of that name.
  public func createTable(
    describedBy table: TableDescription, withIndexes: Bool = true
  ) throws(SQLiteError) {
    try transaction { () throws(SQLiteError) in
      try execute(table.creation)
      if withIndexes { try createIndexes(describedBy: table) }
    }
  }

  /// Creates the unique keys and indexes of a table that was created without them, all or none.
  ///
  /// ```swift
  /// try connection.createTable(describedBy: words, withIndexes: false)
  /// try connection.bulkInsert(intoTable: words) { rows in try rows.append(0, "plate") }
  /// try connection.createIndexes(describedBy: words)
  /// ```
  ///
  /// - Throws: `SQLiteError`, as when two rows have one unique key.
  public func createIndexes(describedBy table: TableDescription) throws(SQLiteError) {
    try table.validate()
    try transaction { () throws(SQLiteError) in
      for index in table.indexCreations { try execute(index) }
    }
  }
}
