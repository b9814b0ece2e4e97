// error: overlapping accesses to 'statement'
// a statement is run again while its rows are read
import SQLiteSwiftly

func use(_ statement: consuming PreparedStatement) throws {
  var rows = statement.rows()
  try statement.run()
  _ = try rows.next()
}
