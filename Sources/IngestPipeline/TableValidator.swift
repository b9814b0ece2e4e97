import CSV
import SQLiteSwiftly

/// Checks the records of one table and turns them into rows.
///
/// A record's fields are checked first, each with its foreign key, then its own keys against those of
/// the records before it. The first fault rejects the record; its keys are then free for another.
struct TableValidator: ~Copyable {
  /// Why a record is rejected.
  struct Fault {
    let code: RecordCode
    /// The column that is to blame, or -1.
    var column = -1
  }

  /// What a record's columns were found to be: the numbers that keys are made of.
  struct Values {
    /// The value of an integer column, by its bits.
    var integers: [UInt64]
    /// What stands for the value in a key of several columns.
    var tokens: [UInt64]
    var isNull: [Bool]
    var texts: [RecordBatch.Field]
  }

  let tableIndex: Int
  let table: TableDescription
  /// The fields of the header, and so of every record.
  let fieldCount: Int

  private let rules: [ColumnRule]
  private let plans: [KeyPlan]
  private let keyColumns: [KeyPlan.Column]
  private var composedKey: [UInt8] = []
  private(set) var values: Values

  /// Makes the validator of a table whose parents have all been read.
  init(
    table index: Int, of schema: SchemaDescription, header: HeaderMatch, keys: inout KeyRegistry
  ) {
    let table = schema.tables[index]
    tableIndex = index
    self.table = table
    fieldCount = header.names.count
    let survivors = keys.survivorSet(ofTable: index)
    var rules: [ColumnRule] = []
    for (place, column) in table.columns.enumerated() {
      let parents = keys.parents(ofColumn: place, inTable: index)
      let refersToOwnTable = keys.parents[parents].contains { $0 == survivors }
      rules.append(
        ColumnRule(
          column, field: header.fieldOfColumn[place], parents: parents,
          refersToOwnTable: refersToOwnTable))
    }
    var plans: [KeyPlan] = []
    var keyColumns: [KeyPlan.Column] = []
    for (key, set) in zip(table.keys, keys.keySets(ofTable: index)) {
      let columns = key.compactMap(table.columnIndex).map { column in
        KeyPlan.Column(
          index: column, isText: rules[column].kind == .text, bits: rules[column].tokenBits(keys))
      }
      let place = keyColumns.count..<keyColumns.count + columns.count
      let plan = KeyPlan(set: set, columns: place, columns)
      keys.sets[set] = KeySet(isText: plan.isText)
      plans.append(plan)
      keyColumns += columns
    }
    self.rules = rules
    self.plans = plans
    self.keyColumns = keyColumns
    let count = table.columns.count
    values = Values(
      integers: [UInt64](repeating: 0, count: count), tokens: [UInt64](repeating: 0, count: count),
      isNull: [Bool](repeating: false, count: count),
      texts: [RecordBatch.Field](repeating: .init(start: 0, end: 0), count: count))
  }

  /// Checks the records of a batch from the one at `first` on: the sound ones become rows, whose
  /// texts stand where they are in the batch, and the others go to the log.
  mutating func check(
    _ batch: borrowing RecordBatch, from first: Int, into rows: inout RowBatch,
    keys: inout KeyRegistry, log: inout RejectLog, _ reason: RejectionReason
  ) {
    let (bytes, fields, records) = (batch.bytes.span, batch.fields.span, batch.records.span)
    for index in first..<records.count {
      let fault =
        fieldFault(records[index], bytes, fields, into: &rows, keys) ?? keyFault(bytes, &keys)
      guard let fault else {
        rows.finishRow()
        continue
      }
      log.add(table: tableIndex, code: fault.code) {
        reason.rejection(fault, batch.records[index], in: batch)
      }
    }
  }

  /// Notes the references among the records of a batch that are sound but for those references.
  mutating func survey(
    _ batch: borrowing RecordBatch, from first: Int, in survey: inout SelfReferenceSurvey,
    scratch rows: inout RowBatch, keys: inout KeyRegistry
  ) {
    let (bytes, fields, records) = (batch.bytes.span, batch.fields.span, batch.records.span)
    for index in first..<records.count {
      let fault = fieldFault(
        records[index], bytes, fields, into: &rows, keys, passingOwnReferences: true)
      if fault == nil { note(in: &survey, bytes) }
    }
  }

  /// Checks the fields of one record and fills the next row of `rows`, which is not finished.
  private mutating func fieldFault(
    _ record: Record, _ bytes: Span<UInt8>, _ fields: Span<RecordBatch.Field>,
    into rows: inout RowBatch, _ keys: borrowing KeyRegistry, passingOwnReferences: Bool = false
  ) -> Fault? {
    if !record.faults.isEmpty {
      return Fault(
        code: RecordCode(firstFaultOf: record), column: column(ofField: record.faultField))
    }
    if record.fieldCount != fieldCount { return Fault(code: .wrongFieldCount) }
    for column in rules.indices {
      let rule = rules[column]
      let field =
        rule.field < 0
        ? RecordBatch.Field(start: 0, end: 0) : fields[record.firstField + rule.field]
      values.isNull[column] = field.start == field.end
      if field.start == field.end {
        guard rule.isNullable else { return Fault(code: .missingValue, column: column) }
        rows.setNull(column)
        continue
      }
      let text = bytes.extracting(Int(field.start)..<Int(field.end))
      if let code = convert(text, field, rule, column, into: &rows) {
        return Fault(code: code, column: column)
      }
      guard !rule.parents.isEmpty, !(passingOwnReferences && rule.refersToOwnTable) else {
        continue
      }
      guard findParent(of: column, text, rule, keys) else {
        return Fault(code: .missingParent, column: column)
      }
    }
    return nil
  }

