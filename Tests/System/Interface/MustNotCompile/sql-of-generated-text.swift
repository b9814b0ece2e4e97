// error: 'SQL' initializer is inaccessible due to 'package' protection level
// SW-48 a text that was made at run time goes the way that only this package may
import SQLiteSwiftly

func make(_ text: String) -> SQL {
  let make = SQL.init(generated:)
  return make(text)
}
