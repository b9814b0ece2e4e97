import Vocabulary
import CSV
import SQLiteSwiftly
import Text

extension TableValidator {
  /// Converts and checks a column's field of each record of the chunk, and sets the cell in the prospective row.
  mutating func convert(
    _ column: Int, _ bytes: Span<UInt8>, _ fields: Span<RecordBatch.Field>,
    into rows: inout RowBatch
  ) {
    let rule = rules[column]
    let words = table.columns[column].domain?.words ?? []
    // Move the arrays out while spans of both are held; this also avoids a uniqueness check for every cell.
    var faultArray = exchange(&chunk.faults, with: [])
    var tokenArray = exchange(&chunk.tokens, with: [])
    defer {
      swap(&chunk.faults, &faultArray)
      swap(&chunk.tokens, &tokenArray)
    }
    var faults = faultArray.mutableSpan
    var tokens = tokenArray.mutableSpan
    let firstFields = chunk.firstFields.span
    let storageClass = rule.storageClass
    var cells = rows.nextCells(ofColumn: column)
    for index in 0..<chunk.count where faults[index] == nil {
      let field =
        rule.field < 0
        ? RecordBatch.Field(start: 0, end: 0) : fields[firstFields[index] + rule.field]
      let place = Int(field.start)..<Int(field.end)
      guard !place.isEmpty else {
        cells.setNull(index)
        if !rule.isNullable { faults[index] = Fault(code: .missingValue, column: column) }
        continue
      }
      let (value, code) = rule.read(field, of: bytes, mayHaveLineFeed: chunk.hasLineFeeds, words)
      cells.set(index, to: value, storageClass)
      tokens[column * RecordChunk.capacity + index] = UInt64(bitPattern: value)
      if let code { faults[index] = Fault(code: code, column: column) }
    }
  }

  mutating func convert(
    _ column: Int, by reader: FieldReader, _ batch: inout RecordBatch, from start: Int,
    into rows: inout RowBatch
  ) {
    let rule = rules[column]
    var newText = exchange(&chunk.newText, with: NewText())
    defer { swap(&chunk.newText, &newText) }
    newText.begin(at: batch.end)
    let rounded = readFields(column, rule, by: reader, batch, into: &rows, newText: &newText)
    for index in rounded {
      let record = batch.records[start + index]
      drift.countRounded(
        batch.bytes.span.extracting(batch.place(rule.field, of: record)), inColumn: column,
        line: record.line)
    }
    batch.append(newText.bytes)
  }

  /// Reads the fields of a column; returns the records with rounded numbers.
  private mutating func readFields(
    _ column: Int, _ rule: ColumnRule, by reader: FieldReader, _ batch: borrowing RecordBatch,
    into rows: inout RowBatch, newText: inout NewText
  ) -> [Int] {
    let (bytes, fields) = (batch.bytes.span, batch.fields.span)
    var faultArray = exchange(&chunk.faults, with: [])
    var tokenArray = exchange(&chunk.tokens, with: [])
    defer {
      swap(&chunk.faults, &faultArray)
      swap(&chunk.tokens, &tokenArray)
    }
    var faults = faultArray.mutableSpan
    var tokens = tokenArray.mutableSpan
    let firstFields = chunk.firstFields.span
    var rounded: [Int] = []
    var cells = rows.nextCells(ofColumn: column)
    for index in 0..<chunk.count where faults[index] == nil {
      guard rule.field >= 0 else {
        cells.setNull(index)
        if !rule.isNullable { faults[index] = Fault(code: .missingValue, column: column) }
        continue
      }
      let field = fields[firstFields[index] + rule.field]
      let value = reader.read(field, of: bytes, newText: &newText)
      cells.set(index, to: value.bits, value.storageClass)
      tokens[column * RecordChunk.capacity + index] = UInt64(bitPattern: value.bits)
      if let code = value.fault {
        faults[index] = Fault(code: code, column: column)
      } else if value.isRounded {
        rounded.append(index)
      }
    }
    return rounded
  }

  /// Looks up a column's numbers, caching the last one, since related records are adjacent.
  mutating func findIntegerParents(
    of column: Int, in rows: borrowing RowBatch, _ keys: borrowing KeyRegistry
  ) {
    let parents = rules[column].parents
    let values = rows.values
    let classes = rows.classes
    var last: (value: Int64, token: UInt64)?
    for index in 0..<chunk.count where chunk.faults[index] == nil {
      let cell = (rows.rows + index) * rows.columns + column
      guard classes[cell] != RowBatch.StorageClass.null else { continue }
      if last?.value != values[cell] {
        guard let token = keys.token(of: UInt64(bitPattern: values[cell]), parents) else {
          chunk.faults[index] = Fault(code: .missingParent, column: column)
          continue
        }
        last = (values[cell], token)
      }
      chunk.tokens[column * RecordChunk.capacity + index] = last?.token ?? 0
    }
  }

