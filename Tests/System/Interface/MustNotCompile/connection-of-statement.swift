// error: has no member 'connection'
// SW-20 the connection of a statement is taken out of it
import SQLiteSwiftly

func unwrap(_ statement: borrowing PreparedStatement) -> Connection {
  statement.connection
}
