// compiles
// What the other snippets do wrongly, done rightly: it shows that they fail for no other reason.
import Dispatch
import SQLiteSwiftly

func use(_ path: String, _ table: TableDescription, name: String) throws {
  let connection = try Connection(path, opening: .openOrCreate)
  try connection.execute("DELETE FROM parts WHERE name = \(name)")
  var insert = try connection.prepareInsertIntoTable(describedBy: table)
  try insert.insert([1, "Technic"])

  var statement = try connection.prepare("SELECT name FROM parts")
  var rows = statement.rows()
  while let row = try rows.next() { _ = try row.withBytes(at: 0) { $0.count } }
  _ = try statement.query()
  statement.close()

  let pragma = Pragma.userVersion
  try connection.set(pragma, to: 7)
  _ = try connection.value(of: ReadOnlyPragma.pageCount)

  let other = try Connection.inMemory()
  Task { try other.execute("DELETE FROM parts") }
  DispatchQueue.global().async { _ = try? Connection.inMemory() }
}
