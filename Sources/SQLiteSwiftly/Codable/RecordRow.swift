/// The values of a row of a result or of a described table, read like those of a `QueryDecodable`.
enum RecordRow {
  case result(CurrentRow, DecodingMode)
  case table(TableRow)

  @inline(__always)
  func decode<Value: QueryDecodable>(
    _ type: Value.Type, at column: Int
  ) throws(SQLiteError) -> Value {
    switch self {
    case .result(let row, let mode):
      var decoder = SQLiteQueryDecoder(row, mode, column: column)
      return try Value(decoder: &decoder)
    case .table(let row): return try row.value(row.name(at: column))
    }
  }

  @inline(__always)
  func decodeIfPresent<Value: QueryDecodableValue>(
    _ type: Value.Type, at column: Int
  ) throws(SQLiteError) -> Value? { try decode(Value?.self, at: column) }

  /// Decodes a column as any other type: by its own conformance, or else by its `init(from:)`, from JSON if that
  /// needs a container.
  func decode<Value: Decodable>(
    any type: Value.Type, at column: Int, _ key: (any CodingKey)?
  ) throws(SQLiteError) -> Value {
    // The conformance of a date does not read the real that it encodes itself as.
    if storageClass(at: column) != .real || !isDate(type),
      let type = type as? any QueryDecodableValue.Type,
      let value = try decode(type, at: column) as? Value
    {
      return value
    }
    let decoder = RecordDecoder(self, column: column, key, isDate: isDate(type))
    do { return try Value(from: decoder) } catch {
      if decoder.needsContainer, let json = NestedValues.json {
        let text = try decode(String.self, at: column)
        do { return try json.value(type, from: text) } catch {
          throw failure(at: column, SQLiteError(coding: error, of: type).message)
        }
      }
      if let error = error as? SQLiteError { throw error }
      guard error is DecodingError else {
        throw SQLiteError(coding: error, of: type, at: key.map { [$0] } ?? [], sql: sql)
      }
      // Its description may contain the value.
      let isEnumeration = type is any RawRepresentable.Type
      throw failure(at: column, "expected a \(isEnumeration ? "case of" : "valid") \(type)")
    }
  }

  /// The number that a date decodes itself from: a real as it is, and text as a date.
  func secondsSince2001(at column: Int) throws(SQLiteError) -> Double {
    guard storageClass(at: column) == .text else { return try decode(Double.self, at: column) }
    guard let seconds = TimeValue.secondsSince2001(try decode(String.self, at: column)) else {
      throw failure(at: column, "expected \(TimeValue.phrase)")
    }
    return seconds
  }

  func isNull(at column: Int) -> Bool { storageClass(at: column) == .null }

  func refusal(of path: [any CodingKey]) -> SQLiteError {
    .container(path.map(\.stringValue).joined(separator: "."), "QueryDecodableValue", sql: sql)
  }
}

extension RecordRow {
  var columnCount: Int {
    switch self {
    case .result(let row, _): row.columnCount
    case .table(let row): row.values.count
    }
  }

  var sql: String? { if case .result(let row, _) = self { row.sql } else { nil } }

  func name(at column: Int) -> String {
    switch self {
    case .result(let row, _): (try? row.name(at: column)) ?? ""
    case .table(let row): row.name(at: column)
    }
  }

  /// The only column of that name; nil if there is none or more than one.
  @inline(__always)
  func column(_ name: String) throws(SQLiteError) -> Int? {
    switch self {
    case .result(let row, _): try row.column(name)
    case .table(let row): row.index(of: name)
    }
  }

  func lackOfColumn(_ name: String) -> SQLiteError {
    switch self {
    case .result(let row, _): row.columnNameError(name)
    case .table(let row): row.lackOfColumn(name)
    }
  }

  func storageClass(at column: Int) -> StorageClass? {
    switch self {
    case .result(let row, _): try? row.storageClass(at: column)
    case .table(let row): row.values[column].storageClass
    }
  }

  func failure(at column: Int, _ message: String) -> SQLiteError {
    switch self {
    case .result(let row, _): row.failure(.mismatch, at: column, message)
    case .table(let row):
      SQLiteError(.mismatch, "column \(row.name(at: column)): \(message)", sql: nil)
    }
  }
}
