import CSQLite

/// Something that a statement would do, which an authorizer allows or not.
///
/// ```swift
/// connection.authorizer = { action in
///   switch action.operation {
///   case .read(let table, let column): table == "members" && column == "email" ? .ignore : .allow
///   case .select, .function, .recursive: .allow
///   default: .deny
///   }
/// }
/// ```
public struct AuthorizedAction: Equatable, Sendable {
  /// What would be done.
  public let operation: Operation
  /// The name of the database that it would be done in, such as `main` or `temp`; nil if it is of none, or
  /// if SQLite does not say.
  public let database: String?
  /// The innermost trigger or view that the statement would do it through; nil if it is in the statement
  /// itself.
  public let accessor: String?

  /// What a statement can do, with the names as they stand in the schema
  /// (<https://www.sqlite.org/c3ref/c_alter_table.html>).
  ///
  /// SQLite asks for each step of a statement: a `CREATE TABLE` also inserts into `sqlite_master`, which a
  /// statement of one's own cannot do, and a full-text table creates and fills tables of its own. A
  /// temporary table, index, view or trigger is one in the database `temp`.
  ///
  /// ```swift
  /// connection.authorizer = { action in
  ///   if case .attach = action.operation { .deny } else { .allow }
  /// }
  /// ```
  public enum Operation: Equatable, Sendable {
    case createTable(String)
    case createIndex(String, table: String)
    case createView(String)
    case createTrigger(String, table: String)
    case createVirtualTable(String, module: String)
    case dropTable(String)
    case dropIndex(String, table: String)
    case dropView(String)
    case dropTrigger(String, table: String)
    case dropVirtualTable(String, module: String)
    case alterTable(String)
    /// A value of a column is read; of a table that none is read of, as by `count(*)`, the column is empty.
    case read(table: String, column: String)
    case insert(table: String)
    case update(table: String, column: String)
    case delete(table: String)
    /// Rows are selected, whatever they come from.
    case select
    /// A function is called.
    case function(String)
    /// A table expression refers to itself.
    case recursive
    /// A pragma is read, or set to an argument.
    case pragma(String, argument: String?)
    /// `BEGIN`, `COMMIT` or `ROLLBACK`.
    case transaction(String)
    /// `BEGIN`, `RELEASE` or `ROLLBACK` of a savepoint.
    case savepoint(String, action: String)
    /// A file is attached; nil if its name is no literal.
    case attach(file: String?)
    case detach(database: String)
    case analyze(table: String)
    case reindex(index: String)
    /// Something of a later SQLite, by its code.
    case other(code: Int32)
  }

  /// Takes over what SQLite asks.
  init(code: Int32, _ first: String?, _ second: String?, database: String?, accessor: String?) {
    let isAlteration = code == SQLITE_ALTER_TABLE
    operation = Operation(code: code, first, isAlteration ? second ?? "" : second)
    self.database = isAlteration ? first : database
    self.accessor = accessor
  }
}

extension AuthorizedAction.Operation {
  fileprivate init(code: Int32, _ first: String?, _ second: String?) {
    let (name, other) = (first ?? "", second ?? "")
    self =
      switch code {
      case SQLITE_CREATE_TABLE, SQLITE_CREATE_TEMP_TABLE: .createTable(name)
      case SQLITE_CREATE_INDEX, SQLITE_CREATE_TEMP_INDEX: .createIndex(name, table: other)
      case SQLITE_CREATE_VIEW, SQLITE_CREATE_TEMP_VIEW: .createView(name)
      case SQLITE_CREATE_TRIGGER, SQLITE_CREATE_TEMP_TRIGGER: .createTrigger(name, table: other)
      case SQLITE_CREATE_VTABLE: .createVirtualTable(name, module: other)
      case SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE: .dropTable(name)
      case SQLITE_DROP_INDEX, SQLITE_DROP_TEMP_INDEX: .dropIndex(name, table: other)
      case SQLITE_DROP_VIEW, SQLITE_DROP_TEMP_VIEW: .dropView(name)
      case SQLITE_DROP_TRIGGER, SQLITE_DROP_TEMP_TRIGGER: .dropTrigger(name, table: other)
      case SQLITE_DROP_VTABLE: .dropVirtualTable(name, module: other)
      case SQLITE_ALTER_TABLE: .alterTable(other)
      case SQLITE_READ: .read(table: name, column: other)
      case SQLITE_INSERT: .insert(table: name)
      case SQLITE_UPDATE: .update(table: name, column: other)
      case SQLITE_DELETE: .delete(table: name)
      case SQLITE_SELECT: .select
      case SQLITE_FUNCTION: .function(other)
      case SQLITE_RECURSIVE: .recursive
      case SQLITE_PRAGMA: .pragma(name, argument: second)
      case SQLITE_TRANSACTION: .transaction(name)
      case SQLITE_SAVEPOINT: .savepoint(other, action: name)
      case SQLITE_ATTACH: .attach(file: first)
      case SQLITE_DETACH: .detach(database: name)
      case SQLITE_ANALYZE: .analyze(table: name)
      case SQLITE_REINDEX: .reindex(index: name)
      default: .other(code: code)
      }
  }
}

/// What an authorizer says to an action.
///
/// ```swift
/// connection.authorizer = { action in
///   action.operation == .read(table: "members", column: "email") ? .ignore : .allow
/// }
/// ```
public enum Authorization: Sendable {
  case allow
  /// The statement is not compiled, and fails with `SQLITE_AUTH`.
  case deny
  /// Nothing is done, and the statement goes on: a column that is read is NULL, as is the result of a
  /// function; most other steps are left out without a word.
  case ignore
}
