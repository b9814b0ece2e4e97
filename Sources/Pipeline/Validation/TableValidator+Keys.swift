import Facts
import CSV
import SQLiteSwiftly

extension TableValidator {
  /// Notes all keys of a record of the chunk, which would be `row`, unless one of them is there
  /// already; then looks up the references that come after them.
  mutating func keyFault(
    _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>,
    _ keys: inout KeyRegistry
  ) -> Fault? {
    if groupedKeys != nil {
      if hasNull(plans[0], row, of: rows) { return nil }
      if plans[0].form == .packed {
        let key = tokens(plans[0], index)
        return groupedKeys?.insert(key) == true ? nil : duplicate(plans[0])
      }
      let isNew =
        if let key = packed(plans[0], index, row, of: rows, bytes) {
          groupedKeys?.insert(key) == true
        } else {
          keys.sets[plans[0].set].insert(compose(plans[0], index, row, of: rows, bytes).span)
        }
      return isNew ? nil : duplicate(plans[0])
    }
    // With one key the insert itself finds the duplicate; of several none may be noted before all
    // are known to be new.
    if plans.count > 1 {
      for plan in plans where !isNew(plan, index, row, of: rows, bytes, keys) {
        return duplicate(plan)
      }
    }
    for plan in plans where !hasNull(plan, row, of: rows) {
      let isNew =
        switch plan.form {
        case .integer: keys.sets[plan.set].insert(number(plan, row, of: rows))
        case .text: keys.sets[plan.set].insert(text(plan, row, of: rows), of: bytes)
        case .packed: keys.sets[plan.set].insert(tokens(plan, index))
        case .mostlyPacked, .composed:
          if let key = packed(plan, index, row, of: rows, bytes) {
            keys.sets[plan.set].insert(key)
          } else {
            keys.sets[plan.set].insert(compose(plan, index, row, of: rows, bytes).span)
          }
        }
      if !isNew { return duplicate(plan) }
    }
    return references.lateLookups.isEmpty ? nil : lateFault(row, of: rows, bytes, keys)
  }

  private func duplicate(_ plan: KeyPlan) -> Fault {
    Fault(code: .duplicateKey, column: keyColumns[plan.columns.lowerBound].index)
  }

  /// Whether no record before has a key of a record of the chunk, which would be `row`.
  mutating func isFree(
    _ plan: KeyPlan, _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>,
    _ keys: borrowing KeyRegistry
  ) -> Bool {
    guard groupedKeys != nil, !hasNull(plan, row, of: rows),
      let key = plan.form == .packed
        ? tokens(plan, index) : packed(plan, index, row, of: rows, bytes)
    else { return isNew(plan, index, row, of: rows, bytes, keys) }
    return groupedKeys?.contains(key) == false
  }

  private mutating func isNew(
    _ plan: KeyPlan, _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>,
    _ keys: borrowing KeyRegistry
  ) -> Bool {
    if hasNull(plan, row, of: rows) { return true }
    return switch plan.form {
    case .integer: keys.sets[plan.set].ordinal(of: number(plan, row, of: rows)) == nil
    case .text: keys.sets[plan.set].ordinal(of: text(plan, row, of: rows), of: bytes) == nil
    case .packed: keys.sets[plan.set].ordinal(of: tokens(plan, index)) == nil
    case .mostlyPacked, .composed:
      if let key = packed(plan, index, row, of: rows, bytes) {
        keys.sets[plan.set].ordinal(of: key) == nil
      } else {
        keys.sets[plan.set].ordinal(of: compose(plan, index, row, of: rows, bytes).span) == nil
      }
    }
  }

  private func hasNull(_ plan: KeyPlan, _ row: Int, of rows: borrowing RowBatch) -> Bool {
    guard plan.canBeNull else { return false }
    for place in plan.columns {
      let cell = row * rows.columns + keyColumns[place].index
      if rows.classes[cell] == RowBatch.StorageClass.null { return true }
    }
    return false
  }

  /// The number in a key's only column; not its token, which no other table could look up.
  private func number(_ plan: KeyPlan, _ row: Int, of rows: borrowing RowBatch) -> UInt64 {
    let column = keyColumns[plan.columns.lowerBound].index
    return UInt64(bitPattern: rows.values[row * rows.columns + column])
  }

  /// The key as one number: its columns' tokens side by side.
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

  /// The key as one number, or nil if it does not fit into one.
  private mutating func packed(
    _ plan: KeyPlan, _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>
  ) -> UInt64? {
    guard plan.form != .composed else { return nil }
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

  /// The place of the text of a key's only column.
  private func text(_ plan: KeyPlan, _ row: Int, of rows: borrowing RowBatch) -> Range<Int> {
    text(keyColumns[plan.columns.lowerBound].index, row, of: rows)
  }

  /// The place of the text of a cell.
  func text(_ column: Int, _ row: Int, of rows: borrowing RowBatch) -> Range<Int> {
    let (start, count) = RowBatch.textPlace(rows.values[row * rows.columns + column])
    return start..<start + count
  }

  /// The key as bytes that only equal values give: 8 for a number, the length and bytes of a text.
  private mutating func compose(
    _ plan: KeyPlan, _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>
  ) -> [UInt8] {
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
    return composedKey
  }
}
