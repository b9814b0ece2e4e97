#if PostgreSQL
  import SQLiteSwiftly

  extension SQL {
    /// The text of a query in the common SQL of SQLite and PostgreSQL.
    ///
    /// One function has two names: a query uses `instr(`, since SQLite lacks the standard `POSITION`.
    var postgreSQL: String { text.replacing("instr(", with: "strpos(") }
  }
#endif
