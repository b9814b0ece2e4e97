#if PostgreSQL
  import CPostgreSQL
  package import SQLiteSwiftly

  /// Copies batches of rows into one table, in the binary format of COPY
  /// (<https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.4>).
  ///
  /// A row has the number of its fields in 16 bits and, for each field, its length in 32 bits (−1 for NULL) and its bytes:
  /// 2, 4 or 8 for an integer, 8 for a `double precision`, 1 for a `boolean`, 4 for the days of a `date`, 8 for the
  /// microseconds of a time, and those of a text, a `json` or a `bytea` unchanged. Integers are in network byte order.
  /// Neither the dates nor the times depend on the session. Nothing is allocated for a row.
  ///
  /// A copy that goes out of scope unfinished is undone. The server reports a bad row when the copy ends, since libpq reads
  /// no result before; the context of the error has the number of the row.
  package struct CopyWriter: ~Copyable {
    private let connection: PostgreSQLConnection
    private let table: TableDescription
    private let types: [ServerType]
    private var buffer = CopyBuffer()
    private var isOpen = true

    /// Begins a copy; until it is finished, the connection can run no statement.
    ///
    /// - Throws: `PostgreSQLError`, such as when the table does not exist or cannot be written to.
    package init(
      into definition: TableDefinition, on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
      table = definition.table
      types = definition.types
      self.connection = connection
      let result = try connection.result(of: definition.copy)
      guard result.status == PGRES_COPY_IN else {
        isOpen = false
        throw PostgreSQLError(.misuse, "The server does not accept rows")
      }
      connection.isCopying = true
      // The signature, the flags, and the length of the extension, which is empty.
      for byte in "PGCOPY\n\u{FF}\r\n\0".unicodeScalars { buffer.append(UInt8(byte.value)) }
      buffer.append(UInt32(0))
      buffer.append(UInt32(0))
    }

    deinit { if isOpen { _ = try? connection.endCopy(because: "the rows are incomplete") } }

    /// - Throws: `PostgreSQLError` with `misuse` for a value that does not have the type of its column or is too long,
    ///   and with `connection` if the connection is lost. After an error no row is kept, and the copy cannot continue.
    package mutating func write(_ batch: borrowing RowBatch) throws(PostgreSQLError) {
      try checkOpen()
      let columns = types.count
      precondition(batch.columns == columns || batch.rows == 0, "a batch has the table's columns")
      let values = batch.values
      let classes = batch.classes
      let text = batch.text.span
      for row in 0..<batch.rows {
        if buffer.space < 2 { try flush() }
        buffer.append(UInt16(columns))
        for column in 0..<columns {
          // The length, and the longest fixed-size value.
          if buffer.space < 12 { try flush() }
          let value = values[row * columns + column]
          let type = types[column]
          switch (classes[row * columns + column], type) {
          case (RowBatch.StorageClass.null, _): buffer.append(Int32(-1))
          case (RowBatch.StorageClass.text, .text), (RowBatch.StorageClass.text, .key),
            (RowBatch.StorageClass.text, .json), (RowBatch.StorageClass.blob, .bytea):
            let (start, count) = RowBatch.textPlace(value)
            try append(text.extracting(start..<start + count), column)
          case (RowBatch.StorageClass.text, _):
            let (start, count) = RowBatch.textPlace(value)
            let time = type.count(of: text.extracting(start..<start + count))
            try type == .date ? append(time.map(Int32.init), column) : append(time, column)
          case (RowBatch.StorageClass.integer, _): try append(value, type, column)
          case (RowBatch.StorageClass.real, .real): try append(value, column)
          default: throw wrongType(column)
          }
        }
      }
    }

    /// Appends an integer to a column of one of the types that SQLite stores as integers, or of reals.
    @inline(__always)
    private mutating func append(
      _ value: Int64, _ type: ServerType, _ column: Int
    ) throws(PostgreSQLError) {
      switch type {
      case .bigint: try append(value, column)
      case .integer: try append(Int32(exactly: value), column)
      case .smallint: try append(Int16(exactly: value), column)
      case .boolean: try append(UInt8(value == 0 ? 0 : 1), column)
      case .real: try append(Double(value).bitPattern, column)
      default: throw wrongType(column)
      }
    }

    /// Appends the bytes of a fixed-size value; nil is not a value of the type.
    @inline(__always)
    private mutating func append<Integer: FixedWidthInteger>(
      _ value: Integer?, _ column: Int
    ) throws(PostgreSQLError) {
      guard let value else { throw wrongType(column) }
      buffer.append(Int32(MemoryLayout<Integer>.size))
      buffer.append(value)
    }

    /// Appends bytes, which may exceed the buffer.
    @inline(__always)
    private mutating func append(_ bytes: Span<UInt8>, _ column: Int) throws(PostgreSQLError) {
      guard let count = Int32(exactly: bytes.count) else {
        throw misuse("A value of \(name(column)) has \(bytes.count) bytes; the maximum is 1 GB")
      }
      buffer.append(count)
      guard bytes.count > buffer.space else { return buffer.append(bytes) }
      var rest = bytes
      while !rest.isEmpty {
        if buffer.space == 0 { try flush() }
        let piece = min(buffer.space, rest.count)
        buffer.append(rest.extracting(first: piece))
        rest = rest.extracting(droppingFirst: piece)
      }
    }

    private mutating func wrongType(_ column: Int) -> PostgreSQLError {
      misuse("A value does not have the type of \(name(column))")
    }

    /// Abandons the copy in the middle of a row; returns the error to throw.
    private mutating func misuse(_ text: String) -> PostgreSQLError {
      _ = try? end(because: text)
      return PostgreSQLError(.misuse, text)
    }

    private func checkOpen() throws(PostgreSQLError) {
      guard isOpen else {
        throw PostgreSQLError(.misuse, "The copy has already ended, because it failed")
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
      // The server may have sent more, such as the reason for closing the connection.
      try end(because: "the rows cannot be sent")
      throw failure
    }

    /// Returns the number of rows copied; after an error, such as for a row that violates a constraint, no row is kept.
    package consuming func end() throws(PostgreSQLError) -> Int {
      try checkOpen()
      if buffer.space < 2 { try flush() }
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

  /// Bytes of a COPY to send, in memory that is allocated once.
  @safe struct CopyBuffer: ~Copyable {
    /// libpq copies the bytes into its own buffer before sending, so this only saves calls.
    static let capacity = 256 << 10

    private let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    private(set) var count = 0

    deinit { unsafe start.deallocate() }

    var space: Int { Self.capacity - count }

    @unsafe var bytes: UnsafeRawBufferPointer {
      unsafe UnsafeRawBufferPointer(start: start, count: count)
    }

    mutating func removeAll() { count = 0 }

    /// There must be space for it, as for the bytes below.
    @inline(__always)
    mutating func append<Integer: FixedWidthInteger>(_ value: Integer) {
      let size = MemoryLayout<Integer>.size
      precondition(size <= space, "an integer must fit")
      unsafe start.storeBytes(of: value.bigEndian, toByteOffset: count, as: Integer.self)
      count += size
    }

    @inline(__always)
    mutating func append(_ bytes: Span<UInt8>) {
      precondition(bytes.count <= space, "the bytes must fit")
      unsafe bytes.withUnsafeBytes { bytes in
        guard let source = bytes.baseAddress else { return }
        unsafe (start + count).copyMemory(from: source, byteCount: bytes.count)
      }
      count += bytes.count
    }
  }

  extension PostgreSQLConnection {
    func endCopy(because reason: String?) throws(PostgreSQLError) -> Int {
      isCopying = false
      let code = unsafe PQputCopyEnd(handle, reason)
      var failure = code == 1 ? nil : unsafe self.failure(nil)
      var rows = 0
      var hasServerMessage = false
      while let next = unsafe PQgetResult(handle) {
        let result = unsafe ServerResult(next)
        // If the end could not be sent for lack of memory, this result would repeat; the next statement then fails.
        guard result.status != PGRES_COPY_IN else { break }
        rows += result.changedRows
        guard result.isFailure, !hasServerMessage else { continue }
        // The message of the server matters more than that the connection is lost.
        let message = unsafe self.failure(next)
        hasServerMessage = message.message.sqlState != nil
        if hasServerMessage || failure == nil { failure = message }
      }
      if let failure { throw failure }
      return rows
    }
  }
#endif