  /// Looks up a column's texts in several passes over the chunk: large parents exceed the processor's caches, and the
  /// reads of a pass that only reads overlap.
  mutating func findTextParents(
    of column: Int, _ bytes: Span<UInt8>, in rows: borrowing RowBatch,
    _ keys: borrowing KeyRegistry
  ) {
    let parents = rules[column].parents
    let values = rows.values
    let classes = rows.classes
    let firstCell = rows.rows * rows.columns + column
    var faultArray = exchange(&chunk.faults, with: [])
    var tokenArray = exchange(&chunk.tokens, with: [])
    var textArray = exchange(&chunk.texts, with: [])
    var ordinalArray = exchange(&chunk.ordinals, with: [])
    defer {
      swap(&chunk.faults, &faultArray)
      swap(&chunk.tokens, &tokenArray)
      swap(&chunk.texts, &textArray)
      swap(&chunk.ordinals, &ordinalArray)
    }
    var faults = faultArray.mutableSpan
    var tokens = tokenArray.mutableSpan
    var newTexts = textArray.mutableSpan
    var ordinals = ordinalArray.mutableSpan
    for index in 0..<chunk.count {
      let cell = firstCell + index * rows.columns
      let isText = faults[index] == nil && classes[cell] == RowBatch.StorageClass.text
      let (start, count) = isText ? RowBatch.textPlace(values[cell]) : (0, 0)
      newTexts[index] = TextKeySet.Key(start..<start + count, of: bytes, keys.seed)
    }
    let texts = textArray.span
    // The ordinals in the first parent are the tokens.
    keys.sets[keys.parents[parents.lowerBound]].texts.findMost(
      of: texts.extracting(0..<chunk.count), &ordinals)
    for index in 0..<chunk.count where faults[index] == nil {
      guard classes[firstCell + index * rows.columns] == RowBatch.StorageClass.text else {
        continue
      }
      let isKnown = ordinals[index] != TextKeySet.unknown
      let token = isKnown ? ordinals[index] : keys.token(of: texts[index], in: bytes, parents)
      if let token {
        tokens[column * RecordChunk.capacity + index] = token
      } else {
        faults[index] = Fault(code: .missingParent, column: column)
      }
    }
  }
}

extension ColumnDescription.Domain {
  package var words: [String]? {
    if case .oneOf(let words) = self { words } else { nil }
  }
}

extension ColumnRule {
  /// Converts a field that is not empty to the column's type, and checks its domain; `words` are the allowed texts.
  @inline(always)
  func read(
    _ field: RecordBatch.Field, of bytes: Span<UInt8>, mayHaveLineFeed: Bool, _ words: [String]
  ) -> (value: Int64, fault: RecordCode?) {
    let place = Int(field.start)..<Int(field.end)
    switch kind {
    case .integer:
      let (value, fault) = parseInteger(place, of: bytes)
      return (value, fault ?? (bounds.contains(value) ? nil : .notAllowed))
    case .boolean:
      guard let boolean = parseBoolean(place, of: bytes) else { return (0, .notABoolean) }
      return (boolean ? 1 : 0, nil)
    case .real: preconditionFailure("read by a FieldReader")
    case .text:
      let text = bytes.extracting(place)
      return (
        RowBatch.value(ofTextAt: field.start, field.end),
        fault(in: text, mayHaveLineFeed: mayHaveLineFeed, words)
      )
    }
  }

  @inline(always)
  fileprivate func fault(
    in text: Span<UInt8>, mayHaveLineFeed: Bool, _ words: [String]
  ) -> RecordCode? {
    // Values that are compared, stored in sets and sorted have a limited length.
    guard text.count <= mostBytes else { return .keyTooLong }
    return switch domain {
    case .any, .bounded: nil
    case .singleLine: !mayHaveLineFeed || text.isSingleLine ? nil : .wrongFormat
    case .hexadecimal: text.isHexadecimal(digits: digits) ? nil : .wrongFormat
    case .listed: words.contains { $0.utf8.span.isEqual(to: text) } ? nil : .notAllowed
    }
  }
}
