// error: type '(Theme, Int)' cannot conform to 'RowDecodable'
// a model that reads columns by their names stands for some of them
import SQLiteSwiftly

struct Theme: RowDecodable {
  init(row: borrowing Row) throws(SQLiteError) {}
}

func read(_ connection: Connection) throws {
  _ = try connection.query("SELECT * FROM themes", as: (Theme, Int).self)
}
