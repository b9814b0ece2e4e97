// error: cannot convert value of type 'String' to expected argument type 'SQL'
// SW-48 SW-49 a text that was made at run time stands between pieces of SQL
import SQLiteSwiftly

func join(_ conditions: [SQL], by text: String) -> SQL {
  conditions.joined(separator: text)
}
