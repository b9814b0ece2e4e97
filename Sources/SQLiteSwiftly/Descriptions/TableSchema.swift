/// A table as a database has it.
public struct TableSchema: Sendable {
  /// The table's name.
  public let name: String
  /// The columns, in the order in which the table has them.
  public let columns: [ColumnSchema]
  /// The columns of the primary key, written as in SQL: names that are not plain words in quotes, with
  /// `COLLATE` and `DESC` where that is said; empty if there is none.
  public let primaryKey: [String]
  /// The columns of each constraint or index that lets no two rows share them, written likewise.
  public let uniqueKeys: [[String]]
  /// The references to other tables.
  public let foreignKeys: [ForeignKeySchema]
  /// The further indexes, those among them that are unique for some rows only.
  public let indexes: [IndexSchema]
  /// Whether SQLite holds the columns to their types.
  public let isStrict: Bool
  /// Whether the primary key orders the table itself.
  public let isWithoutRowid: Bool
  /// The `CREATE TABLE` as SQLite keeps it, which has the checks and all else that is not listed here.
  public let sql: String
}

/// A column as a database has it.
public struct ColumnSchema: Sendable {
  /// The column's name.
  public let name: String
  /// Its type as it is declared; empty if there is none.
  public let type: String
  /// Whether it may hold NULL.
  public let isNullable: Bool
  /// The SQL of its default as it is written, or nil if that is NULL.
  public let defaultValue: String?
}

/// A reference from columns of one table to a key of a table, as a database has it.
public struct ForeignKeySchema: Sendable {
  /// The columns that refer.
  public let columns: [String]
  /// The table that is referred to.
  public let table: String
  /// The columns of its key, in the order of `columns`; those of its primary key if none were named.
  public let keyColumns: [String]
  /// What happens when the row that is referred to goes away, such as `CASCADE`.
  public let onDelete: String
  /// What happens when the key that is referred to changes.
  public let onUpdate: String
}

/// An index as a database has it.
public struct IndexSchema: Sendable {
  /// The index's name, in which it may differ from another one without a difference between the tables.
  public let name: String
  /// The columns, written as in SQL, with `COLLATE` and `DESC` where that is said; nil for an expression.
  public let terms: [String?]
  /// Whether no two of the rows that it has may share them.
  public let isUnique: Bool
  /// Whether it has only the rows that meet a condition.
  public let isPartial: Bool
  /// The `CREATE INDEX` as SQLite keeps it; nil for the index of a constraint.
  public let sql: String?
}

extension ForeignKeySchema: CustomStringConvertible {
  /// The reference as SQL has it.
  public var description: String {
    var text = written(columns: columns) + " REFERENCES \(written(identifier: table)) "
    text += written(columns: keyColumns)
    if onDelete != "NO ACTION" { text += " ON DELETE \(onDelete)" }
    if onUpdate != "NO ACTION" { text += " ON UPDATE \(onUpdate)" }
    return text
  }
}

extension IndexSchema: CustomStringConvertible {
  /// What is indexed, as SQL has it; the whole `CREATE INDEX` where there is more than columns to it.
  public var description: String {
    let columns = terms.compactMap(\.self)
    if let sql, isPartial || columns.count < terms.count { return sql }
    return (isUnique ? "UNIQUE " : "") + "(" + columns.joined(separator: ", ") + ")"
  }
}
