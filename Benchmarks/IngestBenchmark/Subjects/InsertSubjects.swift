import SQLiteSwiftly

/// The ratio to the reference that an insert may have.
private let bar = 1.15

/// `InsertStatement` with rows of ten integers.
func compareInsertsOfIntegers(rows count: Int, on store: Store) -> Comparison {
  let rows = IntegerRows(count: count)
  let made = rows.made()
  return Comparison(
    subject: .insertIntegers, place: store.name, expected: rows.expected, bar: bar,
    reference: Comparison.Side(name: "C loop") {
      let database = try store.makeReference(IntegerRows.creation)
      try database.prepare(IntegerRows.insertion)
      let time = try processorSeconds {
        try database.insert(rows.values, columns: IntegerRows.columns)
      }
      return Comparison.Measurement(seconds: time, sums: try database.sums(IntegerRows.sums))
    },
    contenders: [
      Comparison.Side(name: "rows made beforehand") {
        let connection = try store.makeConnection(IntegerRows.creation)
        let time = try insert(made, into: IntegerRows.table, on: connection)
        return Comparison.Measurement(seconds: time, sums: try connection.sums(IntegerRows.sums))
      }
    ])
}

/// `InsertStatement` with rows in the shape of `inventory_parts`.
func compareInsertsOfParts(rows count: Int, on store: Store) -> Comparison {
  let rows = PartRows(count: count)
  let made = rows.made()
  let (referenceRows, arena) = rows.madeForReference()
  return Comparison(
    subject: .insertParts, place: store.name, expected: rows.expected, bar: bar,
    reference: Comparison.Side(name: "C loop") {
      let database = try store.makeReference(PartRows.creation)
      try database.prepare(PartRows.insertion)
      let time = try processorSeconds { try database.insert(referenceRows, arena: arena) }
      return Comparison.Measurement(seconds: time, sums: try database.sums(PartRows.sums))
    },
    contenders: [
      Comparison.Side(name: "rows made beforehand") {
        let connection = try store.makeConnection(PartRows.creation)
        let time = try insert(made, into: PartRows.table, on: connection)
        return Comparison.Measurement(seconds: time, sums: try connection.sums(PartRows.sums))
      },
      Comparison.Side(name: "one row filled again") {
        let connection = try store.makeConnection(PartRows.creation)
        let time = try insert(rows.parts, on: connection)
        return Comparison.Measurement(seconds: time, sums: try connection.sums(PartRows.sums))
      },
    ])
}

/// Inserts rows that are there already, and returns the seconds.
func insert(
  _ rows: [[SQLiteValue]], into table: TableDescription, on connection: Connection
) throws -> Double {
  var statement = try connection.prepareInsertIntoTable(describedBy: table)
  return try processorSeconds {
    try connection.transaction { () throws(SQLiteError) in
      for row in rows { try statement.insert(row) }
    }
  }
}

/// Inserts parts by way of one array, which is filled for each of them, and returns the seconds.
private func insert(_ parts: [PartRows.Part], on connection: Connection) throws -> Double {
  var statement = try connection.prepareInsertIntoTable(describedBy: PartRows.table)
  return try processorSeconds {
    try connection.transaction { () throws(SQLiteError) in
      var row = [SQLiteValue](repeating: .null, count: PartRows.table.columns.count)
      for part in parts {
        row[0] = .integer(Int64(part.inventoryID))
        row[1] = .text(part.partNumber)
        row[2] = .integer(Int64(part.colorID))
        row[3] = .integer(Int64(part.quantity))
        row[4] = .integer(part.isSpare ? 1 : 0)
        row[5] = part.imageURL.map { .text($0) } ?? .null
        try statement.insert(row)
      }
    }
  }
}

extension Connection {
  /// The sums that a query computes.
  fileprivate func sums(_ query: SQL) throws -> Sums {
    let row = try self.query(query).first?.map { $0.integerValue ?? 0 } ?? [0, 0, 0]
    return Sums(rows: row[0], integers: row[1], textBytes: row[2])
  }
}
