/// A table as defined in a database.
public struct TableSchema: Sendable {
  /// The table's name.
  public let name: String
  /// The columns, in the order of the table.
  public let columns: [ColumnSchema]
  /// The columns of the primary key, written as in SQL: unusual names in quotes, with `COLLATE` and
  /// `DESC` if specified; empty if there is none.
  public let primaryKey: [String]
  /// The columns of each unique constraint or index, written likewise.
  public let uniqueKeys: [[String]]
  /// The references to other tables.
  public let foreignKeys: [ForeignKeySchema]
  /// The additional indexes, including those that are unique for some rows only.
  public let indexes: [IndexSchema]
  /// Whether SQLite enforces the types of columns.
  public let isStrict: Bool
  /// Whether the primary key orders the table itself.
  public let isWithoutRowid: Bool
  /// The `CREATE TABLE` as SQLite stores it, including checks and everything else not listed here.
  public let sql: String
}

/// A column as defined in a database.
public struct ColumnSchema: Sendable {
  /// The column's name.
  public let name: String
  /// The declared type; empty if there is none.
  public let type: String
  /// Whether it may hold NULL.
  public let isNullable: Bool
  /// The SQL of the default as written; nil if it is NULL.
  public let defaultValue: String?
}

/// A reference from columns of one table to a key of a table, as defined in a database.
public struct ForeignKeySchema: Sendable, CustomStringConvertible {
  /// The referring columns.
  public let columns: [String]
  /// The table referred to.
  public let table: String
  /// The columns of its key, in the order of `columns`; those of its primary key if none are declared.
  public let keyColumns: [String]
  /// The action if the referenced row is deleted, such as `CASCADE`.
  public let onDelete: String
  /// The action if the referenced key is updated.
  public let onUpdate: String

  /// The reference as SQL.
  public var description: String {
    var text = written(columns: columns) + " REFERENCES \(written(identifier: table)) "
    text += written(columns: keyColumns)
    if onDelete != "NO ACTION" { text += " ON DELETE \(onDelete)" }
    if onUpdate != "NO ACTION" { text += " ON UPDATE \(onUpdate)" }
    return text
  }
}

/// An index as defined in a database.
public struct IndexSchema: Sendable, CustomStringConvertible {
  /// The index's name, which is ignored when tables are compared.
  public let name: String
  /// The columns, written as in SQL, with `COLLATE` and `DESC` if specified; nil for an expression.
  public let terms: [String?]
  /// Whether the indexed rows must be unique.
  public let isUnique: Bool
  /// Whether it contains only the rows that meet a condition.
  public let isPartial: Bool
  /// The `CREATE INDEX` as SQLite stores it; nil for the index of a constraint.
  public let sql: String?

  /// The columns as SQL; the whole `CREATE INDEX` if it has more than columns.
  public var description: String {
    let columns = terms.compactMap(\.self)
    if let sql, isPartial || columns.count < terms.count { return sql }
    return (isUnique ? "UNIQUE " : "") + "(" + columns.joined(separator: ", ") + ")"
  }
}
