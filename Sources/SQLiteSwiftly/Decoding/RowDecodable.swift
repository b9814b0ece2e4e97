/// A model that is made of a row of a result, whose columns it reads by their names.
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
/// What can be read without SQLite, too, is a `QueryDecodable`, which is given any decoder.
public protocol RowDecodable {
  /// Reads what it needs of a row.
  init(row: borrowing Row) throws(SQLiteError)
}
