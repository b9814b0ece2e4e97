import SQLiteSwiftly

/// The part of the reference's rate that an insert must reach.
private let bar = 0.87

/// `InsertStatement` with rows of ten integers.
func compareInsertsOfIntegers(rows count: Int, on store: Store) -> LayerWork {
  let rows = IntegerRows(count: count)
  let made = rows.made()
  return LayerWork(
    name: "inserts of integers, \(store.name)", expected: rows.expected, bar: bar,
    reference: Side(name: "C loop") {
      let database = try store.makeReference(IntegerRows.creation)
      try database.prepare(IntegerRows.insertion)
      let time = try processorSeconds {
        try database.insert(rows.values, columns: IntegerRows.columns)
      }
      return LayerWork.Sample(seconds: time, sums: try database.sums(IntegerRows.sums))
    },
    contenders: [
      Side(name: "rows made beforehand") {
        let connection = try store.makeConnection(IntegerRows.creation)
        let time = try insert(made, into: IntegerRows.table, on: connection)
        return LayerWork.Sample(seconds: time, sums: try connection.sums(IntegerRows.sums))
      }
    ])
}

/// `InsertStatement` with rows in the shape of `inventory_parts`.
func compareInsertsOfParts(rows count: Int, on store: Store) -> LayerWork {
  let rows = MadeParts(count: count)
  let made = rows.made()
  let (referenceRows, arena) = rows.madeForReference()
  return LayerWork(
    name: "inserts of parts, \(store.name)", expected: rows.expected, bar: bar,
    reference: Side(name: "C loop") {
      let database = try store.makeReference(MadeParts.creation)
      try database.prepare(MadeParts.insertion)
      let time = try processorSeconds { try database.insert(referenceRows, arena: arena) }
      return LayerWork.Sample(seconds: time, sums: try database.sums(Sums.ofParts))
    },
    contenders: [
      Side(name: "rows made beforehand") {
        let connection = try store.makeConnection(MadeParts.creation)
        let time = try insert(made, into: MadeParts.table, on: connection)
        return LayerWork.Sample(seconds: time, sums: try connection.sums(Sums.ofParts))
      },
      Side(name: "one row filled again") {
        let connection = try store.makeConnection(MadeParts.creation)
        let time = try insert(rows.parts, on: connection)
        return LayerWork.Sample(seconds: time, sums: try connection.sums(Sums.ofParts))
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
private func insert(_ parts: [MadeParts.Part], on connection: Connection) throws -> Double {
  var statement = try connection.prepareInsertIntoTable(describedBy: MadeParts.table)
  return try processorSeconds {
    try connection.transaction { () throws(SQLiteError) in
      var row = [SQLiteValue](repeating: .null, count: MadeParts.table.columns.count)
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
