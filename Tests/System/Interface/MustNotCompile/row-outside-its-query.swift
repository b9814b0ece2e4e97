// error: lifetime-dependent variable 'row' escapes its scope
// a row is kept when its query is over
import SQLiteSwiftly

func use(_ connection: Connection) throws {
  let row: Row?
  do {
    var statement = try connection.prepare("SELECT name FROM parts")
    var rows = statement.rows()
    row = try rows.next()
  }
  if let row { _ = try row.values }
}
