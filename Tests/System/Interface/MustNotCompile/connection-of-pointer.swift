// error: cannot convert value of type 'OpaquePointer' to expected argument type 'String'
// SW-14 a connection is made of a handle from elsewhere
import SQLiteSwiftly

func wrap(_ handle: OpaquePointer) throws -> Connection {
  try Connection(handle, opening: .openExisting)
}
