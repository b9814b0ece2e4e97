/// One difference between a database and its expected schema.
public struct SchemaDifference: Hashable, Sendable, CustomStringConvertible {
  /// The table or view that contains the difference or is missing; nil for the database.
  public let table: String?
  /// The column that contains the difference or is missing.
  public let column: String?
  /// The property that differs.
  public let property: Property
  /// The expected value, or nil for none.
  public let expected: String?
  /// The actual value, or nil for none.
  public let found: String?

  /// A property that can differ; the raw value is its display name.
  public enum Property: String, Sendable {
    /// The existence of the table.
    case table
    /// The existence of the view.
    case view
    /// The existence of the trigger.
    case trigger
    /// The existence of the column.
    case column
    /// A column's type.
    case type
    /// Whether a column may hold NULL.
    case nullability
    /// A column's default.
    case defaultValue = "default"
    /// The columns of the primary key.
    case primaryKey = "primary key"
    /// An additional key.
    case uniqueKey = "unique key"
    /// A reference to a table.
    case foreignKey = "foreign key"
    /// An additional index.
    case index
    /// `STRICT` or `WITHOUT ROWID`.
    case option
    /// Other parts of a definition: checks, collations, conflict clauses.
    case definition
    /// The query of a view.
    case query
    /// The number that identifies the files of a schema.
    case applicationID = "application_id"
    /// The version of the schema.
    case version = "user_version"
  }

  /// The difference as a message: `table parts, column num_parts: type is TEXT, expected INTEGER`.
  public var description: String {
    let difference =
      switch (expected, found) {
      case (let expected?, let found?):
        "\(property.rawValue) is \(found), expected \(expected)"
      case (let expected?, nil): "\(property.rawValue) \(expected) is missing"
      case (nil, let found?): "unexpected \(property.rawValue) \(found)"
      case (nil, nil): property.rawValue
      }
    return place + difference
  }

  private var place: String {
    guard let table, ![.table, .view, .trigger].contains(property) else { return "" }
    let name = (property == .query ? "view " : "table ") + written(identifier: table)
    guard let column, property != .column else { return name + ": " }
    return name + ", column \(written(identifier: column)): "
  }
}

extension Connection {
  /// Compares a table of the main database with its description; empty if they match.
  ///
  /// The described table is created in a database in memory, and the results of pragmas are compared. If they match,
  /// the programs that insert a row are compared as well, which reveals every check and collation. The order of columns
  /// and the names of indexes do not matter; the order of checks and keys in the SQL of a table can.
  ///
  /// ```swift
  /// for difference in try connection.differences(fromTable: sets) {
  ///   messages.append(difference.description)
  /// }
  /// ```
  ///
  /// - Throws: `SQLiteError` with `misuse` if the description has faults, or an error of SQLite.
  public func differences(
    fromTable description: TableDescription
  ) throws(SQLiteError) -> [SchemaDifference] {
    try description.validate()
    var list = DifferenceList(table: description.name)
    guard let found = try schema(ofTable: description.name) else {
      list.compare(.table, nil, written(identifier: description.name))
      return list.differences
    }
    let model = try Connection.inMemory()
    try model.createTable(describedBy: description)
    guard let expected = try model.schema(ofTable: description.name) else { return [] }
    let differences = found.differences(from: expected)
    guard differences.isEmpty, !haveSameBytes(found.sql, expected.sql) else { return differences }
    let creation = try description.inOrder(of: found).creation
    if try insertion(into: found, SQL(generated: found.sql)) != insertion(into: found, creation) {
      list.compare(.definition, found.sql, expected.sql)
    }
    return list.differences
  }

  /// The compiled program of a query or table without values, without page numbers and error messages.
  package func program(of sql: SQL) throws(SQLiteError) -> [Instruction] {
    let columns = try Statement(sql.text, on: self).columnNames
    let rows = try query(SQL(generated: "EXPLAIN \(sql.text)"))
    return [columns.map(SQLiteValue.text)]
      + rows.compactMap { row -> Instruction? in
        // After the address: the opcode and five operands; the rest is a comment.
        var instruction = Array(row[1...6])
        switch instruction[0] {
        case "Init", "Transaction", "Explain": return nil
        // The second operand is the root page of the table.
        case "OpenRead", "OpenWrite": instruction[2] = .null
        // The fourth operand is the message, which contains the text of a check.
        case "Halt": instruction[4] = .null
        default: break
        }
        return instruction
      }
  }

  /// The program that inserts a row of defaults into the table that `creation` creates, with its
  /// unique keys and the referenced tables; nil if these do not suffice to create it.
  func insertion(
    into table: TableSchema, _ creation: SQL
  ) throws(SQLiteError) -> [Instruction]? {
    let model = try Connection.inMemory()
    // References are compiled into the program only if they are enforced.
    try model.set(.foreignKeys, to: true)
    do throws(SQLiteError) {
      try model.createParents(of: table, in: self)
      try model.execute(creation)
      let ownKeys = try model.schema(ofTable: table.name)?.uniqueKeys ?? []
      for (number, key) in table.uniqueKeys.enumerated() where !ownKeys.contains(key) {
        try model.execute(
          SQL(
            generated: "CREATE UNIQUE INDEX \"key \(number)\" ON \(quoted(identifier: table.name)) "
              + "(\(key.joined(separator: ", ")))"))
      }
      return try model.program(
        of: SQL(generated: "INSERT INTO \(quoted(identifier: table.name)) DEFAULT VALUES"))
    } catch {
      return nil
    }
  }

