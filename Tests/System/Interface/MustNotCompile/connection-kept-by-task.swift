// error: sending value of non-Sendable type '() async throws -> ()' risks causing data races
// SK-30 SK-31 a connection goes to a task, and stays here as well
import SQLiteSwiftly

func share() throws {
  let connection = try Connection.inMemory()
  Task { try connection.execute("DELETE FROM parts") }
  connection.traceHandler = nil
}
