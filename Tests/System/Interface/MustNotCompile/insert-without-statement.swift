// error: value of type 'Connection' has no member 'insert'
// SW-46 a row is inserted without a prepared statement
import SQLiteSwiftly

func insert(into table: TableDescription, _ connection: Connection) throws {
  try connection.insert([1, "Technic"], into: table)
}
