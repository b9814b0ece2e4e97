/// A table as a database has it.
///
/// Two of them are equal when `differences(from:)` finds none.
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
  /// The conditions of checks that stand behind the columns.
  public let checks: [String]
  /// What else is said behind the columns and cannot be described, such as `ON CONFLICT IGNORE`.
  public let clauses: [String]
  /// Whether SQLite holds the columns to their types.
  public let isStrict: Bool
  /// Whether the primary key orders the table itself.
  public let isWithoutRowid: Bool
}

/// A column as a database has it.
public struct ColumnSchema: Sendable {
  /// The column's name.
  public let name: String
  /// Its type as it is declared; empty if there is none.
  public let type: String
  /// Whether it may hold NULL.
  public let isNullable: Bool
  /// The SQL of its default, or nil if that is NULL.
  ///
  /// This and all other expressions have one blank between their parts and their keywords in capitals,
  /// so that expressions which differ in nothing else are equal.
  public let defaultValue: String?
  /// The condition of its check, or of all of them together.
  public let check: String?
  /// What else its definition says and cannot be described, such as `COLLATE NOCASE`.
  public let clauses: [String]
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
  /// The columns or expressions, written as in SQL, with `COLLATE` and `DESC` where that is said.
  public let terms: [String]
  /// Whether no two of the rows that it has may share them.
  public let isUnique: Bool
  /// The condition that rows in it meet, or nil if it has all rows.
  public let condition: String?
}

extension TableSchema: Hashable {
  /// Whether there is no difference between the tables.
  public static func == (left: TableSchema, right: TableSchema) -> Bool {
    haveSameBytes(left.name, right.name) && left.differences(from: right).isEmpty
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(Array(name.utf8)) }
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
  /// What is indexed, as SQL has it.
  public var description: String {
    (isUnique ? "UNIQUE " : "") + "(" + terms.joined(separator: ", ") + ")"
      + (condition.map { " WHERE \($0)" } ?? "")
  }
}
