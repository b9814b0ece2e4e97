package import Vocabulary
package import CSV
import SourceFiles
package import SQLiteSwiftly
package import Schema
package import Text

package struct ReasonWriter {
  private let table: String
  package let fileName: String
  private let header: HeaderMatch
  private let recordLimit: Int
  private let columns: [Column]
  private let keys: [[String]]
  /// For each foreign key the indices of its columns, and the name of its parents.
  private let references: [(columns: [Int], parents: String)]
  private let guesses: GuessedRules?

  package init(
    schema: SchemaDescription, table: TableDescription, fileName: String, header: HeaderMatch,
    recordLimit: Int
  ) {
    self.table = table.name
    self.fileName = fileName
    self.header = header
    self.recordLimit = recordLimit
    let index = schema.sources.firstIndex { haveSameBytes($0.table, table.name) }
    let formats = index.map { schema.sources[$0].formats } ?? []
    columns = zip(table.columns, formats).map { column, format in
      let key = table.columnReference([column.name]).map { table.foreignKeys[$0] }
      return Column(
        name: column.name, expectation: column.expectation, writtenAs: format.words(for: column),
        longestKey: format.longestKey, parents: key.map(schema.parents) ?? "its parent table")
    }
    references = table.foreignKeys.map { key in
      (key.columns.compactMap(table.columnIndex), schema.parents(of: key))
    }
    keys = table.keys
    guesses = index.map { GuessedRules(ofTable: $0, in: schema) }
  }

  private struct Column {
    let name: String
    let expectation: String
    let writtenAs: String?
    let longestKey: Int
    let parents: String
  }

  /// Describes a rejected record, whose messages were written by `write`.
  package func makeReject(
    _ faults: [RecordFault], _ messages: [TextBuffer], _ record: Record,
    in batch: borrowing RecordBatch
  ) -> Reject {
    var reasons: [Reject.Reason] = []
    for (place, fault) in faults.enumerated() {
      let value = value(of: fault, record, batch)
      reasons.append(
        Reject.Reason(
          code: fault.code, column: columnName(of: fault), value: value?.quotedForMessage,
          missingKey: fault.code == .missingParent ? value?.text : nil,
          message: messages[place].string))
    }
    return Reject(
      table: table, file: fileName, record: record.number,
      lines: record.line...record.line + record.innerLineFeeds, offset: record.offset,
      length: record.length, extentIsCertain: record.extentIsCertain, reasons: reasons)
  }

  /// Writes a message for each fault of a record; the buffers are reused.
  package func write(
    _ messages: inout [TextBuffer], of faults: [RecordFault], _ record: Record,
    in batch: borrowing RecordBatch
  ) {
    for (place, fault) in faults.enumerated() {
      if place == messages.count { messages.append(TextBuffer()) }
      messages[place].removeAll()
      append(messageOf: fault, record, batch, to: &messages[place])
    }
  }

  package func columnName(of fault: RecordFault) -> String? {
    fault.column < 0 ? nil : columns[fault.column].name
  }

  private func append(
    messageOf fault: RecordFault, _ record: Record, _ batch: borrowing RecordBatch,
    to text: inout TextBuffer
  ) {
    switch fault.code {
    case _ where fault.code.concernsForm: append(form: fault, record, to: &text)
    case .duplicateKey where fault.key < 0:
      text.append("an earlier record is equal")
      append(guess: .key, to: &text)
    case .duplicateKey: append(duplicate: fault, record, batch, to: &text)
    case .missingParent where fault.reference >= 0:
      append(orphan: references[fault.reference], record, batch, to: &text)
    default:
      let value = value(of: fault, record, batch)
      if let value {
        text.append(quoted: value)
      } else if fault.code != .missingValue {
        text.append("an empty string")
      }
      append(expectation: fault, hasValue: value != nil, to: &text)
    }
    if let rule = guesses?.broken(by: fault).first { append(guess: rule, to: &text) }
    guard fault.code.concernsForm, fault.code != .recordTooLong else { return }
    text.append(": ")
    text.append(quoted: batch.bytes.span.extracting(record.bytes).withoutLineEnd)
  }

  private func append(form fault: RecordFault, _ record: Record, to text: inout TextBuffer) {
    func append(_ noun: String, _ first: String, _ second: String = "", _ third: String = "") {
      text.append(noun, " at byte ")
      text.append(fault.offset)
      text.append(first, second, third)
    }
    let escape = header.dialect.doublesQuotes ? "double" : "escape"
    switch fault.code {
    case .wrongFieldCount:
      text.append(
        record.fieldCount.grouped,
        header.exists ? " fields, but the header has " : " fields, but the table has ",
        header.names.count.grouped)
      text.append(
        record.fieldCount < header.names.count
          ? "; add the missing fields, or delimiters for empty ones"
          : "; enclose a field that contains the delimiter in quotes")
    case .strayQuote:
      append(
        "quote", " in an unquoted field; enclose the field in quotes, and ", escape,
        " those inside it")
    case .textAfterQuote:
      append(
        "text", " after a closing quote, expected a ",
        header.dialect.isStandard ? "comma" : "delimiter")
      text.append(" or the end of the line; ", escape, " quotes inside a field")
    case .bareCarriageReturn:
      append("carriage return", " without a line feed: either data or the end of the record")
    case .ambiguousEscape:
      append(
        "escaped letter",
        ": a control character, or the letter alone; if it is a control character, such as the tab for "
          + "\\t, set controlEscapes in the description")
    case .nulByte: append("NUL", "; text cannot contain NUL bytes")
    case .recordTooLong:
      text.append(record.length.grouped, " bytes, but the limit is ", recordLimit.grouped)
      text.append(": a quote may be missing, far from the beginning of the record")
    default: append("invalid UTF-8", "")
    }
  }

  /// Appends who made a rule, and how it is changed.
  private func append(guess rule: BrokenGuess.Rule, to text: inout TextBuffer) {
    switch rule {
    case .type(let column):
      text.append("; describe inferred the type: to load such values, set the type of ")
      text.append(table, ".", columns[column].name)
      text.append(" to string in the description")
    case .key:
      text.append("; describe inferred the key: if it is wrong, remove primaryKey of ", table)
      text.append(" from the description")
    case .reference(let place):
      let names = references[place].columns.map { columns[$0].name }.joined(separator: ", ")
      text.append("; describe inferred the reference: if it is wrong, remove the foreign key of ")
      text.append(table, ".", names)
      text.append(" from the description")
    }
  }

  private func append(
    duplicate fault: RecordFault, _ record: Record, _ batch: borrowing RecordBatch,
    to text: inout TextBuffer
  ) {
    text.append("an earlier record has the same ")
    text.append(keys[fault.key].joined(separator: ", "), ": ")
    for (place, name) in keys[fault.key].enumerated() {
      if place > 0 { text.append(", ") }
      let column = columns.firstIndex { haveSameBytes($0.name, name) } ?? -1
      let field = RecordFault(code: .duplicateKey, column: column)
      if let value = value(of: field, record, batch) { text.append(quoted: value) }
    }
  }

  private func append(
    orphan reference: (columns: [Int], parents: String), _ record: Record,
    _ batch: borrowing RecordBatch, to text: inout TextBuffer
  ) {
    let isOne = reference.columns.count == 1
    for (place, column) in reference.columns.enumerated() {
      if place > 0 { text.append(", ") }
      if !isOne { text.append(columns[column].name, " ") }
      let fault = RecordFault(code: .missingParent, column: column)
      if let value = value(of: fault, record, batch) { text.append(quoted: value) }
    }
    text.append(
      isOne ? " is not in " : " are not in one record of ", reference.parents,
      isOne ? ", or its record was rejected" : ", or that record was rejected")
  }

  private func append(expectation fault: RecordFault, hasValue: Bool, to text: inout TextBuffer) {
    let column = columns[fault.column]
    let writtenAs = column.writtenAs ?? column.expectation
    let (message, expected): (String, String?) =
      switch fault.code {
      case .notAnInteger: (" is not a plain decimal integer", column.writtenAs)
      case .notANumber: (" is not a valid number", column.writtenAs)
      case .numberOutOfRange: (" is too large for a 64-bit floating-point number", nil)
      case .notATime, .notJSON: (" is not valid", writtenAs)
      case .wrongLength: (" has the wrong length", column.expectation)
      case .integerOutOfRange: (" does not fit into a signed 64-bit integer", nil)
      case .notABoolean: (" is not a boolean", column.writtenAs ?? "True, False, t or f")
      case .notAllowed: (" is not allowed", column.expectation)
      case .wrongFormat: (" has the wrong format", writtenAs)
      case .keyTooLong: (" is too long: keys and indexed values are limited to ", nil)
      case .missingParent: (" is not in ", nil)
      case _ where hasValue: (" means no value, but one is required", nil)
      default: ("missing value, but one is required", nil)
      }
    text.append(message)
    if let expected { text.append(": expected ", expected) }
    if fault.code == .keyTooLong {
      text.append(column.longestKey.grouped, " bytes")
    } else if fault.code == .missingParent {
      text.append(column.parents, ", or its record was rejected")
    }
  }

  @_lifetime(borrow batch)
  package func value(
    of fault: RecordFault, _ record: Record, _ batch: borrowing RecordBatch
  ) -> Span<UInt8>? {
    let index = fault.column < 0 ? nil : header.fieldOfColumn[fault.column]
    guard let index, record.hasFields, record.fieldCount == header.names.count
    else { return nil }
    let place = batch.place(index, of: record)
    guard !place.isEmpty else { return nil }
    return batch.bytes.span.extracting(place)
  }
}

