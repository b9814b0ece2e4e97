/// A model that reads the columns of a result row by name.
///
///     struct Theme: RowDecodable {
///       var id: Int
///       var name: String
///       var parent: Int?
///
///       init(row: borrowing Row) throws(SQLiteError) {
///         id = try row["id"]
///         name = try row["name"]
///         parent = try row["parent_id"]
///       }
///     }
///
///     let themes = try connection.query("SELECT * FROM themes", as: Theme.self)
///
/// For a model that can also be read without SQLite, use `QueryDecodable`.
public protocol RowDecodable {
  /// Reads the row.
  init(row: borrowing Row) throws(SQLiteError)
}
