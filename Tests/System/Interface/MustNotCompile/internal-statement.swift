// error: cannot find type 'Statement' in scope
// SW-27 the statement behind the public ones is named
import SQLiteSwiftly

func use(_ statement: borrowing Statement) {}
