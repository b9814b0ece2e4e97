import Vocabulary
import CSV
import SQLiteSwiftly

extension TableValidator {
  /// Inserts all keys of a record unless one exists already, and then checks the late references.
  mutating func keyFault(
    _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>,
    _ keys: inout KeyRegistry
  ) -> Fault? {
    // A single insert detects the duplicate itself; of several keys, none may be inserted unless all are new.
    if plans.count > 1 {
      for place in plans.indices where !isFree(plans[place], index, row, of: rows, bytes, keys) {
        return duplicate(plans[place])
      }
    }
    for place in plans.indices where !hasNull(plans[place], row, of: rows) {
      let plan = plans[place]
      let isNew =
        switch key(plan, index, row, of: rows, bytes) {
        case .number(let number):
          groupedKeys == nil
            ? keys.sets[plan.set].integers.insert(number) : groupedKeys?.insert(number) == true
        case .text(let place): keys.sets[plan.set].texts.insert(place, of: bytes)
        case .composed: keys.sets[plan.set].texts.insert(composedKey.span)
        }
      if !isNew { return duplicate(plan) }
    }
    return references.lateLookups.isEmpty ? nil : lateFault(row, of: rows, bytes, keys)
  }

  private func duplicate(_ plan: KeyPlan) -> Fault {
    Fault(code: .duplicateKey, column: keyColumns[plan.columns.lowerBound].index)
  }

  /// Whether no earlier record has the key of a record of the chunk, prospectively in `row`.
  mutating func isFree(
    _ plan: KeyPlan, _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>,
    _ keys: borrowing KeyRegistry
  ) -> Bool {
    if hasNull(plan, row, of: rows) { return true }
    return switch key(plan, index, row, of: rows, bytes) {
    case .number(let number):
      groupedKeys == nil
        ? keys.sets[plan.set].integers.ordinal(of: number) == nil
        : groupedKeys?.contains(number) == false
    case .text(let place): keys.sets[plan.set].texts.ordinal(of: place, of: bytes) == nil
    case .composed: keys.sets[plan.set].texts.ordinal(of: composedKey.span) == nil
    }
  }

  /// The key of a record: a number, a text of the batch, or the contents of `composedKey`.
  private enum RecordKey {
    case number(UInt64)
    case text(Range<Int>)
    case composed
  }

  @inline(__always)
  private mutating func key(
    _ plan: KeyPlan, _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>
  ) -> RecordKey {
    let first = keyColumns[plan.columns.lowerBound].index
    switch plan.form {
    // The value, not its token, so that other tables can look it up.
    case .integer:
      return .number(UInt64(bitPattern: rows.values[row * rows.columns + first]))
    case .text: return .text(text(first, row, of: rows))
    case .packed: return .number(tokens(plan, index))
    case .mostlyPacked:
      if let key = packed(plan, index, row, of: rows, bytes) { return .number(key) }
    case .composed: break
    }
    compose(plan, index, row, of: rows, bytes)
    return .composed
  }

  private func hasNull(_ plan: KeyPlan, _ row: Int, of rows: borrowing RowBatch) -> Bool {
    guard plan.canBeNull else { return false }
    for place in plan.columns {
      let cell = row * rows.columns + keyColumns[place].index
      if rows.classes[cell] == RowBatch.StorageClass.null { return true }
    }
    return false
  }

  /// The key as one number: the concatenated tokens of its columns.
  private func tokens(_ plan: KeyPlan, _ index: Int) -> UInt64 {
    var key: UInt64 = 0
    for place in plan.columns {
      let column = keyColumns[place]
      key =
        key &<< UInt64(column.packedBits)
        | chunk.tokens[column.index * RecordChunk.capacity + index]
    }
    return key
  }

  /// The key as one number, or nil if it does not fit.
  private mutating func packed(
    _ plan: KeyPlan, _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>
  ) -> UInt64? {
    var key: UInt64 = 0
    for place in plan.columns {
      let column = keyColumns[place]
      var token = chunk.tokens[column.index * RecordChunk.capacity + index]
      if let texts = column.texts {
        let text = text(column.index, row, of: rows)
        guard let ordinal = keyTexts[texts].ordinalInserting(text, of: bytes) else { return nil }
        token = UInt64(ordinal)
      }
      guard token &>> UInt64(column.packedBits) == 0 else { return nil }
      key = key &<< UInt64(column.packedBits) | token
    }
    return key
  }

  private func text(_ column: Int, _ row: Int, of rows: borrowing RowBatch) -> Range<Int> {
    let (start, count) = RowBatch.textPlace(rows.values[row * rows.columns + column])
    return start..<start + count
  }

  /// Sets `composedKey` to a unique encoding of the values: 8 bytes for a number, the length and bytes of a text.
  private mutating func compose(
    _ plan: KeyPlan, _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>
  ) {
    composedKey.removeAll(keepingCapacity: true)
    for place in plan.columns {
      let column = keyColumns[place]
      guard column.bits == 0 else {
        composedKey.append(number: chunk.tokens[column.index * RecordChunk.capacity + index])
        continue
      }
      let text = text(column.index, row, of: rows)
      composedKey.append(number: UInt64(text.count))
      for index in text { composedKey.append(bytes[index]) }
    }
  }
}
