// error: 'PreparedStatement' initializer is inaccessible due to 'internal' protection level
// SW-14 SW-21 a statement is made by somebody other than the connection
import SQLiteSwiftly

func compile(_ connection: Connection) throws -> PreparedStatement {
  try PreparedStatement("DELETE FROM parts", on: connection)
}
