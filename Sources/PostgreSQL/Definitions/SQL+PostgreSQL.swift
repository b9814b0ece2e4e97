#if PostgreSQL
  import SQLiteSwiftly

  extension SQL {
    /// The text of a query that is in the SQL that SQLite and PostgreSQL have in common.
    ///
    /// One function both have, with the same arguments and under two names: a query says `instr(`, since the standard's
    /// `POSITION` is unknown to SQLite.
    var postgreSQL: String { text.replacing("instr(", with: "strpos(") }
  }
#endif
