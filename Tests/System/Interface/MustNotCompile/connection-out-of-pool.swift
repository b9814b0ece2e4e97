// error: does not conform to the 'Sendable' protocol
import SQLiteSwiftly
import SQLiteSwiftlyData

func keep(_ pool: ConnectionPool) async throws -> Connection {
  try await pool.read { connection in connection }
}