  /// The columns that refer to the table's own key.
  var ownReferences: [Int] { rules.indices.filter { rules[$0].refersToOwnTable } }

  private func column(ofField field: Int) -> Int {
    rules.firstIndex { $0.field == field } ?? -1
  }

  /// Reads a field as its column's type, checks its domain, and sets the cell.
  private mutating func convert(
    _ text: Span<UInt8>, _ field: RecordBatch.Field, _ rule: ColumnRule, _ column: Int,
    into rows: inout RowBatch
  ) -> RecordCode? {
    switch rule.kind {
    case .integer:
      let (value, fault) = parseInteger(text)
      if let fault { return fault }
      guard rule.bounds.contains(value) else { return .notAllowed }
      note(UInt64(bitPattern: value), column)
      rows.set(column, integer: value)
    case .boolean:
      guard let value = parseBoolean(text) else { return .notABoolean }
      note(value ? 1 : 0, column)
      rows.set(column, integer: value ? 1 : 0)
    case .text:
      if let fault = fault(in: text, rule, column) { return fault }
      values.texts[column] = field
      rows.set(column, textAt: field.start, field.end)
    }
    return nil
  }

  private mutating func note(_ value: UInt64, _ column: Int) {
    values.integers[column] = value
    values.tokens[column] = value
  }

  private func fault(in text: Span<UInt8>, _ rule: ColumnRule, _ column: Int) -> RecordCode? {
    switch rule.domain {
    case .any, .bounded: return nil
    case .singleLine: return text.isSingleLine ? nil : .wrongFormat
    case .hexadecimal: return text.isHexadecimal(digits: rule.digits) ? nil : .wrongFormat
    case .listed:
      guard case .oneOf(let words) = table.columns[column].domain else { return nil }
      return words.contains { $0.utf8.span.isEqual(to: text) } ? nil : .notAllowed
    }
  }

  /// Looks a value up in the sets that its foreign key refers to, and notes its token.
  private mutating func findParent(
    of column: Int, _ text: Span<UInt8>, _ rule: ColumnRule, _ keys: borrowing KeyRegistry
  ) -> Bool {
    var base = 0
    for place in rule.parents {
      let set = keys.parents[place]
      let ordinal =
        keys.sets[set].isText
        ? keys.sets[set].ordinal(of: text) : keys.sets[set].ordinal(of: values.integers[column])
      if let ordinal {
        values.tokens[column] = UInt64(base + ordinal)
        return true
      }
      base += 1 << keys.sets[set].ordinalBits
    }
    return false
  }

  /// Notes all keys of the record, unless one of them is there already.
  private mutating func keyFault(_ bytes: Span<UInt8>, _ keys: inout KeyRegistry) -> Fault? {
    // With one key the insert itself finds the duplicate; of several none may be noted before all
    // are known to be new.
    if plans.count > 1 {
      for plan in plans where !isNew(plan, bytes, keys) {
        return Fault(code: .duplicateKey, column: keyColumns[plan.columns.lowerBound].index)
      }
    }
    for plan in plans where !hasNull(plan) {
      let isNew =
        switch plan.form {
        case .integer, .packed: keys.sets[plan.set].insert(number(plan))
        case .text: keys.sets[plan.set].insert(text(plan, bytes))
        case .composed: keys.sets[plan.set].insert(compose(plan, bytes).span)
        }
      if !isNew {
        return Fault(code: .duplicateKey, column: keyColumns[plan.columns.lowerBound].index)
      }
    }
    return nil
  }

  private mutating func isNew(
    _ plan: KeyPlan, _ bytes: Span<UInt8>, _ keys: borrowing KeyRegistry
  ) -> Bool {
    if hasNull(plan) { return true }
    return switch plan.form {
    case .integer, .packed: keys.sets[plan.set].ordinal(of: number(plan)) == nil
    case .text: keys.sets[plan.set].ordinal(of: text(plan, bytes)) == nil
    case .composed: keys.sets[plan.set].ordinal(of: compose(plan, bytes).span) == nil
    }
  }

  private func hasNull(_ plan: KeyPlan) -> Bool {
    for place in plan.columns where values.isNull[keyColumns[place].index] { return true }
    return false
  }

  /// The key as one number: the value of its only column, or its columns' tokens side by side.
  private func number(_ plan: KeyPlan) -> UInt64 {
    let first = keyColumns[plan.columns.lowerBound].index
    guard plan.form == .packed else { return values.integers[first] }
    var key: UInt64 = 0
    for place in plan.columns {
      let column = keyColumns[place]
      key = key << UInt64(column.bits) | values.tokens[column.index]
    }
    return key
  }

  /// The text of a key's only column.
  @_lifetime(copy bytes)
  private func text(_ plan: KeyPlan, _ bytes: Span<UInt8>) -> Span<UInt8> {
    let field = values.texts[keyColumns[plan.columns.lowerBound].index]
    return bytes.extracting(Int(field.start)..<Int(field.end))
  }

  /// The key as bytes that only equal values give: 8 for a number, the length and bytes of a text.
  private mutating func compose(_ plan: KeyPlan, _ bytes: Span<UInt8>) -> [UInt8] {
    composedKey.removeAll(keepingCapacity: true)
    for place in plan.columns {
      let column = keyColumns[place]
      let field = values.texts[column.index]
      let number = column.bits > 0 ? values.tokens[column.index] : UInt64(field.end - field.start)
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        composedKey.append(UInt8(truncatingIfNeeded: number >> shift))
      }
      guard column.bits == 0 else { continue }
      for index in Int(field.start)..<Int(field.end) { composedKey.append(bytes[index]) }
    }
    return composedKey
  }
}
