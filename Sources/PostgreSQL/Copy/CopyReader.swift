#if PostgreSQL
  import CPostgreSQL
  package import SQLiteSwiftly

  /// Reads the rows of a query in batches, in the binary format of COPY
  /// (<https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.4>).
  ///
  /// It is several times faster than a query whose values are texts, and keeps one row in memory besides the batch.
  package struct CopyReader: ~Copyable {
    private let connection: PostgreSQLConnection
    private let isText: [Bool]
    private var isOpen = true
    /// The position of each column's text in the current batch; rows in order often repeat it.
    private var texts: [(start: Int, count: Int)]

    private static let rows = 2048

    /// Begins to read; until the last row is read, the connection can run no statement.
    ///
    /// - Parameters:
    ///   - columns: texts, integers and booleans.
    ///   - source: the query, from the word after `FROM`.
    ///   - connection: runs the query.
    /// - Throws: `PostgreSQLError`.
    package init(
      _ columns: [ColumnDescription], from source: String, on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) {
      self.connection = connection
      isText = columns.map { $0.type == .text }
      texts = isText.map { _ in (0, 0) }
      let values = columns.map { column in
        let name = quoted(identifier: column.name)
        return switch column.type {
        case .text: name
        case .boolean: "\(name)::int::bigint"
        default: "\(name)::bigint"
        }
      }
      let query = "SELECT \(values.joined(separator: ", ")) FROM \(source)"
      let result = try connection.result(of: "COPY (\(query)) TO STDOUT (FORMAT binary)")
      guard result.status == PGRES_COPY_OUT else {
        isOpen = false
        throw PostgreSQLError(.misuse, "The server does not send rows")
      }
      connection.isCopying = true
    }

    deinit { if isOpen { _ = try? connection.endReading() } }

    /// The next rows; nil after the last one.
    ///
    /// - Throws: `PostgreSQLError`. After an error, no more rows can be read.
    package mutating func next() throws(PostgreSQLError) -> RowBatch? {
      guard isOpen else { return nil }
      var batch = RowBatch(cells: Self.rows * isText.count, textCapacity: 0)
      batch.restart(columns: isText.count)
      texts = isText.map { _ in (0, 0) }
      while batch.rows < Self.rows {
        var message: UnsafeMutablePointer<CChar>?
        let size = unsafe PQgetCopyData(connection.handle, &message, 0)
        guard size > 0, let bytes = unsafe message else {
          isOpen = false
          try connection.endReading()
          break
        }
        defer { unsafe PQfreemem(bytes) }
        append(unsafe RawSpan(_unsafeStart: bytes, byteCount: Int(size)), to: &batch)
      }
      guard batch.rows > 0 else { return nil }
      return batch
    }

    /// Appends the row of a message: the first also has the header, and the last one has only the trailer.
    private mutating func append(_ message: RawSpan, to batch: inout RowBatch) {
      var offset = 0
      if message.number(at: 0, UInt8.self) == UInt8(ascii: "P") {
        // The signature, the flags, and an extension with its length.
        offset = 19 + Int(message.number(at: 15, UInt32.self))
      }
      guard offset < message.byteCount, message.number(at: offset, Int16.self) > 0 else { return }
      offset += 2
      for column in isText.indices {
        let size = Int(message.number(at: offset, Int32.self))
        offset += 4
        guard size >= 0 else {
          var cells = batch.nextCells(ofColumn: column)
          cells.setNull(0)
          continue
        }
        let (value, storageClass) =
          isText[column]
          ? (
            place(of: message.extracting(offset..<offset + size), column, in: &batch),
            RowBatch.StorageClass.text
          )
          : (message.number(at: offset, Int64.self), RowBatch.StorageClass.integer)
        var cells = batch.nextCells(ofColumn: column)
        cells.set(0, to: value, storageClass)
        offset += size
      }
      batch.finishRows(1)
    }

    /// The cell value for a text, which is stored once if the rows before it have the same.
    private mutating func place(
      of text: RawSpan, _ column: Int, in batch: inout RowBatch
    ) -> Int64 {
      var (start, count) = texts[column]
      let isSame =
        count == text.byteCount
        && (0..<count).allSatisfy { batch.text[start + $0] == text.number(at: $0, UInt8.self) }
      if !isSame {
        (start, count) = (batch.text.count, text.byteCount)
        for place in 0..<count { batch.text.append(text.number(at: place, UInt8.self)) }
        texts[column] = (start, count)
      }
      return RowBatch.value(ofTextAt: UInt32(start), UInt32(start + count))
    }
  }

  extension RawSpan {
    fileprivate func number<Number: FixedWidthInteger & BitwiseCopyable>(
      at offset: Int, _: Number.Type
    ) -> Number {
      Number(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }

  extension PostgreSQLConnection {
    /// Ends a COPY whose rows may not all have been read.
    fileprivate func endReading() throws(PostgreSQLError) {
      isCopying = false
      var message: UnsafeMutablePointer<CChar>?
      while unsafe PQgetCopyData(handle, &message, 0) > 0 { unsafe PQfreemem(message) }
      _ = try answer(1)
    }
  }
#endif