extension SchemaDescription {
  fileprivate func parents(of key: ForeignKeyDescription) -> String {
    sources(of: key).map { table, columns in
      let list = columns.joined(separator: ", ")
      return tables[table].name + (columns.count == 1 ? ".\(list)" : " (\(list))")
    }.joined(separator: " or ")
  }
}

extension Span<UInt8> {
  var withoutLineEnd: Span<UInt8> {
    @_lifetime(copy self) get {
      var end = count
      if end > 0, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
      if end > 0, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
      return extracting(0..<end)
    }
  }
}

extension FieldFormat {
  /// A description of the spelling in a source file; nil if values are stored as written.
  func words(for column: ColumnDescription) -> String? {
    switch spelling {
    case .exact: nil
    case .integer(let spelling): "a whole number" + spelling.words(ofWhole: true)
    case .number(let spelling): "a number" + spelling.words(ofWhole: false)
    case .boolean(let trueTexts, let falseTexts):
      trueTexts.joined(separator: " or ") + " for true, " + falseTexts.joined(separator: " or ")
        + " for false"
    case .time(let pattern): "text in the format \(pattern)"
    case .anyTime: "\(column.expectation), or another unambiguous spelling of one"
    case .list(let delimiter, let items): "\(items.words) separated by \(delimiter)"
    case .coordinates: "a longitude up to 180, a comma, and a latitude up to 90"
    }
  }
}

extension FieldFormat.NumberSpelling {
  fileprivate func words(ofWhole isWhole: Bool) -> String {
    (isWhole || decimalSeparator == "." ? "" : " with \(decimalSeparator) as the decimal separator")
      + (groupSeparator.map { ", optionally with \($0) between groups of digits" } ?? "")
      + (isBare ? "" : ", optionally with other text around it")
  }
}

extension FieldFormat.ListItem {
  fileprivate var words: String {
    switch self {
    case .text: "strings"
    case .integer: "whole numbers"
    case .number: "numbers"
    case .boolean: "true or false"
    case .date: "dates"
    case .time: "times of day"
    case .dateTime: "dates with times"
    }
  }
}

extension TextBuffer {
  fileprivate mutating func append(_ first: String, _ second: String, _ third: String = "") {
    append(first)
    append(second)
    append(third)
  }
}
