import SQLiteSwiftly

extension RandomSession {
  /// Reads a table in one of the ways that a connection has for it.
  func read() throws {
    guard let name = pick(Self.tableNames) else { return }
    let table = model.tables[name]
    let from = Int64.random(in: 1...20, using: &random)
    let rows = table?.rows(from: from) ?? []
    let sql: SQL = "SELECT * FROM \(identifier: name) WHERE id >= \(from) ORDER BY id"
    let prediction = Prediction.first(
      model.preparation(isRight: table != nil), model.beginning, model.access(writes: false))
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      let found = try call("query \(name)", prediction) { try connection.query(sql) }
      if case .success(let found) = found { try expect(found, rows, "rows") }
    case 1:
      let found = try call("value of \(name)", prediction) { try connection.value(of: sql) }
      if case .success(let found) = found { try expect(found, rows.first?[0], "value") }
    case 2:
      let found = try call("query as integers", prediction) {
        // Only the first column is of integers in each row.
        try connection.query(sql, as: Int64.self, decoding: .lenient)
      }
      if case .success(let found) = found {
        try expect(found.map { .integer($0) }, rows.map { $0[0] }, "integers")
      }
    case 3: try readAllRows(name, prediction)
    default: try readUntilError(sql, rows, prediction)
    }
  }

  private func readAllRows(_ name: String, _ prediction: Prediction) throws {
    let shape = TableShape(countIsNumber: happens(onceIn: 4), hasMore: happens(onceIn: 4))
    let fits = model.tables[name]?.shape == shape
    let result = try call(
      "readAllRows \(name) \(shape.columns)",
      .first(prediction, fits ? .success : .failure(Code.misuse))
    ) { try connection.readAllRows(fromTable: shape.description(name)) }
    guard case .success(let rows) = result else { return }
    let values = rows.map { row in shape.columns.map { row[$0] ?? .null } }
    try expect(values, model.tables[name]?.rows(from: .min) ?? [], "rows")
  }

  /// Leaves a query by an error of the closure's own.
  private func readUntilError(
    _ sql: SQL, _ rows: [[SQLiteValue]], _ prediction: Prediction
  ) throws {
    var found: [[SQLiteValue]] = []
    let isLeft = prediction.failures.isEmpty && rows.count > 2
    let code = sampleError.extendedCode
    let left = Prediction(failures: isLeft ? [code] : [])
    _ = try call("forEachRow", .first(prediction, left)) {
      try connection.forEachRow(of: sql) { row throws(SQLiteError) in
        found.append(try row.values)
        if found.count > 2 { throw sampleError }
      }
    }
    guard prediction.failures.isEmpty else { return }
    try expect(found, Array(rows.prefix(3)), "rows until the error")
  }
}

extension RandomSession {
  /// Reads a table through a cursor, and makes other calls between its rows.
  func readThroughCursor() throws {
    let isReader: (KeptStatement) -> Bool = { $0.isQuery && $0.statement != nil }
    var kept = pick(keptStatements.filter(isReader))
    if kept == nil { kept = try prepare(happens(onceIn: 2) ? .select : .scan) }
    guard let kept, var statement = kept.statement.take() else { return }
    try read(through: &statement, kept)
    kept.statement = consume statement
  }

  private func read(through statement: inout PreparedStatement, _ kept: KeptStatement) throws {
    let from = Int64.random(in: 1...20, using: &random)
    var prediction = Prediction.first(
      model.beginning,
      isRight(kept.kind, kept.table, kept.countName)
        ? .success : model.preparation(isRight: false), model.access(writes: false))
    let rows = model.tables[kept.table]?.rows(from: from) ?? []
    let changeCount = model.changeCount
    var found: [[SQLiteValue]] = []
    var isOpen = false
    defer { if isOpen { model.openCursors -= 1 } }
    var cursor = statement.rows([.integer(from)])
    while true {
      let hasChanged = changeCount != model.changeCount
      // Only a result that was sorted first stays as it was when the table is changed.
      let isCertain = kept.kind == .select || !hasChanged
      if !isCertain { prediction = Prediction(failures: [Code.abortRollback], maySucceed: true) }
      let result = try step(&cursor, "next row of \(kept.table) from \(from)", prediction)
      prediction = .success
      guard case .success(let row?) = result else {
        if isCertain, case .success = result { try expect(found, rows, "rows of a cursor") }
        break
      }
      if !isOpen { model.openCursors += 1 }
      isOpen = true
      found.append(row)
      if isCertain { try expect(found, Array(rows.prefix(found.count)), "first rows of a cursor") }
      if happens(onceIn: 6) { return }
      if happens(onceIn: 3) { try makeInnerCalls() }
    }
    if isOpen { model.openCursors -= 1 }
    isOpen = false
    if case .success(_?) = try step(&cursor, "row after the last", .success) {
      throw diverges("there is a row after the last")
    }
  }

  private func step(
    _ cursor: inout Cursor, _ name: String, _ prediction: Prediction
  ) throws -> Result<[SQLiteValue]?, SQLiteError> {
    try call(name, prediction) { () throws(SQLiteError) in
      guard let row = try cursor.next() else { return nil }
      return try row.values
    }
  }
}
