package import Facts
package import CSV
package import Files
import SQLiteSwiftly

/// The first record of a dump, or the first ones, which name the columns.
package struct Header {
  /// The names, in their order; they are UTF-8, and none if the dump has no header.
  package var names: [String] = []
  /// The line, from 1, that it is on; blank lines may come before it.
  package var line = 1
  /// The bytes of its records, the line ends included.
  package var bytes: [UInt8] = []
  /// Offset in the decompressed file of the first byte after it.
  package var end = 0
  /// The records of the batch that are of the header, and so are no data.
  package var records = 0
}

/// The records of one dump, batch after batch.
package struct SourceParser: ~Copyable {
  private let file: SourceFolder.File
  private var reader: SourceReader
  private var parser: Parser
  private var isAtEnd = false
  /// The last byte that was read; nil before the first.
  private var lastByte: UInt8?
  private var headerLength = 0
  /// The bytes of a record after which the search for its end is given up.
  private let endlessRecord: Int

  /// The most bytes of a header, whose names go into messages, reports and the catalog.
  private static let headerLimit = 128 << 10

  /// A record longer than this many times the limit ends its file: a file with holes, or a
  /// compressed one, may have terabytes without a line end.
  private static let endlessRecordLimits = 16

  package init(_ file: SourceFolder.File, recordLimit: Int) throws(IngestError) {
    self.file = file
    reader = try SourceReader(file)
    parser = Parser(
      recordLimit: recordLimit, fieldLimit: TableDescription.mostColumns,
      dialect: file.layout.dialect,
      passedRows: file.layout.passedRows, headerRows: file.layout.headerRows)
    endlessRecord = recordLimit * Self.endlessRecordLimits
  }

  /// How far the file is read, in bytes as they are stored.
  package var position: Int { mutating get { reader.position } }

  package var identity: FileIdentity? { reader.identity }

  package mutating func check(_ identity: FileIdentity?) throws(IngestError) {
    try reader.check(identity)
  }

  package var state: SourceReader.State { reader.state }

  /// Reads the rest of a file whose records are no longer needed, to verify those that were read
  /// before.
  package mutating func verify(limit: Int) throws(IngestError) { try reader.verify(limit: limit) }

  package mutating func describe(in account: inout SourceCounts) {
    reader.describe(in: &account)
    account.records = max(parser.nextNumber - 1, 0)
    account.blankBytes = parser.blankBytes
    account.passedBytes = parser.passedBytes
    account.headerBytes = parser.markBytes + headerLength
  }

  /// Reads on into `batch`, whose earlier records the caller has discarded; false at the verified end.
  package mutating func next(_ batch: inout RecordBatch) throws(IngestError) -> Bool {
    guard try parse(&batch) else { return false }
    try checkEnd(batch)
    try checkQuotes(batch)
    return true
  }

  private mutating func parse(_ batch: inout RecordBatch) throws(IngestError) -> Bool {
    if isAtEnd, batch.unparsed.isEmpty { return false }
    if !isAtEnd {
      isAtEnd = try reader.fill(&batch)
      if !batch.unparsed.isEmpty { lastByte = batch.bytes[batch.unparsed.upperBound - 1] }
    }
    do throws(CSVError) {
      try parser.parse(&batch, isLast: isAtEnd)
    } catch {
      switch error {
      case .unsupportedEncoding(let name):
        throw IngestError(
          .data, code: .encodingUnsupported,
          "\(file.path): begins with the byte order mark of \(name); only UTF-8 is read. "
            + "Convert the file, or download it again.")
      }
    }
    return true
  }

  /// Throws if there is a record without an end in sight; it would be the first of the batch.
  private func checkEnd(_ batch: borrowing RecordBatch) throws(IngestError) {
    let length = max(batch.records.first?.length ?? 0, parser.skippedBytes)
    guard length > endlessRecord else { return }
    throw IngestError(
      .data, code: .recordEndless,
      "\(file.path): line \(batch.records.first?.line ?? parser.line): a record has more than "
        + "\(endlessRecord.grouped) bytes. A quote is missing, or the file is no dump: look at that line, and "
        + "download the file again.")
  }

  /// Throws if the file ends inside quotes, which the last record of the batch shows.
  package func checkQuotes(_ batch: borrowing RecordBatch) throws(IngestError) {
    guard let last = batch.records.last, last.faults.contains(.unterminatedQuote) else { return }
    let place =
      file.layout.dialect.hasEscape
      ? "inside quotes that open in this record, or after an escape character,"
      : "inside quotes that open in this record,"
    throw IngestError(
      .data, code: .unterminatedQuote,
      "\(file.path): line \(last.line): the file ends \(place) "
        + "at byte \(last.faultOffset). The file is cut short, or a quote is missing: download "
        + "it again.")
  }

  /// Reads the header into `batch`, whose first records are then the last ones of it.
  ///
  /// Whether the file ends inside quotes in the same batch is left to `checkQuotes`, for whatever is wrong
  /// with the header comes first.
  package mutating func readHeader(_ batch: inout RecordBatch) throws(IngestError) -> Header {
    var header = Header()
    var rows: [[String]] = []
    repeat {
      batch.discardParsed()
      guard try parse(&batch) else {
        throw IngestError(
          .data, code: .headerMissing,
          "\(file.path): line 1: there is no header, the file is empty. Download it again.")
      }
      // A file without line ends is read only as far as it takes to see that.
      let isSought = batch.records.isEmpty && file.layout.headerRows > 0
      guard !isSought || batch.unparsed.count <= Self.headerLimit else {
        throw tooLongHeader(batch.bytes.span.extracting(batch.unparsed), line: parser.line)
      }
      header.records = min(file.layout.headerRows - rows.count, batch.records.count)
      for record in batch.records.prefix(header.records) {
        try checkHeader(record, batch)
        if rows.isEmpty { header.line = record.line }
        rows.append(batch.texts(of: record))
        header.bytes += batch.bytes[record.bytes]
        header.end = record.offset + record.length
        headerLength += record.length
      }
    } while rows.count < file.layout.headerRows
    header.names = names(rows)
    return header
  }

  /// Reads all records after the header that was read into `batch`.
  package mutating func readRecords(
    after header: Header, _ batch: inout RecordBatch,
    _ take: (Record, borrowing RecordBatch) throws(IngestError) -> Void
  ) throws(IngestError) {
    try checkQuotes(batch)
    var first = header.records
    repeat {
      for record in batch.records.dropFirst(first) { try take(record, batch) }
      first = 0
      batch.discardParsed()
    } while try next(&batch)
  }

  private func checkHeader(
    _ header: Record, _ batch: borrowing RecordBatch
  ) throws(IngestError) {
    guard header.length + headerLength <= Self.headerLimit else {
      throw tooLongHeader(batch.bytes.span.extracting(header.bytes), line: header.line)
    }
    if header.faults.contains(.unterminatedQuote) { try checkQuotes(batch) }
    guard header.faults.isEmpty else {
      let code = RecordCode(header.firstFault).rawValue
      let text = batch.bytes.span.extracting(header.bytes).quotedForMessage
      throw IngestError(
        .data, code: .headerMissing,
        "\(file.path): line \(header.line): the header cannot be read (\(code) at byte "
          + "\(header.faultOffset)): \(text). \(file.layout.headerAdvice)"
          + MislabeledFile.hint(on: file))
    }
    guard header.fieldCount <= parser.fieldLimit else {
      throw IngestError(
        .data, code: .tooManyColumns,
        "\(file.path): line \(header.line): \(header.fieldCount.grouped) columns where at most "
          + "\(parser.fieldLimit.grouped) are read. Check whether the file is a dump at all; if it is, leave "
          + "out columns, or split it."
          + MislabeledFile.hint(on: file))
    }
  }

  /// The names of the columns, from all rows of the header.
  ///
  /// A row with fewer fields goes on with its last one, and a text that is the same as that above it, or empty, is not
  /// repeated.
  private func names(_ rows: [[String]]) -> [String] {
    guard rows.count > 1 else { return rows.first ?? [] }
    let count = rows.map(\.count).max() ?? 0
    return (0..<count).map { column in
      var parts: [String] = []
      for row in rows {
        let text = column < row.count ? row[column] : row[row.count - 1]
        if !text.isEmpty, parts.last.map({ !haveSameBytes($0, text) }) ?? true {
          parts.append(text)
        }
      }
      return parts.joined(separator: file.layout.headerJoin)
    }
  }

  private func tooLongHeader(_ bytes: Span<UInt8>, line: Int) -> IngestError {
    IngestError(
      .data, code: .headerMissing,
      "\(file.path): line \(line): the header has more than \(Self.headerLimit.grouped) bytes: "
        + "\(bytes.quotedForMessage). \(file.layout.headerAdvice)" + MislabeledFile.hint(on: file))
  }

  /// What the whole file, read to its end, was like.
  package var warnings: [Warning] {
    var warnings: [Warning] = []
    if parser.blankLines > 0 {
      warnings.append(
        Warning(
          file: file.name, code: .blankLine,
          "\(parser.blankLines.of("blank line")) passed over, the first of them line "
            + "\(parser.firstBlankLine)", facts: "\(parser.blankLines)"))
    }
    if parser.lineFeeds > 0, parser.carriageReturnLineFeeds > 0 {
      warnings.append(
        Warning(
          file: file.name, code: .mixedLineEnds,
          "LF ends \(parser.lineFeeds.of("record")), and CRLF \(parser.carriageReturnLineFeeds.grouped)",
          facts: ""))
    }
    if let lastByte, !file.layout.dialect.endsLine(lastByte) {
      warnings.append(
        Warning(
          file: file.name, code: .noFinalNewline,
          "the last record has no line end: the file may have been cut before it was compressed",
          facts: ""))
    }
    return warnings
  }
}

extension RecordBatch {
  /// Makes a batch for a file whose records are read one by one.
  package init() {
    self.init(
      capacity: Tuning.batchBytes, records: Tuning.batchRecords, fields: Tuning.batchFields)
  }

  /// The fields of a record that has no fault.
  package func texts(of record: Record) -> [String] {
    fields[record.firstField..<record.firstField + record.fieldCount].map { field in
      String(decoding: bytes[Int(field.start)..<Int(field.end)], as: UTF8.self)
    }
  }
}
