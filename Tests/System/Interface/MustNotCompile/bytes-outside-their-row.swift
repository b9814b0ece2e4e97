// error: escapes its scope
// the bytes of a row are kept when their closure is over
import SQLiteSwiftly

func use(_ connection: Connection) throws -> Int {
  var kept = Span<UInt8>()
  try connection.forEachRow(of: "SELECT name FROM parts") { row throws(SQLiteError) in
    _ = try row.withBytes(at: 0) { bytes in kept = bytes }
  }
  return kept.count
}
