// error: 'execute' is unavailable: pass the values in an array, as in execute("… WHERE id = ?", [id])
// values of parameters follow the SQL one by one
import SQLiteSwiftly

func delete(_ connection: Connection, id: Int, name: String?) throws {
  try connection.execute("DELETE FROM parts WHERE id = ?", id)
}

func deleteNamed(_ connection: Connection, id: Int, name: String?) throws {
  try connection.execute("DELETE FROM parts WHERE id = ? AND name = ?", id, name)
}
