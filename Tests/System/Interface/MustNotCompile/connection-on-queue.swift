// error: capture of 'connection' with non-Sendable type 'Connection' in a '@Sendable' closure
// SK-30 SK-31 a connection is used on another thread
import Dispatch
import SQLiteSwiftly

func share(_ connection: Connection) {
  DispatchQueue.global().async { try? connection.execute("DELETE FROM parts") }
}
