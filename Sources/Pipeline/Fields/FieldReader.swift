package import Vocabulary
package import CSV
package import SQLiteSwiftly
package import Schema

/// Reads the fields of a column: those in other spellings, and, with little work, those that are stored as written.
///
/// It is an object so that reading a chunk of records retains nothing but it.
package final class FieldReader {
  package struct Value {
    /// The integer, the bits of the real, or the place of the text.
    package fileprivate(set) var bits: Int64 = 0
    package fileprivate(set) var storageClass = RowBatch.StorageClass.null
    /// Its fault, if any; an unreadable value is NULL.
    package fileprivate(set) var fault: RecordCode?
    /// Whether a number has more digits than can be stored.
    package fileprivate(set) var isRounded = false
  }

  private enum Kind {
    case exactInteger, integer, real
    case exactBoolean, boolean
    /// Texts stored as written: any, of one line, or of another domain.
    case anyText, line, text
    case time, list, coordinates
  }

  private let kind: Kind
  private let isNullable: Bool
  private let mostBytes: Int
  private let missing: TextSet
  private let numberCheck: NumberCheck
  private let textCheck: TextCheck
  private let times: TimeReader
  private let numbers: NumberFormat
  private let trueTexts: TextSet
  private let falseTexts: TextSet
  private let list: ListFormat

  /// A text must have at most `mostBytes` bytes: values that are compared, stored in sets and sorted have a limited length.
  package init(
    _ column: ColumnDescription, _ format: FieldFormat, isNullable: Bool, mostBytes: Int
  ) {
    let parts = column.domain?.parts ?? []
    self.isNullable = isNullable
    self.mostBytes = mostBytes
    missing = TextSet(format.missingValues)
    numberCheck = NumberCheck(parts)
    textCheck = TextCheck(parts)
    times = TimeReader(format.spelling, column.domain?.times.first)
    var numbers = FieldFormat.NumberSpelling()
    var booleans: (true: [String], false: [String]) = ([], [])
    var list = ListFormat(delimiter: ",", items: .text)
    switch (format.spelling, column.type) {
    case (_, .blob): preconditionFailure("source files cannot have the type of \(column.name)")
    case (.boolean(let trueTexts, let falseTexts), _):
      booleans = (trueTexts, falseTexts)
      kind = .boolean
    case (.list(let delimiter, let items), _):
      list = ListFormat(delimiter: delimiter, items: items)
      kind = .list
    case (.coordinates, _): kind = .coordinates
    case (.integer(let spelling), .integer):
      numbers = spelling
      kind = .integer
    case (.integer(let spelling), .real), (.number(let spelling), _):
      numbers = spelling
      kind = .real
    case (_, .real): kind = .real
    case (_, .integer): kind = .exactInteger
    case (_, .boolean): kind = .exactBoolean
    case _ where times.form != nil: kind = .time
    case _ where parts.isEmpty: kind = .anyText
    case _ where parts == [.singleLine]: kind = .line
    default: kind = .text
    }
    self.numbers = NumberFormat(numbers)
    trueTexts = TextSet(booleans.true)
    falseTexts = TextSet(booleans.false)
    self.list = list
  }

  /// Reads a field of each record of a chunk that has no fault yet, and sets its cell; `tokens` become the bits of values.
  ///
  /// The records' first fields are in `firstFields`. Returns the records with rounded numbers.
  package func read(
    _ field: Int, from firstFields: Span<Int>, of fields: Span<RecordBatch.Field>,
    _ bytes: Span<UInt8>, mayHaveLineFeed: Bool, into cells: inout RowBatch.NextCells,
    newText: inout NewText, isFaulty: inout MutableSpan<Bool>, tokens: inout MutableSpan<UInt64>
  ) -> [Int] {
    var rounded: [Int] = []
    for index in firstFields.indices where !isFaulty[index] {
      let value = read(
        fields[firstFields[index] + field], of: bytes, mayHaveLineFeed: mayHaveLineFeed,
        newText: &newText)
      cells.set(index, to: value.bits, value.storageClass)
      tokens[index] = UInt64(bitPattern: value.bits)
      if value.fault != nil {
        isFaulty[index] = true
      } else if value.isRounded {
        rounded.append(index)
      }
    }
    return rounded
  }

  /// A text that is not stored as written is appended to `newText`.
  @inline(always)
  package func read(
    _ field: RecordBatch.Field, of bytes: Span<UInt8>, mayHaveLineFeed: Bool = true,
    newText: inout NewText
  ) -> Value {
    let range = Int(field.start)..<Int(field.end)
    if missing.contains(range, of: bytes) { return Value(fault: isNullable ? nil : .missingValue) }
    switch kind {
    case .exactInteger:
      guard !range.isEmpty else { return Value(fault: .notAnInteger) }
      let (value, fault) = parseInteger(range, of: bytes)
      return checked(value, fault)
    case .integer:
      let (value, fault) = numbers.integer(range, of: bytes)
      return checked(value, fault)
    case .real:
      let number = numbers.real(range, of: bytes)
      if let fault = number.fault { return Value(fault: fault) }
      return Value(
        bits: Int64(bitPattern: number.value.bitPattern),
        storageClass: RowBatch.StorageClass.real, fault: numberCheck.fault(in: number.value),
        isRounded: number.isRounded)
    case .exactBoolean: return boolean(parseBoolean(range, of: bytes))
    case .boolean:
      let isTrue = trueTexts.contains(range, of: bytes)
      return boolean(isTrue || falseTexts.contains(range, of: bytes) ? isTrue : nil)
    case .anyText: return text(field, range.count > mostBytes ? .keyTooLong : nil)
    case .line:
      let isLine = !range.isEmpty && (!mayHaveLineFeed || bytes.extracting(range).isSingleLine)
      return text(field, range.count > mostBytes ? .keyTooLong : isLine ? nil : .wrongFormat)
    case .text: return text(field, fault(in: bytes.extracting(range)))
    case .time, .list, .coordinates: return readText(field, of: bytes, newText: &newText)
    }
  }

  @inline(always)
  private func checked(_ value: Int64, _ fault: RecordCode?) -> Value {
    if let fault { return Value(fault: fault) }
    return Value(
      bits: value, storageClass: RowBatch.StorageClass.integer,
      fault: numberCheck.fault(in: value))
  }

  private func boolean(_ value: Bool?) -> Value {
    guard let value else { return Value(fault: .notABoolean) }
    return Value(bits: value ? 1 : 0, storageClass: RowBatch.StorageClass.integer)
  }

  /// A text that is stored as written.
  @inline(always)
  private func text(_ field: RecordBatch.Field, _ fault: RecordCode?) -> Value {
    Value(
      bits: RowBatch.value(ofTextAt: field.start, field.end),
      storageClass: RowBatch.StorageClass.text, fault: fault)
  }

  private func fault(in text: Span<UInt8>) -> RecordCode? {
    text.count > mostBytes ? .keyTooLong : textCheck.fault(in: text)
  }

  private func readText(
    _ field: RecordBatch.Field, of bytes: Span<UInt8>, newText: inout NewText
  ) -> Value {
    let range = Int(field.start)..<Int(field.end)
    let start = newText.bytes.count
    let isRead =
      switch kind {
      case .list: list.append(range, of: bytes, to: &newText.bytes)
      case .coordinates: ListFormat.append(coordinates: range, of: bytes, to: &newText.bytes)
      default: times.append(range, of: bytes, to: &newText.bytes)
      }
    guard isRead else {
      newText.bytes.removeSubrange(start...)
      return Value(fault: kind == .time ? .notATime : .wrongFormat)
    }
    let fault = fault(in: newText.bytes.span.extracting(start...))
    if newText.bytes.span.extracting(start...).isEqual(to: bytes.extracting(range)) {
      newText.bytes.removeSubrange(start...)
      return text(field, fault)
    }
    return Value(
      bits: newText.value(from: start), storageClass: RowBatch.StorageClass.text, fault: fault)
  }
}

/// Texts in another form than their fields, to be appended to a batch.
package struct NewText {
  /// The offset of the first text in the batch.
  private var base = 0
  package fileprivate(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func begin(at base: Int) {
    self.base = base
    bytes.removeAll(keepingCapacity: true)
  }

  func value(from start: Int) -> Int64 {
    RowBatch.value(ofTextAt: UInt32(base + start), UInt32(base + bytes.count))
  }
}
