// error: cannot convert value of type 'ReadOnlyPragma' to expected argument type 'Pragma
// a number that SQLite only tells is set
import SQLiteSwiftly

func use(_ connection: Connection) throws {
  let pragma = ReadOnlyPragma.pageCount
  try connection.set(pragma, to: 7)
}
