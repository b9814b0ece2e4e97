public import SQLiteSwiftly

/// A table whose rows are derived from other tables by one query.
///
/// Use it for common queries that take long. The table is strict, and its columns hold texts, integers or booleans.
///
/// ```swift
/// let lengths = DerivedTableDescription(
///   TableDescription(
///     "lengths",
///     columns: [ColumnDescription("length", .integer), ColumnDescription("words", .integer)],
///     primaryKey: ["length"]),
///   filledBy: "SELECT length(word), count(*) FROM words GROUP BY 1 ORDER BY 1")
/// let schema = SchemaDescription(
///   tables: [words], derivedTables: [lengths], applicationID: 1, version: 1)
/// ```
public struct DerivedTableDescription: Sendable {
  /// The table itself.
  public let table: TableDescription
  /// The query for its rows, without values.
  ///
  /// Its columns are those of the table, in order. Rows in the order of the primary key are inserted fastest.
  public let query: SQL

  /// Describes a table and the query that fills it.
  public init(_ table: TableDescription, filledBy query: SQL) {
    self.table = table
    self.query = query
  }

  func validateRows() throws(SQLiteError) {
    let types: [ColumnDescription.DataType] = [.text, .integer, .boolean]
    let others = table.columns.filter { !types.contains($0.type) }
    var faults = others.map {
      "the type of column \(written(identifier: $0.name)) is neither text nor integer"
    }
    if !table.isStrict { faults.append("the table is not strict") }
    if !query.values.isEmpty { faults.append("the query must not have values") }
    try refuse(faults, in: "derived table \(written(identifier: table.name))")
  }
}

/// Statistics of a table that are too expensive to query each time, in derived tables.
///
/// The queries define the rows, and a check compares the stored ones with them. A load computes the
/// same rows in a fraction of the time, in one pass over the entries of an index: those of a file
/// as they are written, those of a server in the order of the index.
package struct StatisticsDescription: Sendable {
  /// A query that those of several tables read, as a temporary table.
  package typealias Shared = (name: String, query: SQL)
  /// A query without its `SELECT`, and the names of its columns, which are texts or integers.
  package typealias Contents = (columns: [ColumnDescription], source: SQL)
  /// Computes the rows of each of `tables` from those of `contents`, and from the entries of the index, which `forEach`, to
  /// be called exactly once, passes to its argument: in order and in batches.
  package typealias Computation =
    @Sendable (
      _ contents: consuming [FilledBatch], _ forEach: ((borrowing RowBatch) -> Void) -> Void
    ) -> [[FilledBatch]]

  package let source: TableDescription
  /// The columns of the index of `source` whose entries the computation follows.
  package let index: [String]
  /// The number of the first columns of the index whose order matters to the computation.
  package let orderedColumns: Int
  /// What the queries of `tables` share, in the order in which it is queried.
  package let shared: [Shared]
  package let tables: [DerivedTableDescription]
  /// Further tables, filled by their queries after `tables`.
  package let derivedTables: [DerivedTableDescription]
  /// What the computation needs of other tables.
  package let contents: Contents
  package let compute: Computation

  package init(
    of source: TableDescription, index: [String], orderedColumns: Int, sharing shared: [Shared],
    tables: [DerivedTableDescription], derivedTables: [DerivedTableDescription],
    reading contents: Contents, compute: @escaping Computation
  ) {
    self.source = source
    self.index = index
    self.orderedColumns = orderedColumns
    self.shared = shared
    self.tables = tables
    self.derivedTables = derivedTables
    self.contents = contents
    self.compute = compute
  }

  /// The tables, in the order in which they are filled.
  package var allTables: [DerivedTableDescription] { tables + derivedTables }

  func faults(among tables: [TableDescription]) -> [String] {
    let name = written(identifier: source.name)
    guard tables.contains(where: { haveSameBytes($0.name, source.name) }) else {
      return ["no table \(name)"]
    }
    guard !source.indexes.contains(where: { haveSameBytes($0, index) }) else { return [] }
    return ["\(name) has no index of \(index.joined(separator: ", "))"]
  }
}

/// A table with the keys of several tables, each once.
///
/// A foreign key can refer to it if a row may belong to any of those tables. Its own optional
/// references lead from a key to the row that has it. A column that is not a key can be a member,
/// too: each of its values except NULL is included once.
///
/// ```swift
/// let numbers = KeyUnionDescription(
///   "set_nums", column: "set_num", type: .text,
///   members: [
///     .init("sets", "set_num", reference: "of_set"),
///     .init("minifigs", "fig_num", reference: "of_minifig"),
///   ])
/// ```
public struct KeyUnionDescription: Hashable, Sendable {
  /// The table's name.
  public let name: String
  /// The column of the keys, which is its primary key.
  public let column: String
  /// The type of the keys.
  public let type: ColumnDescription.DataType
  /// The tables that provide the keys, each with its one key column.
  public let members: [Member]
  /// The meaning of a row, in sentences for readers of the table; nil if undocumented.
  public let meaning: String?

