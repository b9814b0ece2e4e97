import CSQLite

/// An action of a statement, which an authorizer allows or denies.
public struct AuthorizedAction: Equatable, Sendable {
  /// The operation.
  public let operation: Operation
  /// The database of the operation, such as `main` or `temp`; nil if it has none or SQLite does not report it.
  public let database: String?
  /// The innermost trigger or view that performs the action; nil for the statement itself.
  public let accessor: String?

  /// The operation of an action, with names spelled as in the schema
  /// (<https://www.sqlite.org/c3ref/c_alter_table.html>).
  ///
  /// SQLite asks for each step of a statement. A `CREATE TABLE` also inserts into `sqlite_master`,
  /// which no other statement can do, and a full-text table creates and fills tables of its own. A
  /// temporary table, index, view or trigger is in the database `temp`.
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
    /// A column is read; its name is empty if the table is used without reading columns, as by `count(*)`.
    case read(table: String, column: String)
    case insert(table: String)
    case update(table: String, column: String)
    case delete(table: String)
    /// Rows are selected, from any source.
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
    /// A file is attached; nil if its name is not a literal.
    case attach(file: String?)
    case detach(database: String)
    case analyze(table: String)
    case reindex(index: String)
    /// An operation of a later SQLite, by its code.
    case other(code: Int32)

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

  fileprivate init(
    code: Int32, _ first: String?, _ second: String?, database: String?, accessor: String?
  ) {
    operation = Operation(code: code, first, second)
    self.database = code == SQLITE_ALTER_TABLE ? first : database
    self.accessor = accessor
  }
}

/// An authorizer's answer to an action.
public enum Authorization: Sendable {
  case allow
  /// The statement is not compiled, and fails with `SQLITE_AUTH`.
  case deny
  /// The action is skipped and the statement continues. A column that is read is NULL, as is the
  /// result of a function; most other actions are skipped silently.
  case ignore
}

extension Connection {
  @unsafe func applyAuthorizer(to handle: OpaquePointer) {
    guard authorizer != nil else {
      unsafe sqlite3_set_authorizer(handle, nil, nil)
      return
    }
    unsafe sqlite3_set_authorizer(
      handle,
      { context, code, first, second, database, accessor in
        guard let context = unsafe context else { return SQLITE_DENY }
        let connection = unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        let action = unsafe AuthorizedAction(
          code: code, string(first), string(second), database: string(database),
          accessor: string(accessor))
        // The authorizer may have removed itself.
        guard let authorizer = connection.authorizer else { return SQLITE_OK }
        let outer = connection.occupation
        connection.occupation = .authorizer
        defer { connection.occupation = outer }
        return switch authorizer(action) {
        case .allow: SQLITE_OK
        case .deny: SQLITE_DENY
        case .ignore: SQLITE_IGNORE
        }
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
