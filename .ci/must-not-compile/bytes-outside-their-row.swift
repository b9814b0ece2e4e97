// error: lifetime-dependent variable 'bytes' escapes its scope
// the bytes of a row are kept when its closure is over
import SQLiteSwiftly

func use(_ connection: Connection) throws -> Int {
  var bytes = Span<UInt8>()
  try connection.forEachRow(of: "SELECT name FROM parts") { row throws(SQLiteError) in
    bytes = try row.bytes(at: 0)
  }
  return bytes.count
}
