import Vocabulary
import CSV
import SQLiteSwiftly
import Schema

/// Reads the fields of a column that `ColumnRule` cannot handle: with other spellings, other texts for NULL, reals, or a
/// domain of several parts.
struct FieldReader {
  struct Value {
    /// The integer, the bits of the real, or the place of the text.
    var bits: Int64 = 0
    var storageClass = RowBatch.StorageClass.null
    /// Its fault, if any; an unreadable value is NULL.
    var fault: RecordCode?
    /// Whether a number has more digits than can be stored.
    var isRounded = false
  }

  private enum Kind {
    case exactInteger, integer, real
    case exactBoolean, boolean
    case text, time, list, coordinates
  }

  private let kind: Kind
  private let isNullable: Bool
  private let mostBytes: Int
  private let missing: TextSet
  private let numberCheck: NumberCheck
  private let textCheck: TextCheck
  private let times: TimeReader
  private var numbers = NumberFormat(FieldFormat.NumberSpelling())
  private var (trueTexts, falseTexts) = (TextSet([]), TextSet([]))
  private var list = ListFormat(delimiter: ",", items: .text)

  init?(_ column: ColumnDescription, _ format: FieldFormat, isNullable: Bool, mostBytes: Int) {
    guard column.needsReader(format) else { return nil }
    let parts = column.domain?.parts ?? []
    self.isNullable = isNullable
    self.mostBytes = mostBytes
    missing = TextSet(format.missingValues)
    numberCheck = NumberCheck(parts)
    textCheck = TextCheck(parts)
    times = TimeReader(format.spelling, column.domain?.times.first)
    switch (format.spelling, column.type) {
    case (.boolean(let first, let second), _):
      (trueTexts, falseTexts) = (TextSet(first), TextSet(second))
      kind = .boolean
    case (.list(let delimiter, let items), _):
      list = ListFormat(delimiter: delimiter, items: items)
      kind = .list
    case (.coordinates, _): kind = .coordinates
    case (.integer(let spelling), .integer):
      numbers = NumberFormat(spelling)
      kind = .integer
    case (.integer(let spelling), .real), (.number(let spelling), _):
      numbers = NumberFormat(spelling)
      kind = .real
    case (_, .real): kind = .real
    case (_, .integer): kind = .exactInteger
    case (_, .boolean): kind = .exactBoolean
    default: kind = times.form == nil ? .text : .time
    }
  }

  /// A text that is not stored as written is appended to `newText`.
  @inline(always)
  func read(_ field: RecordBatch.Field, of bytes: Span<UInt8>, newText: inout NewText) -> Value {
    let place = Int(field.start)..<Int(field.end)
    if missing.contains(place, of: bytes) { return Value(fault: isNullable ? nil : .missingValue) }
    switch kind {
    case .exactInteger:
      guard !place.isEmpty else { return Value(fault: .notAnInteger) }
      let (value, fault) = parseInteger(place, of: bytes)
      return checked(value, fault)
    case .integer:
      let (value, fault) = numbers.integer(place, of: bytes)
      return checked(value, fault)
    case .real:
      let number = numbers.real(place, of: bytes)
      if let fault = number.fault { return Value(fault: fault) }
      return Value(
        bits: Int64(bitPattern: number.value.bitPattern),
        storageClass: RowBatch.StorageClass.real, fault: numberCheck.fault(in: number.value),
        isRounded: number.isRounded)
    case .exactBoolean: return boolean(parseBoolean(place, of: bytes))
    case .boolean:
      let isTrue = trueTexts.contains(place, of: bytes)
      return boolean(isTrue || falseTexts.contains(place, of: bytes) ? isTrue : nil)
    case .text:
      return Value(
        bits: RowBatch.value(ofTextAt: field.start, field.end),
        storageClass: RowBatch.StorageClass.text, fault: fault(in: bytes.extracting(place)))
    case .time, .list, .coordinates: return readText(field, of: bytes, newText: &newText)
    }
  }

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

  @inline(always)
  private func fault(in text: Span<UInt8>) -> RecordCode? {
    guard text.count <= mostBytes else { return .keyTooLong }
    return textCheck.fault(in: text)
  }

  private func readText(
    _ field: RecordBatch.Field, of bytes: Span<UInt8>, newText: inout NewText
  ) -> Value {
    let place = Int(field.start)..<Int(field.end)
    let start = newText.bytes.count
    let isRead =
      switch kind {
      case .list: list.append(place, of: bytes, to: &newText.bytes)
      case .coordinates: ListFormat.append(coordinates: place, of: bytes, to: &newText.bytes)
      default: times.append(place, of: bytes, to: &newText.bytes)
      }
    guard isRead else {
      newText.bytes.removeSubrange(start...)
      return Value(fault: kind == .time ? .notATime : .wrongFormat)
    }
    let fault = fault(in: newText.bytes.span.extracting(start...))
    let isAsWritten = newText.bytes.span.extracting(start...).isEqual(to: bytes.extracting(place))
    // A text that is stored as written needs no copy.
    if isAsWritten {
      newText.bytes.removeSubrange(start...)
      return Value(
        bits: RowBatch.value(ofTextAt: field.start, field.end),
        storageClass: RowBatch.StorageClass.text, fault: fault)
    }
    return Value(
      bits: newText.value(from: start), storageClass: RowBatch.StorageClass.text, fault: fault)
  }
}

/// Texts in another form than their fields, to be appended to a batch.
struct NewText {
  /// The offset of the first text in the batch.
  private(set) var base = 0
  var bytes: [UInt8] = []

  mutating func begin(at base: Int) {
    self.base = base
    bytes.removeAll(keepingCapacity: true)
  }

  func value(from start: Int) -> Int64 {
    RowBatch.value(ofTextAt: UInt32(base + start), UInt32(base + bytes.count))
  }
}

extension ColumnDescription {
  fileprivate func needsReader(_ format: FieldFormat) -> Bool {
    let usual = FieldFormat()
    guard format.spelling == usual.spelling, format.missingValues == usual.missingValues,
      type != .real
    else { return true }
    return switch domain {
    case nil, .atLeast, .within, .singleLine, .hexadecimalDigits, .oneOf: false
    default: true
    }
  }
}
