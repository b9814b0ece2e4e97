// error: 'statement' used after consume
// a statement is used after it was closed
import SQLiteSwiftly

func use(_ connection: Connection) throws {
  var statement = try connection.prepare("DELETE FROM parts")
  statement.close()
  try statement.run()
}
