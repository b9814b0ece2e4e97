// error: cannot convert value of type 'String' to expected argument type 'SQL'
// SW-48 SW-49 texts that were made at run time are joined, and passed off as a piece of SQL
import SQLiteSwiftly

func run(_ names: [String], on connection: Connection) throws {
  let list = names.joined(separator: ", ")
  _ = try connection.query("SELECT \(sql: list) FROM parts")
}
