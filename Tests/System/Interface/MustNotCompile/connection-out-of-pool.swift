// error: does not conform to the 'Sendable' protocol
import SQLiteSwiftly

func keep(_ pool: ConnectionPool) async throws -> Connection {
  try await pool.read { connection in connection }
}
