// error: 'handle' is inaccessible due to 'private' protection level
// SW-12 the handle of a connection is taken out of it
import SQLiteSwiftly

func unwrap(_ connection: Connection) -> OpaquePointer? {
  connection.handle
}
