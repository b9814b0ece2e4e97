// compiles
// What the other snippets do wrongly, done rightly: it shows that they fail for no other reason.
import Dispatch
import SQLiteSwiftly

struct Part: QueryDecodable {
  init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    decoder: inout Decoder
  ) throws(Decoder.Failure) {}
}

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

  let (bytes, numbers): ([UInt8], [Int]) = ([1, 2, 3], [4, 5])
  let conditions: [SQL] = ["name = \(name)", "picture = \(bytes.dropFirst(2))"]
  let filter = conditions.joined(separator: " OR ")
  var update = try connection.prepare("UPDATE parts SET picture = ?")
  try update.run(bytes)
  try update.run(SQLParameters(numbers))
  _ = try connection.query("SELECT 1, name FROM parts WHERE \(sql: filter)", as: (Int, Part).self)

  let pragma = Pragma.userVersion
  try connection.set(pragma, to: 7)
  _ = try connection.value(of: ReadOnlyPragma.pageCount)

  let other = try Connection.inMemory()
  Task { try other.execute("DELETE FROM parts") }
  DispatchQueue.global().async { _ = try? Connection.inMemory() }
}
