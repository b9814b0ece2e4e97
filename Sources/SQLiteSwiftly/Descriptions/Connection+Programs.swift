/// The opcode and five operands (<https://www.sqlite.org/opcode.html>).
package typealias Instruction = [SQLiteValue]

extension Connection {
  /// The compiled program of a query or table without values, without page numbers and error messages.
  package func program(of sql: SQL) throws(SQLiteError) -> [Instruction] {
    let columns = try Statement(sql.text, on: self).columnNames
    let rows = try query(SQL(generated: "EXPLAIN \(sql.text)"))
    return [columns.map(SQLiteValue.text)]
      + rows.compactMap { row -> Instruction? in
        // After the address: the opcode and five operands; the rest is a comment.
        var instruction = Array(row[1...6])
        switch instruction[0] {
        case "Init", "Transaction", "Explain": return nil
        // The second operand is the root page of the table.
        case "OpenRead", "OpenWrite": instruction[2] = .null
        // The fourth operand is the message, which contains the text of a check.
        case "Halt": instruction[4] = .null
        default: break
        }
        return instruction
      }
  }

  /// The program that inserts a row of defaults into the table that `creation` creates, with its
  /// unique keys and the referenced tables; nil if these do not suffice to create it.
  func insertion(
    into table: TableSchema, _ creation: SQL
  ) throws(SQLiteError) -> [Instruction]? {
    let model = try Connection.inMemory()
    // References are compiled into the program only if they are enforced.
    try model.set(.foreignKeys, to: true)
    do throws(SQLiteError) {
      try model.createParents(of: table, in: self)
      try model.execute(creation)
      let ownKeys = try model.schema(ofTable: table.name)?.uniqueKeys ?? []
      for (number, key) in table.uniqueKeys.enumerated() where !ownKeys.contains(key) {
        try model.execute(
          SQL(
            generated: "CREATE UNIQUE INDEX \"key \(number)\" ON \(quoted(identifier: table.name)) "
              + "(\(key.joined(separator: ", ")))"))
      }
      return try model.program(
        of: SQL(generated: "INSERT INTO \(quoted(identifier: table.name)) DEFAULT VALUES"))
    } catch {
      return nil
    }
  }

  /// Creates the tables that a table refers to, with the referenced keys only; a reference may omit
  /// the columns of the primary key.
  private func createParents(
    of table: TableSchema, in original: Connection
  ) throws(SQLiteError) {
    var parents: [[UInt8]: [ForeignKeySchema]] = [:]
    for key in table.foreignKeys where !areSameName(key.table, table.name) {
      parents[foldedName(key.table), default: []].append(key)
    }
    for keys in parents.values {
      let primary = try original.schema(ofTable: keys[0].table)?.primaryKey ?? []
      let isPrimary = keys.map { haveSameBytes($0.keyColumns.map(written(identifier:)), primary) }
      let place = isPrimary.firstIndex(of: true) ?? 0
      var names: Set<[UInt8]> = []
      let columns = keys.flatMap(\.keyColumns).filter { names.insert(foldedName($0)).inserted }
      let lines =
        columns.map(quoted(identifier:))
        + keys.enumerated().map { number, key in
          let list = key.keyColumns.map(quoted(identifier:)).joined(separator: ", ")
          return "\(number == place ? "PRIMARY KEY" : "UNIQUE") (\(list))"
        }
      try execute(
        SQL(
          generated: "CREATE TABLE \(quoted(identifier: keys[0].table)) "
            + "(\(lines.joined(separator: ", ")))"))
    }
  }
}
