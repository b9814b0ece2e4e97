import SQLiteSwiftly

/// The part of the reference's rate that an insert must reach.
private let bar = 0.87
/// The part of the rate of values by position that values by name must reach.
private let namedBar = 0.8

/// `InsertStatement` with rows of ten integers.
func compareInsertsOfIntegers(rows count: Int, on store: Store) -> LayerWork {
  let rows = IntegerRows(count: count)
  let made = rows.made()
  return LayerWork(
    name: "inserts of integers, \(store.name)", expected: rows.expected,
    reference: Side(name: "C loop") {
      let database = try store.makeReference(IntegerRows.creation)
      try database.prepare(IntegerRows.insertion)
      let time = try processorSeconds {
        try database.insert(rows.values, columns: IntegerRows.columns)
      }
      return LayerWork.Sample(seconds: time, sums: try database.sums(IntegerRows.sums))
    },
    contenders: [
      LayerWork.Contender(
        side: Side(name: "rows made beforehand") {
          let connection = try store.makeConnection(IntegerRows.creation)
          let time = try insert(made, into: IntegerRows.table, on: connection)
          return LayerWork.Sample(seconds: time, sums: try connection.sums(IntegerRows.sums))
        }, bar: bar)
    ])
}

/// `InsertStatement` with rows in the shape of `inventory_parts`.
func compareInsertsOfParts(rows count: Int, on store: Store) -> LayerWork {
  let rows = MadeParts(count: count)
  let made = rows.made()
  let (referenceRows, arena) = rows.madeForReference()
  func contender(
    _ name: String, _ bar: Double, of rival: String? = nil,
    _ insert: @escaping (Connection) throws -> Double
  ) -> LayerWork.Contender {
    LayerWork.Contender(
      side: Side(name: name) {
        let connection = try store.makeConnection(MadeParts.creation)
        let time = try insert(connection)
        return LayerWork.Sample(seconds: time, sums: try connection.sums(Sums.ofParts))
      }, bar: bar, rival: rival)
  }
  return LayerWork(
    name: "inserts of parts, \(store.name)", expected: rows.expected,
    reference: Side(name: "C loop") {
      let database = try store.makeReference(MadeParts.creation)
      try database.prepare(MadeParts.insertion)
      let time = try processorSeconds { try database.insert(referenceRows, arena: arena) }
      return LayerWork.Sample(seconds: time, sums: try database.sums(Sums.ofParts))
    },
    contenders: [
      contender("rows made beforehand", bar) { connection in
        try insert(made, into: MadeParts.table, on: connection)
      },
      contender("one row filled again", bar) { connection in
        try insertByOneArray(rows.parts, on: connection)
      },
      contender("values of Swift's", 0.6) { connection in
        try insertValues(rows.parts, on: connection)
      },
      contender("bulk insert of Swift's values", 1) { connection in
        try insertInBulk(rows.parts, on: connection)
      },
      contender("a row made each time", 0.75) { connection in
        try insertByArray(rows.parts, on: connection)
      },
      contender("a row by name", namedBar, of: "a row made each time") { connection in
        try insertByName(rows.parts, on: connection)
      },
      contender("a list of Swift's values", 0.5) { connection in
        try insertListedValues(rows.parts, on: connection)
      },
      contender("Swift's values by name", namedBar, of: "a list of Swift's values") { connection in
        try insertNamedValues(rows.parts, on: connection)
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
private func insertByOneArray(_ parts: [MadeParts.Part], on connection: Connection) throws -> Double
{
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

/// Inserts parts row by row, as `each` does it, and returns the seconds.
private func insert(
  _ parts: [MadeParts.Part], on connection: Connection,
  _ each: (inout InsertStatement, MadeParts.Part) throws(SQLiteError) -> Void
) throws -> Double {
  var statement = try connection.prepareInsertIntoTable(describedBy: MadeParts.table)
  return try processorSeconds {
    try connection.transaction { () throws(SQLiteError) in
      for part in parts { try each(&statement, part) }
    }
  }
}

/// Inserts parts by an array of values for each.
private func insertByArray(_ parts: [MadeParts.Part], on connection: Connection) throws -> Double {
  try insert(parts, on: connection) { statement, part throws(SQLiteError) in
    try statement.insert([
      .integer(Int64(part.inventoryID)), .text(part.partNumber), .integer(Int64(part.colorID)),
      .integer(Int64(part.quantity)), .integer(part.isSpare ? 1 : 0),
      part.imageURL.map { .text($0) } ?? .null,
    ])
  }
}

/// Inserts parts by the names of the columns and values.
private func insertByName(_ parts: [MadeParts.Part], on connection: Connection) throws -> Double {
  try insert(parts, on: connection) { statement, part throws(SQLiteError) in
    try statement.insert([
      "inventory_id": .integer(Int64(part.inventoryID)), "part_num": .text(part.partNumber),
      "color_id": .integer(Int64(part.colorID)), "quantity": .integer(Int64(part.quantity)),
      "is_spare": .integer(part.isSpare ? 1 : 0),
      "img_url": part.imageURL.map { .text($0) } ?? .null,
    ])
  }
}

/// Inserts parts by what Swift has, value by value.
private func insertValues(_ parts: [MadeParts.Part], on connection: Connection) throws -> Double {
  try insert(parts, on: connection) { statement, part throws(SQLiteError) in
    try statement.insert(
      part.inventoryID, part.partNumber, part.colorID, part.quantity, part.isSpare, part.imageURL)
  }
}

/// Inserts parts by what Swift has, many at a time.
private func insertInBulk(_ parts: [MadeParts.Part], on connection: Connection) throws -> Double {
  try processorSeconds {
    try connection.bulkInsert(intoTable: MadeParts.table) { rows throws(SQLiteError) in
      for part in parts {
        try rows.append(
          part.inventoryID, part.partNumber, part.colorID, part.quantity, part.isSpare,
          part.imageURL)
      }
    }
  }
}

/// Inserts parts by a list of what Swift has.
private func insertListedValues(
  _ parts: [MadeParts.Part], on connection: Connection
) throws -> Double {
  try insert(parts, on: connection) { statement, part throws(SQLiteError) in
    try statement.insert([
      part.inventoryID, part.partNumber, part.colorID, part.quantity, part.isSpare, part.imageURL,
    ])
  }
}

/// Inserts parts by the names of the columns and what Swift has.
private func insertNamedValues(
  _ parts: [MadeParts.Part], on connection: Connection
) throws -> Double {
  try insert(parts, on: connection) { statement, part throws(SQLiteError) in
    try statement.insert([
      "inventory_id": part.inventoryID, "part_num": part.partNumber, "color_id": part.colorID,
      "quantity": part.quantity, "is_spare": part.isSpare, "img_url": part.imageURL,
    ])
  }
}
