// error: cannot convert value of type 'String' to expected argument type 'SQL'
// SW-48 SW-49 a text that was made at run time is taken for SQL
import SQLiteSwiftly

func run(_ text: String, on connection: Connection) throws {
  try connection.execute(text)
}
