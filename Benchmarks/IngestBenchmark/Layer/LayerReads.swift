import SQLiteSwiftly

/// The part of the reference's rate that reading must reach.
private let bar = 0.83

/// A cursor over rows of ten integers.
func compareReadsOfIntegers(rows count: Int, on store: Store) throws -> LayerWork {
  let rows = IntegerRows(count: count)
  let database = try store.makeReference(IntegerRows.creation)
  try database.prepare(IntegerRows.insertion)
  try database.insert(rows.values, columns: IntegerRows.columns)
  try database.prepare(IntegerRows.selection)
  let connection = try store.makeConnection(IntegerRows.creation)
  _ = try insert(rows.made(), into: IntegerRows.table, on: connection)
  return LayerWork(
    name: "reads of integers, \(store.name)", expected: rows.expected,
    reference: Side(name: "C loop") {
      var sums = Sums()
      let time = try processorSeconds {
        sums = try database.readIntegers(columns: IntegerRows.columns)
      }
      return LayerWork.Sample(seconds: time, sums: sums)
    },
    contenders: [
      LayerWork.Contender(
        side: Side(name: "cursor") {
          var statement = try connection.prepare(IntegerRows.selection)
          var sums = Sums()
          let time = try processorSeconds {
            var cursor = statement.rows()
            while let row = try cursor.next() {
              sums.rows += 1
              for column in 0..<IntegerRows.columns {
                sums.integers += try row.integer(at: column) ?? 0
              }
            }
          }
          return LayerWork.Sample(seconds: time, sums: sums)
        }, bar: bar)
    ])
}

/// A cursor over rows in the shape of `inventory_parts`, whose texts are looked at where they are.
func compareReadsOfParts(rows count: Int, on store: Store) throws -> LayerWork {
  let rows = MadeParts(count: count)
  let (database, connection) = try rows.stored(in: store)
  return LayerWork(
    name: "reads of parts, \(store.name)", expected: rows.expected,
    reference: Side(name: "C loop") {
      var sums = Sums()
      let time = try processorSeconds { sums = try database.readParts() }
      return LayerWork.Sample(seconds: time, sums: sums)
    },
    contenders: [
      LayerWork.Contender(
        side: Side(name: "cursor") {
          var statement = try connection.prepare(MadeParts.selection)
          var sums = Sums()
          let time = try processorSeconds {
            var cursor = statement.rows()
            while let row = try cursor.next() {
              sums.rows += 1
              sums.integers += try row.integer(at: 0) ?? 0
              sums.textBytes += try row.withBytes(at: 1) { Int64($0.count) } ?? 0
              sums.integers += try row.integer(at: 2) ?? 0
              sums.integers += try row.integer(at: 3) ?? 0
              sums.integers += try row.integer(at: 4) ?? 0
              sums.textBytes += try row.withBytes(at: 5) { Int64($0.count) } ?? 0
            }
          }
          return LayerWork.Sample(seconds: time, sums: sums)
        }, bar: bar)
    ])
}
