#if PostgreSQL
  import SQLiteSwiftly
  package import Schema

  extension KeyUnionDescription {
    /// The `INSERT` that fills the table of the union in a schema from its members.
    ///
    /// The query of the description is for SQLite: PostgreSQL needs a type for NULL and, before version 16, a name for a
    /// subquery in `FROM`.
    package func postgreSQLFilling(in schema: String) -> String {
      let references = members.compactMap(\.reference)
      let selects = members.map { member in
        let key = quoted(identifier: member.keyColumn)
        let values = references.map { reference in
          member.reference.map { haveSameBytes($0, reference) } ?? false
            ? key : "NULL::\(type.postgreSQL)"
        }
        return "SELECT \(([key] + values).joined(separator: ", ")) "
          + "FROM \(qualified(member.table, in: schema)) WHERE \(key) IS NOT NULL"
      }
      let columns = [column] + references
      let names = columns.map(quoted(identifier:))
      let values = [names[0]] + names.dropFirst().map { "max(\($0))" }
      return """
        INSERT INTO \(qualified(name, in: schema)) (\(names.joined(separator: ", ")))
        SELECT \(values.joined(separator: ", "))
        FROM (\(selects.joined(separator: " UNION ALL "))) AS keys (\(names.joined(separator: ", ")))
        GROUP BY 1 ORDER BY 1
        """
    }
  }
#endif
