#if PostgreSQL
  import CPostgreSQL
  package import SQLiteSwiftly

  /// Copies batches of rows into one table, in the binary format of COPY
  /// (<https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.4>).
  ///
  /// A row is the number of its fields in 16 bits, and for each field the number of its bytes in 32 bits, −1 for NULL,
  /// and the bytes: 8 of a `bigint` or a `double precision`, 1 of a `boolean`, those of a text or a `bytea` as
  /// they are. Integers are in network byte order. Nothing is allocated for a row.
  ///
  /// What goes out of scope unfinished is undone. The server says what is wrong with a row when the copy ends, since
  /// libpq looks at no answer before; the context of the error has the number of the row.
  package struct CopyWriter: ~Copyable {
    /// How the cells of a column are written.
    private enum Encoding { case integer, boolean, real, bytes }

    private let connection: PostgreSQLConnection
    private let table: TableDescription
    private let encodings: [Encoding]
    private var buffer = CopyBuffer()
    private var isOpen = true

    /// Begins to copy into a table, all of whose columns are in each row in the order of its description.
    ///
    /// Until it is finished, the connection can do nothing else.
    ///
    /// - Throws: `PostgreSQLError`, as when there is no such table or it may not be written to.
    package init(
      into definition: TableDefinition, on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
      table = definition.table
      encodings = table.columns.map { column in
        switch column.type {
        case .integer: .integer
        case .boolean: .boolean
        case .real: .real
        case .text, .blob: .bytes
        }
      }
      self.connection = connection
      let result = try connection.result(of: definition.copy)
      guard result.status == PGRES_COPY_IN else {
        isOpen = false
        throw PostgreSQLError(.misuse, "The server does not take rows")
      }
      connection.isCopying = true
      // The signature, flags, and the length of an extension, of which there is none.
      for byte in "PGCOPY\n\u{FF}\r\n\0".unicodeScalars { buffer.append(UInt8(byte.value)) }
      buffer.append(UInt32(0))
      buffer.append(UInt32(0))
    }

    deinit { if isOpen { _ = try? connection.endCopy(because: "the rows are not complete") } }

    /// Copies the rows of a batch.
    ///
    /// - Throws: `PostgreSQLError` with `misuse` for a value that is not one of its column's type, or is longer than
    ///   any can be, and with `connection` if the connection is lost. After an error no row is there, and the copy
    ///   cannot go on.
    package mutating func write(_ batch: borrowing RowBatch) throws(PostgreSQLError) {
      try checkOpen()
      let columns = encodings.count
      precondition(batch.columns == columns || batch.rows == 0, "a batch has the table's columns")
      let values = batch.values
      let classes = batch.classes
      let text = batch.text.span
      for row in 0..<batch.rows {
        if buffer.room < 2 { try flush() }
        buffer.append(UInt16(columns))
        for column in 0..<columns {
          // The length, and what has one of its own.
          if buffer.room < 12 { try flush() }
          let value = values[row * columns + column]
          switch (classes[row * columns + column], encodings[column]) {
          case (RowBatch.StorageClass.null, _):
            buffer.append(Int32(-1))
          case (RowBatch.StorageClass.text, .bytes), (RowBatch.StorageClass.blob, .bytes):
            let (start, count) = RowBatch.textPlace(value)
            try append(text.extracting(start..<start + count), column)
          case (RowBatch.StorageClass.integer, .integer):
            append(value)
          case (RowBatch.StorageClass.integer, .boolean):
            buffer.append(Int32(1))
            buffer.append(UInt8(value == 0 ? 0 : 1))
          case (RowBatch.StorageClass.real, .real):
            append(value)
          case (RowBatch.StorageClass.integer, .real):
            append(Int64(bitPattern: Double(value).bitPattern))
          default:
            throw misuse("A value is not of the type of \(name(column))")
          }
        }
      }
    }

    @inline(__always)
    private mutating func append(_ value: Int64) {
      buffer.append(Int32(8))
      buffer.append(value)
    }

    /// Appends bytes, which may be more than fit into the buffer.
    @inline(__always)
    private mutating func append(_ bytes: Span<UInt8>, _ column: Int) throws(PostgreSQLError) {
      guard let count = Int32(exactly: bytes.count) else {
        throw misuse("A value of \(name(column)) has \(bytes.count) bytes, and at most 1 GB can be")
      }
      buffer.append(count)
      guard bytes.count > buffer.room else { return buffer.append(bytes) }
      var rest = bytes
      while !rest.isEmpty {
        if buffer.room == 0 { try flush() }
        let piece = min(buffer.room, rest.count)
        buffer.append(rest.extracting(first: piece))
        rest = rest.extracting(droppingFirst: piece)
      }
    }

    /// Gives up the copy in the middle of a row; why, as an error.
    private mutating func misuse(_ text: String) -> PostgreSQLError {
      _ = try? end(because: text)
      return PostgreSQLError(.misuse, text)
    }

    private func checkOpen() throws(PostgreSQLError) {
      guard isOpen else {
        throw PostgreSQLError(.misuse, "The copy has ended already, because it failed")
      }
    }

    private func name(_ column: Int) -> String {
      "the column \(table.columns[column].name) of \(table.name)"
    }

    private mutating func flush() throws(PostgreSQLError) {
      let code = unsafe PQputCopyData(
        connection.handle, buffer.bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        Int32(buffer.count))
      buffer.removeAll()
      guard code != 1 else { return }
      let failure = unsafe connection.failure(nil)
      // The server may have said more, such as why it ended the connection.
      try end(because: "the rows cannot be sent")
      throw failure
    }

    /// - Returns: The rows that the server has taken.
    /// - Throws: `PostgreSQLError`, as for a row that breaks a constraint; then no row is there.
    package consuming func finish() throws(PostgreSQLError) -> Int {
      try checkOpen()
      if buffer.room < 2 { try flush() }
      // The trailer.
      buffer.append(Int16(-1))
      try flush()
      return try end(because: nil)
    }

    @discardableResult
    private mutating func end(because reason: String?) throws(PostgreSQLError) -> Int {
      isOpen = false
      return try connection.endCopy(because: reason)
    }
  }
#endif
