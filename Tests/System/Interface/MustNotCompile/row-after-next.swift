// error: overlapping accesses to 'rows'
// a row is read when its cursor has gone on
import SQLiteSwiftly

func use(_ statement: consuming PreparedStatement) throws {
  var rows = statement.rows()
  if let first = try rows.next() {
    let second = try rows.next()
    _ = try first.values
    _ = try second?.values
  }
}
