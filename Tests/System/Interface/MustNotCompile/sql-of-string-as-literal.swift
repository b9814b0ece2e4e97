// error: cannot convert value of type 'String' to expected argument type 'StaticString'
// SW-48 SW-49 a text that was made at run time is passed off as a literal
import SQLiteSwiftly

func make(_ text: String) -> SQL {
  SQL(stringLiteral: text)
}
