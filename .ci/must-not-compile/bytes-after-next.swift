// error: overlapping accesses to 'rows'
// the bytes of a row are read when its cursor has gone on
import SQLiteSwiftly

func use(_ statement: consuming PreparedStatement) throws -> Int {
  var rows = statement.rows()
  guard let row = try rows.next() else { return 0 }
  let bytes = try row.bytes(at: 0)
  _ = try rows.next()
  return bytes.count
}