  /// Describes a union.
  public init(
    _ name: String, column: String, type: ColumnDescription.DataType, members: [Member],
    meaning: String? = nil
  ) {
    self.name = name
    self.column = column
    self.type = type
    self.members = members
    self.meaning = meaning
  }

  /// A table that is a member of a union.
  public struct Member: Hashable, Sendable {
    /// The table's name.
    public let table: String
    /// The column of its keys.
    public let keyColumn: String
    /// The union's column that repeats the keys of this table and refers to its rows; nil for none,
    /// as required if the column is not a key of the table.
    public let reference: String?

    /// Describes a table, the column of its keys, and the union's column that refers to it.
    public init(_ table: String, _ keyColumn: String, reference: String? = nil) {
      self.table = table
      self.keyColumn = keyColumn
      self.reference = reference
    }
  }

  package var table: TableDescription {
    let tables = members.map(\.table).joined(separator: " or ")
    let key = ColumnDescription(column, type, meaning: "A key of \(tables).")
    var references: [ColumnDescription] = []
    var foreignKeys: [ForeignKeyDescription] = []
    for member in members {
      guard let reference = member.reference else { continue }
      references.append(
        ColumnDescription(
          reference, type, isNullable: true,
          meaning: "The key, if \(member.table) has it; otherwise NULL."))
      foreignKeys.append(
        ForeignKeyDescription(reference, references: member.table, member.keyColumn))
    }
    return TableDescription(
      name, columns: [key] + references, primaryKey: [column], foreignKeys: foreignKeys,
      meaning: meaning)
  }

  func faults(among tables: [TableDescription]) -> [String] {
    guard !members.isEmpty else { return ["there are no member tables"] }
    var faults: [String] = []
    if type == .real || type == .blob {
      faults.append("the type of its keys is neither text nor integer")
    }
    var seen: Set<[[UInt8]]> = []
    for member in members {
      let table = written(identifier: member.table)
      let column = written(identifier: member.keyColumn)
      if let described = tables.first(where: { haveSameBytes($0.name, member.table) }) {
        faults += self.faults(of: member, in: described)
      } else {
        faults.append("no table \(table)")
      }
      if !seen.insert([Array(member.table.utf8), Array(member.keyColumn.utf8)]).inserted {
        faults.append("duplicate member: column \(column) of \(table)")
      }
    }
    return faults
  }

  private func faults(of member: Member, in table: TableDescription) -> [String] {
    let name = written(identifier: table.name)
    let column = written(identifier: member.keyColumn)
    guard let index = table.columnIndex(member.keyColumn) else {
      return ["\(name) has no column \(column)"]
    }
    var faults: [String] = []
    if table.columns[index].type.sql != type.sql {
      faults.append("column \(column) of \(name) does not have the type of its keys")
    }
    if let reference = member.reference, !table.isKey([member.keyColumn]) {
      faults.append(
        "\(written(identifier: reference)) refers to \(column) of \(name), which is not a key")
    }
    return faults
  }

  package var derivedTable: DerivedTableDescription {
    DerivedTableDescription(
      table, filledBy: SQL(generated: query(null: "NULL", of: quoted(identifier:))))
  }

  /// Returns the query for the rows, with an expression for NULL, from tables whose names `table` converts to SQL.
  ///
  /// A key of several tables becomes one row that refers to all of them.
  package func query(null: String, of table: (String) -> String) -> String {
    let references = members.compactMap(\.reference)
    let selects = members.map { member in
      let key = quoted(identifier: member.keyColumn)
      let values = references.map { reference in
        let isOwn = member.reference.map { haveSameBytes($0, reference) } ?? false
        return "\(isOwn ? key : null) AS \(quoted(identifier: reference))"
      }
      let columns = ["\(key) AS \(quoted(identifier: column))"] + values
      return "SELECT \(columns.joined(separator: ", ")) FROM \(table(member.table)) "
        + "WHERE \(key) IS NOT NULL"
    }
    let columns = [quoted(identifier: column)] + references.map { "max(\(quoted(identifier: $0)))" }
    // Before version 16, PostgreSQL needs a name for a subquery in `FROM`.
    return """
      SELECT \(columns.joined(separator: ", "))
      FROM (\(selects.joined(separator: " UNION ALL "))) AS keys
      GROUP BY 1 ORDER BY 1
      """
  }

  /// Compares everything except the texts.
  public static func == (left: KeyUnionDescription, right: KeyUnionDescription) -> Bool {
    left.name == right.name && left.column == right.column && left.type == right.type
      && left.members == right.members
  }

  /// Hashes the same properties.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(members)
  }
}
