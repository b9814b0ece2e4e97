// error: overlapping accesses to 'statement'
// two cursors read one statement
import SQLiteSwiftly

func use(_ statement: consuming PreparedStatement) throws {
  var first = statement.rows()
  var second = statement.rows()
  _ = try first.next()
  _ = try second.next()
}
