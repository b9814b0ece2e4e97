// error: missing argument for parameter 'opening' in call
// SW-32 nobody says whether the database is expected to exist
import SQLiteSwiftly

func open() throws -> Connection {
  try Connection("catalog.sqlite")
}