  /// Creates the tables that a table refers to, with the referenced keys only; a reference may omit
  /// the columns of the primary key.
  private func createParents(
    of table: TableSchema, in original: Connection
  ) throws(SQLiteError) {
    var parents: [[UInt8]: [ForeignKeySchema]] = [:]
    for key in table.foreignKeys where !areSameName(key.table, table.name) {
      parents[foldedName(key.table), default: []].append(key)
    }
    for keys in parents.values {
      let primary = try original.schema(ofTable: keys[0].table)?.primaryKey ?? []
      let isPrimary = keys.map { haveSameBytes($0.keyColumns.map(written(identifier:)), primary) }
      let place = isPrimary.firstIndex(of: true) ?? 0
      var names: Set<[UInt8]> = []
      let columns = keys.flatMap(\.keyColumns).filter { names.insert(foldedName($0)).inserted }
      let lines =
        columns.map(quoted(identifier:))
        + keys.enumerated().map { number, key in
          let list = key.keyColumns.map(quoted(identifier:)).joined(separator: ", ")
          return "\(number == place ? "PRIMARY KEY" : "UNIQUE") (\(list))"
        }
      try execute(
        SQL(
          generated: "CREATE TABLE \(quoted(identifier: keys[0].table)) "
            + "(\(lines.joined(separator: ", ")))"))
    }
  }
}

extension TableDescription {
  /// The same table, with the names, columns and foreign keys in the spelling and order of `table`, which has them all.
  fileprivate func inOrder(of table: TableSchema) -> TableDescription {
    let order = { (key: ForeignKeyDescription) in
      table.foreignKeys.firstIndex {
        haveSameBytes($0.table, key.table) && haveSameBytes($0.columns, key.columns)
          && haveSameBytes($0.keyColumns, key.keyColumns)
      } ?? 0
    }
    return TableDescription(
      table.name, columns: table.columns.compactMap { columnIndex($0.name).map { columns[$0] } },
      primaryKey: primaryKey, uniqueKeys: uniqueKeys,
      foreignKeys: foreignKeys.sorted { order($0) < order($1) }, indexes: indexes,
      isStrict: isStrict, isWithoutRowid: isWithoutRowid)
  }
}

extension TableSchema {
  /// Ignores the names of tables and indexes, and the order of columns, keys and indexes.
  func differences(from expected: TableSchema) -> [SchemaDifference] {
    var list = DifferenceList(table: expected.name)
    for (option, path) in [("STRICT", \TableSchema.isStrict), ("WITHOUT ROWID", \.isWithoutRowid)] {
      list.compare(
        .option, self[keyPath: path] ? option : nil, expected[keyPath: path] ? option : nil)
    }
    for column in expected.columns + columns.filter({ expected.column($0.name) == nil }) {
      let (found, target) = (self.column(column.name), expected.column(column.name))
      list.column = column.name
      let name = written(identifier: column.name)
      list.compare(.column, found.map { _ in name }, target.map { _ in name })
      guard let found, let target else { continue }
      list.compare(.type, found.type, target.type)
      list.compare(.nullability, found.nullability, target.nullability)
      list.compare(.defaultValue, found.defaultValue, target.defaultValue)
    }
    list.column = nil
    list.compare(.primaryKey, primaryKeyText, expected.primaryKeyText)
    list.compare(.uniqueKey, uniqueKeys.map(\.listed), expected.uniqueKeys.map(\.listed))
    list.compare(
      .foreignKey, foreignKeys.map(\.description), expected.foreignKeys.map(\.description))
    list.compare(.index, indexes.map(\.description), expected.indexes.map(\.description))
    return list.differences
  }

  private var primaryKeyText: String? { primaryKey.isEmpty ? nil : primaryKey.listed }

  private func column(_ name: String) -> ColumnSchema? {
    columns.first { haveSameBytes($0.name, name) }
  }
}

extension ColumnSchema {
  fileprivate var nullability: String { isNullable ? "NULL" : "NOT NULL" }
}

extension [String] {
  fileprivate var listed: String { "(" + joined(separator: ", ") + ")" }
}

/// Texts are compared by bytes, since equal Swift strings can differ in SQLite.
package struct DifferenceList {
  package var table: String?
  var column: String?
  package var differences: [SchemaDifference] = []

  package init(table: String? = nil) { self.table = table }

  package mutating func compare(
    _ property: SchemaDifference.Property, _ found: String?, _ expected: String?
  ) {
    guard found.map({ Array($0.utf8) }) != expected.map({ Array($0.utf8) }) else { return }
    differences.append(
      SchemaDifference(
        table: table, column: column, property: property, expected: expected, found: found))
  }

  mutating func compare(
    _ property: SchemaDifference.Property, _ found: [String], _ expected: [String]
  ) {
    var others = found
    for text in expected {
      let match = others.firstIndex { haveSameBytes($0, text) }
      compare(property, match.map { others.remove(at: $0) }, text)
    }
    for text in others { compare(property, text, nil) }
  }
}

/// The opcode and five operands (<https://www.sqlite.org/opcode.html>).
package typealias Instruction = [SQLiteValue]
