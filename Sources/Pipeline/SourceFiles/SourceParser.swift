package import Vocabulary
package import CSV
import SQLiteSwiftly
import Text

/// The header of a source file: one or more rows that name the columns.
package struct Header: Sendable {
  /// Empty if the source file has no header.
  package var names: [String] = []
  /// The names, if a text of several header rows holds for the empty fields to its right, as in merged cells.
  package var mergedNames: [String] = []
  /// Its line, from 1; blank lines may come before it.
  package var line = 1
  /// Its rows, including line ends.
  package var bytes: [UInt8] = []
  /// The offset of the first byte after it in the decompressed file.
  package var end = 0
  /// The number of records in the batch that belong to the header.
  package var records = 0
}

/// Parses the records of one source file, batch by batch.
package struct SourceParser: ~Copyable {
  private let file: SourceFolder.File
  package var reader: SourceReader
  private var parser: Parser
  private var isAtEnd = false
  private var lastByte: UInt8?
  private var headerLength = 0
  /// The number of fields of the first record after the header.
  private var fieldCount = 0
  package private(set) var recordsInFields = RecordsInFields()
  private let endlessRecord: Int

  /// The most bytes of a header, whose names appear in messages, reports and the database.
  private static let headerLimit = 128 << 10

  /// A longer record fails its file: a sparse or compressed file may have terabytes without a line end.
  private static let endlessRecordLimits = 16

  package init(_ file: SourceFolder.File, recordLimit: Int) throws(IngestError) {
    self.file = file
    reader = try SourceReader(file)
    parser = Parser(
      recordLimit: recordLimit, fieldLimit: TableDescription.maximumColumns,
      dialect: file.layout.dialect,
      passedRows: file.layout.passedRows, headerRows: file.layout.headerRows)
    endlessRecord = recordLimit * Self.endlessRecordLimits
  }

  package mutating func describe(in counts: inout SourceCounts) {
    reader.describe(in: &counts)
    counts.records = max(parser.nextNumber - 1, 0)
    counts.blankBytes = parser.blankBytes
    counts.passedBytes = parser.passedBytes
    counts.headerBytes = parser.markBytes + headerLength
  }

  /// Parses more records into `batch`, whose earlier ones the caller has discarded; false at the verified end.
  package mutating func next(_ batch: inout RecordBatch) throws(IngestError) -> Bool {
    guard try parse(&batch) else { return false }
    try checkEnd(batch)
    try checkQuotes(batch)
    recordsInFields.examine(batch, fieldCount: fieldCount, file.layout.dialect)
    return true
  }

  private mutating func parse(_ batch: inout RecordBatch) throws(IngestError) -> Bool {
    if isAtEnd, batch.unparsed.isEmpty { return false }
    if !isAtEnd {
      isAtEnd = try reader.fill(&batch)
      if !batch.unparsed.isEmpty { lastByte = batch.bytes[batch.unparsed.upperBound - 1] }
    }
    try mapError(
      parser.parse(&batch, isLast: isAtEnd),
      as: { (error: CSVError) in
        switch error {
        case .unsupportedEncoding(let name):
          IngestError(
            .data, code: .file(.encodingUnsupported),
            "\(file.path): begins with the byte order mark of \(name), not with UTF-8. Convert it with "
              + "iconv -f \(name) -t UTF-8, or set encoding to \"\(name.lowercased())\" in your own description."
          )
        }
      })
    return true
  }

  private func checkEnd(_ batch: borrowing RecordBatch) throws(IngestError) {
    let length = max(batch.records.first?.length ?? 0, parser.skippedBytes)
    guard length > endlessRecord else { return }
    throw IngestError(
      .data, code: .file(.recordEndless),
      "\(file.path): line \(batch.records.first?.line ?? parser.line): a record is longer than "
        + "\(endlessRecord.grouped) bytes. A quote is missing, or the file is not CSV: check that line, and "
        + "download the file again.")
  }

  /// Throws if the file ends inside quotes, as the last record of the batch shows.
  package func checkQuotes(_ batch: borrowing RecordBatch) throws(IngestError) {
    guard let last = batch.records.last, last.faults.contains(.unterminatedQuote) else { return }
    throw IngestError(
      .data, code: .file(.unterminatedQuote),
      "\(file.path): line \(last.line): the file ends inside quotes opened in this record"
        + (file.layout.dialect.hasEscape ? ", or after an escape character," : ",")
        + " at byte \(last.faultOffset). The file is truncated, or a quote is missing: download it again."
    )
  }

  /// Reads the header into `batch`, which then begins with the last rows of the header.
  ///
  /// Faults of the header take precedence over a file that ends inside quotes: the caller checks for that with
  /// `checkQuotes`.
  package mutating func readHeader(_ batch: inout RecordBatch) throws(IngestError) -> Header {
    var header = Header()
    var rows: [[String]] = []
    repeat {
      batch.discardParsed()
      guard try parse(&batch) else {
        throw IngestError(
          .data, code: .file(.headerMissing),
          "\(file.path): line 1: no header: the file is empty. Download it again.")
      }
      // Stop reading a file without line ends at the limit.
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
    fieldCount =
      batch.records.dropFirst(header.records).first { $0.faults.isEmpty }?.fieldCount
      ?? rows.last?.count ?? 0
    recordsInFields.examine(batch, fieldCount: fieldCount, file.layout.dialect)
    header.names = names(rows)
    header.mergedNames = names(mergingCells(of: rows))
    return header
  }

  /// Passes all records to `process`, beginning with those after the header in `batch`.
  package mutating func readRecords(
    after header: Header, _ batch: inout RecordBatch,
    _ process: (Record, borrowing RecordBatch) throws(IngestError) -> Void
  ) throws(IngestError) {
    try checkQuotes(batch)
    var first = header.records
    repeat {
      for record in batch.records.dropFirst(first) { try process(record, batch) }
      first = 0
      batch.discardParsed()
    } while try next(&batch)
  }

  private func checkHeader(_ header: Record, _ batch: borrowing RecordBatch) throws(IngestError) {
    guard header.length + headerLength <= Self.headerLimit else {
      throw tooLongHeader(batch.bytes.span.extracting(header.bytes), line: header.line)
    }
    if header.faults.contains(.unterminatedQuote) { try checkQuotes(batch) }
    guard header.faults.isEmpty else {
      throw unreadableHeader(
        header.line,
        "cannot read the header (\(RecordCode(header.firstFault).rawValue) at byte \(header.faultOffset)): "
          + batch.bytes.span.extracting(header.bytes).quotedForMessage)
    }
    guard header.fieldCount <= parser.fieldLimit else {
      throw IngestError(
        .data, code: .file(.tooManyColumns),
        "\(file.path): line \(header.line): \(header.fieldCount.grouped) columns; at most "
          + "\(parser.fieldLimit.grouped) are supported. Check whether this is the right file; if so, remove "
          + "columns or split it." + MislabeledFile.hint(on: file))
    }
  }

  /// The last field of a shorter row covers the remaining columns; empty texts, and those equal to the text above, are
  /// skipped.
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

  /// The rows with the texts of merged cells in each of their fields; below another text, they end.
  private func mergingCells(of rows: [[String]]) -> [[String]] {
    var merged = rows
    for row in rows.indices.dropLast() {
      for column in rows[row].indices.dropFirst() where rows[row][column].isEmpty {
        let isBelowText = rows[..<row].contains { column < $0.count && !$0[column].isEmpty }
        if !isBelowText { merged[row][column] = merged[row][column - 1] }
      }
    }
    return merged
  }

  private func tooLongHeader(_ bytes: Span<UInt8>, line: Int) -> IngestError {
    unreadableHeader(
      line, "the header is longer than \(Self.headerLimit.grouped) bytes: \(bytes.quotedForMessage)"
    )
  }

  private func unreadableHeader(_ line: Int, _ fault: String) -> IngestError {
    IngestError(
      .data, code: .file(.headerMissing),
      "\(file.path): line \(line): \(fault). \(file.layout.headerAdvice)"
        + MislabeledFile.hint(on: file))
  }

  /// The warnings about a file that was read to its end.
  package var warnings: [Warning] {
    var warnings: [Warning] = []
    let name = file.name
    func warn(_ code: WarningCode, _ message: String, facts: String = "") {
      warnings.append(Warning(file: name, code: code, message, facts: facts))
    }
    if parser.blankLines > 0 {
      warn(
        .blankLine,
        "\(parser.blankLines.of("blank line")) skipped, the first at line \(parser.firstBlankLine)",
        facts: "\(parser.blankLines)")
    }
    if parser.lineFeeds > 0, parser.carriageReturnLineFeeds > 0 {
      warn(
        .mixedLineEnds,
        "mixed line ends: LF in \(parser.lineFeeds.of("record")), CRLF in "
          + parser.carriageReturnLineFeeds.grouped)
    }
    if recordsInFields.lines > 0 {
      warn(
        .recordsInField,
        "line \(recordsInFields.firstLine.grouped): \(recordsInFields.lines.of("line")) in fields "
          + "\(recordsInFields.lines == 1 ? "looks" : "look") like records: a closing quote may be missing. Check "
          + "the record",
        facts: "\(recordsInFields.lines)")
    }
    if let lastByte, !file.layout.dialect.endsLine(lastByte) {
      warn(
        .noFinalNewline,
        "the last record has no line end: the file may have been cut"
          + (file.format == .plain ? "" : " before it was compressed"))
    }
    return warnings
  }
}

extension RecordBatch {
  /// Creates a batch for a file whose records are read one by one.
  package init() {
    self.init(capacity: Tuning.batchBytes, records: Tuning.batchRecords, fields: Tuning.batchFields)
  }

  package func place(_ column: Int, of record: Record) -> Range<Int> {
    let field = fields[record.firstField + column]
    return Int(field.start)..<Int(field.end)
  }

  /// The fields of a record without faults.
  package func texts(of record: Record) -> [String] {
    fields[record.firstField..<record.firstField + record.fieldCount].map { field in
      String(decoding: bytes[Int(field.start)..<Int(field.end)], as: UTF8.self)
    }
  }
}

extension Record {
  /// Whether it is valid CSV with as many fields as the header.
  package func isSound(fieldCount: Int) -> Bool { faults.isEmpty && self.fieldCount == fieldCount }
}

extension RecordCode {
  package init(_ fault: Record.Faults) {
    switch fault {
    case .tooLong: self = .recordTooLong
    case .strayQuote: self = .strayQuote
    case .textAfterQuote: self = .textAfterQuote
    case .bareCarriageReturn: self = .bareCarriageReturn
    case .nulByte: self = .nulByte
    case .ambiguousEscape: self = .ambiguousEscape
    default: self = .invalidUTF8
    }
  }
}
