import CSV
import SQLiteSwiftly

extension RecordCode {
  /// The code of the first fault that the CSV parser found in a record.
  init(firstFaultOf record: Record) {
    switch record.firstFault {
    case .tooLong: self = .recordTooLong
    case .strayQuote: self = .strayQuote
    case .textAfterQuote: self = .textAfterQuote
    case .bareCarriageReturn: self = .bareCarriageReturn
    case .nulByte: self = .nulByte
    default: self = .invalidUTF8
    }
  }
}

/// Writes down why records of one table are rejected.
struct RejectionReason {
  let schema: SchemaDescription
  let table: TableDescription
  let fileName: String
  let header: HeaderMatch
  let recordLimit: Int

  /// Describes a rejected record.
  func rejection(
    _ fault: TableValidator.Fault, _ record: Record, in batch: borrowing RecordBatch
  ) -> Rejection {
    let column = fault.column < 0 ? nil : table.columns[fault.column]
    let lastLine = record.line + record.innerLineFeeds
    let value = value(fault, record, batch).quotedForMessage
    let reason = Rejection.Reason(
      code: fault.code, column: column?.name, value: value,
      message: reason(fault, record, column, batch))
    return Rejection(
      table: table.name, file: fileName, record: record.number, lines: record.line...lastLine,
      offset: record.offset, length: record.length, extentIsCertain: record.extentIsCertain,
      reasons: [reason])
  }

  private func reason(
    _ fault: TableValidator.Fault, _ record: Record, _ column: ColumnDescription?,
    _ batch: borrowing RecordBatch
  ) -> String {
    let bytes = batch.bytes.span
    let found = value(fault, record, batch).quotedForMessage
    let line = bytes.extracting(record.bytes).withoutLineEnd.quotedForMessage
    let place = "at byte \(record.faultOffset)"
    switch fault.code {
    case .wrongFieldCount:
      return "\(record.fieldCount) fields where the header has \(header.names.count): \(line)"
    case .strayQuote:
      return "a quote \(place) inside a field that does not begin with one; a field with quotes "
        + "must stand in quotes, and those inside be doubled: \(line)"
    case .textAfterQuote:
      return "text \(place) behind a closing quote, where a comma or the line's end was expected; "
        + "a quote inside a field must be doubled: \(line)"
    case .bareCarriageReturn:
      return "a carriage return \(place) without a line feed: it may be data or the end of the "
        + "record: \(line)"
    case .nulByte: return "a NUL byte \(place), which text never holds: \(line)"
    case .invalidUTF8: return "bytes \(place) that are not UTF-8: \(line)"
    case .recordTooLong:
      return "\(record.length) bytes where at most \(recordLimit) are read: a quote may be missing "
        + "far behind the record's beginning"
    case .missingValue: return "nothing where a value is required"
    case .notAnInteger: return "\(found) is not an integer in plain decimal digits"
    case .integerOutOfRange: return "\(found) does not fit into 64 bits with a sign"
    case .notABoolean: return "\(found) is not a boolean: expected True, False, t or f"
    case .notAllowed: return "\(found) is not allowed: expected \(column?.expectation ?? "")"
    case .wrongFormat: return "\(found) has the wrong format: expected \(column?.expectation ?? "")"
    case .duplicateKey:
      return "a record before this one has the same \(key(of: column)): \(line)"
    case .missingParent:
      return "\(found) is not in \(parents(of: column)), or its record was rejected"
    }
  }

  /// The bytes of the field that is to blame.
  @_lifetime(borrow batch)
  private func value(
    _ fault: TableValidator.Fault, _ record: Record, _ batch: borrowing RecordBatch
  ) -> Span<UInt8> {
    let index = fault.column < 0 ? nil : header.fieldOfColumn[fault.column]
    guard let index, record.faults.isEmpty, index < record.fieldCount else {
      return batch.bytes.span.extracting(record.bytes)
    }
    let field = batch.fields[record.firstField + index]
    return batch.bytes.span.extracting(Int(field.start)..<Int(field.end))
  }

  private func key(of column: ColumnDescription?) -> String {
    let key = table.keys.first { $0.first == column?.name } ?? table.primaryKey
    return key.joined(separator: ", ")
  }

  private func parents(of column: ColumnDescription?) -> String {
    let key = table.foreignKeys.first { $0.columns.first == column?.name }
    guard let key else { return "its parent table" }
    let union = schema.keyUnions.first { $0.name == key.table }
    let names =
      union?.members.map { "\($0.table).\($0.keyColumn)" } ?? ["\(key.table).\(key.keyColumns[0])"]
    return names.joined(separator: " or ")
  }
}

extension ColumnDescription {
  /// What the column's domain expects, in words.
  fileprivate var expectation: String {
    switch domain {
    case nil: "a value of its type"
    case .atLeast(let minimum): "\(minimum) or more"
    case .within(let range): "\(range.lowerBound) to \(range.upperBound)"
    case .oneOf(let words): "one of " + words.joined(separator: ", ")
    case .singleLine: "text without a line feed"
    case .hexadecimalDigits(let count): "\(count) hexadecimal digits"
    }
  }
}

extension Span<UInt8> {
  fileprivate var withoutLineEnd: Span<UInt8> {
    @_lifetime(copy self) get {
      var end = count
      if end > 0, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
      if end > 0, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      return extracting(0..<end)
    }
  }
}
