// error: requires the types 'Int' and 'UInt8' be equivalent
// SW-54 a list that is not one of bytes is the one argument of a run
import SQLiteSwiftly

func run(_ statement: inout PreparedStatement, _ numbers: [Int]) throws {
  try statement.run(numbers)
}
