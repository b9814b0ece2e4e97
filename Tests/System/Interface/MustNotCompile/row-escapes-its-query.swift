// error: escapes its scope
// a row is put into a variable that outlives its query
import SQLiteSwiftly

func use(_ connection: Connection) throws {
  var row: Row?
  do {
    var statement = try connection.prepare("SELECT name FROM parts")
    var rows = statement.rows()
    row = try rows.next()
  }
  if let row { _ = try row.values }
}
