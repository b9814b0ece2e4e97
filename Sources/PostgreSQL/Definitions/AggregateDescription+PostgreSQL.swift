#if PostgreSQL
  import SQLiteSwiftly
  package import Schema

  extension AggregateDescription {
    /// The tables of the statistics, each with the query for its rows, in the order in which they are filled.
    ///
    /// A `numeric` has no maximum: a sum is NULL only if it exceeds 64 bits, as in SQLite.
    package var postgreSQLTables: [DerivedTableDescription] {
      let added = queries { condition, quantity, times in
        let product = "coalesce(CAST(\(quantity) AS numeric) * \(times), \(Self.unknown))"
        let sum = "sum(CASE WHEN \(condition) THEN \(product) ELSE 0 END)"
        return "CASE WHEN \(sum) <= \(Int64.max) THEN CAST(\(sum) AS bigint) END"
      }
      return added.map { DerivedTableDescription($0.table, filledBy: $0.query) } + derivedTables
    }

    /// More than any sum that fits into 64 bits.
    private static let unknown = "1e30"
  }
#endif
