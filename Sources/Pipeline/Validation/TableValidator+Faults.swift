import SourceFiles
import Vocabulary
import CSV
import SQLiteSwiftly

extension TableValidator {
  /// Finds all faults of a rejected record in the order of the columns, after the one that rejected it.
  ///
  /// Checking a record alone is slower than checking a chunk. Its keys are looked up, but not inserted, and the cells
  /// of its prospective `row` are overwritten.
  mutating func findFaults(
    of record: Record, at index: Int, row: Int, rejectedFor first: Fault,
    _ batch: inout RecordBatch, _ rows: inout RowBatch, _ keys: borrowing KeyRegistry
  ) {
    faults.removeAll(keepingCapacity: true)
    for column in isSound.indices { isSound[column] = true }
    var firstColumn = max(first.column, 0)
    if !record.faults.isEmpty || first.code == .wrongFieldCount {
      findFaultsOfForm(in: record, batch)
      guard record.hasFields, record.fieldCount == fieldCount else { return }
      firstColumn = 0
    }
    if first.code != .duplicateKey {
      // The columns before the first fault are valid.
      for column in firstColumn..<rules.count {
        check(column, of: record, at: index, &batch, &rows, keys)
      }
      addOrphans(references.lookups, row, of: rows, batch, keys)
    }
    if !exchange(&hasInsertedKeys, with: false) {
      addDuplicates(index, row, of: rows, batch.bytes.span, keys)
    }
    addOrphans(references.lateLookups, row, of: rows, batch, keys)
  }

  private mutating func addDuplicates(
    _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>,
    _ keys: borrowing KeyRegistry
  ) {
    for (place, plan) in plans.enumerated() {
      let columns = keyColumns[plan.columns]
      guard columns.allSatisfy({ isSound[$0.index] }),
        !isFree(plan, index, row, of: rows, bytes, keys)
      else { continue }
      faults.append(
        RecordFault(
          code: .duplicateKey, column: columns[plan.columns.lowerBound].index, key: place))
    }
  }

  private mutating func addOrphans(
    _ lookups: [TableReferences.Lookup], _ row: Int, of rows: borrowing RowBatch,
    _ batch: borrowing RecordBatch, _ keys: borrowing KeyRegistry
  ) {
    for lookup in lookups {
      let columns = lookup.key.columns
      guard columns.allSatisfy({ isSound[$0.index] }),
        !hasParent(lookup, row, of: rows, batch.bytes.span, keys)
      else { continue }
      faults.append(
        RecordFault(
          code: .missingParent, column: columns[0].index, reference: lookup.foreignKey))
    }
  }

  private mutating func findFaultsOfForm(in record: Record, _ batch: borrowing RecordBatch) {
    if !record.faults.isEmpty {
      faults.append(
        RecordFault(
          code: RecordCode(record.firstFault), column: rules.column(ofField: record.faultField),
          offset: record.faultOffset))
    }
    guard !record.faults.contains(.tooLong) else { return }
    let bytes = batch.bytes.span.extracting(record.bytes)
    let others = record.faults.subtracting(record.firstFault)
    for fault in Self.faultsOfForm where others.contains(fault) {
      guard let place = fault.firstPlace(in: bytes, dialect: dialect) else { continue }
      faults.append(
        RecordFault(
          code: RecordCode(fault), column: rules.column(ofField: place.field),
          offset: record.offset + place.byte))
    }
    faults.sort { $0.offset < $1.offset }
    if record.hasFields, record.fieldCount != fieldCount {
      faults.append(RecordFault(code: .wrongFieldCount))
    }
  }

  private static var faultsOfForm: [Record.Faults] {
    [.strayQuote, .textAfterQuote, .bareCarriageReturn, .nulByte, .invalidUTF8]
  }

  private mutating func check(
    _ column: Int, of record: Record, at index: Int, _ batch: inout RecordBatch,
    _ rows: inout RowBatch, _ keys: borrowing KeyRegistry
  ) {
    let rule = rules[column]
    let value = read(column, of: record, &batch)
    var cells = rows.nextCells(ofColumn: column)
    cells.set(index, to: value.bits, value.storageClass)
    if let code = value.fault { addFault(code, in: column) }
    var token: UInt64? = UInt64(bitPattern: value.bits)
    // An unreadable value has no parent to look up; a value outside its domain has, unless it is a text longer than any
    // key.
    let isValue = value.storageClass != RowBatch.StorageClass.null && value.fault != .keyTooLong
    if !rule.parents.isEmpty, isValue {
      let (start, count) = rule.kind == .text ? RowBatch.textPlace(value.bits) : (0, 0)
      let bytes = batch.bytes.span
      token =
        rule.kind == .text
        ? keys.token(
          of: TextKeySet.Key(start..<start + count, of: bytes, keys.seed), in: bytes, rule.parents)
        : keys.token(of: UInt64(bitPattern: value.bits), rule.parents)
    }
    chunk.tokens[column * RecordChunk.capacity + index] = token ?? 0
    if token == nil { addFault(.missingParent, in: column) }
  }

  private mutating func read(
    _ column: Int, of record: Record, _ batch: inout RecordBatch
  ) -> FieldReader.Value {
    let rule = rules[column]
    let missing = FieldReader.Value(fault: rule.isNullable ? nil : .missingValue)
    guard rule.field >= 0 else { return missing }
    let field = batch.fields[record.firstField + rule.field]
    if let reader = readers[column] {
      chunk.newText.begin(at: batch.end)
      let value = reader.read(field, of: batch.bytes.span, newText: &chunk.newText)
      batch.append(chunk.newText.bytes)
      return value
    }
    guard field.start < field.end else { return missing }
    let (bits, fault) = rule.read(
      field, of: batch.bytes.span, mayHaveLineFeed: true,
      table.columns[column].domain?.words ?? [])
    let isRead = rule.kind == .text || fault == nil || fault == .notAllowed
    return FieldReader.Value(
      bits: bits, storageClass: isRead ? rule.storageClass : RowBatch.StorageClass.null,
      fault: fault)
  }

  private mutating func addFault(_ code: RecordCode, in column: Int) {
    faults.append(RecordFault(code: code, column: column))
    isSound[column] = false
  }
}

extension Record {
  /// Whether its fields can be separated in spite of its faults.
  var hasFields: Bool { faults.isSubset(of: [.nulByte, .invalidUTF8]) }
}
