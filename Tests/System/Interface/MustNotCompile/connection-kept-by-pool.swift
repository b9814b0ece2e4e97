// error: [#SendableClosureCaptures]
import SQLiteSwiftly
import SQLiteSwiftlyData

func keep(_ pool: ConnectionPool) async throws {
  var kept: Connection?
  try await pool.write { connection in kept = connection }
  try kept?.execute("DELETE FROM parts")
}
