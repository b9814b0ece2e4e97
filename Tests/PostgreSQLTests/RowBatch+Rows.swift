#if PostgreSQL
  import SQLiteSwiftly
  import Schema

  @testable import PostgreSQL

  extension RowBatch {
    /// Makes a batch of rows of all storage classes.
    static func of(_ rows: [[SQLiteValue]]) -> RowBatch {
      let columns = rows.first?.count ?? 1
      var batch = RowBatch(cells: max(rows.count, 1) * columns, textCapacity: 0)
      batch.restart(columns: columns)
      for row in rows {
        for (column, value) in row.enumerated() { batch.set(column, to: value) }
        batch.finishRows(1)
      }
      return batch
    }

    private mutating func set(_ column: Int, to value: SQLiteValue) {
      let start = UInt32(text.count)
      switch value {
      case .text(let value): text += value.utf8
      case .blob(let value): text += value
      default: break
      }
      let place = Self.value(ofTextAt: start, UInt32(text.count))
      var cells = nextCells(ofColumn: column)
      switch value {
      case .null: cells.setNull(0)
      case .integer(let value): cells.set(0, to: value, StorageClass.integer)
      case .real(let value):
        cells.set(0, to: Int64(bitPattern: value.bitPattern), StorageClass.real)
      case .text: cells.set(0, to: place, StorageClass.text)
      case .blob: cells.set(0, to: place, StorageClass.blob)
      }
    }
  }

  extension ServerTests {
    /// Creates a table in a schema of its own.
    static func create(
      _ table: TableDescription, formats: [FieldFormat]? = nil,
      on connection: PostgreSQLConnection
    ) throws -> TableDefinition {
      let definition = try TableDefinition(
        table, in: try newSchema(on: connection), formats: formats)
      try connection.execute(definition.creation())
      return definition
    }

    /// Copies rows into a table, in one batch.
    @discardableResult
    static func copy(
      _ rows: [[SQLiteValue]], into definition: TableDefinition, on connection: PostgreSQLConnection
    ) throws -> Int {
      var writer = try CopyWriter(into: definition, on: connection)
      try writer.write(RowBatch.of(rows))
      return try writer.end()
    }
  }
#endif
