import Schema
import SQLiteSwiftly

extension TableValidator {
  /// Inserts all keys of a record, and then checks the late references; returns false if a key exists already, or if a
  /// reference lacks its parent.
  mutating func insertKeys(
    _ index: Int, _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>,
    _ keys: inout KeyRegistry
  ) -> Bool {
    // A single insert detects the duplicate itself; of several keys, none may be inserted unless all are new.
    if plans.count > 1 {
      for place in plans.indices where !isFree(plans[place], index, row, of: rows, bytes, keys) {
        return false
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
      if !isNew { return false }
    }
    return references.lateLookups.isEmpty || hasLateParents(row, of: rows, bytes, keys)
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
    case .packed:
      if let key = packed(plan, index, row, of: rows, bytes) { return .number(key) }
    case .composed: break
    }
    _ = composedKeys[plan.place].read(row, of: rows, bytes, into: &composedKey)
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

  /// The key as one number, the concatenated tokens of its columns; nil if it does not fit.
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
}

/// A plan for combining the values of a key's columns into one key of a `KeySet`.
struct KeyPlan {
  let set: Int
  /// The index of the key among those of the table.
  let place: Int
  /// The indices of the key's columns among those of all keys of the table.
  let columns: Range<Int>
  let form: Form
  /// Whether any of the columns can be NULL; such a key equals no other.
  let canBeNull: Bool

  enum Form {
    case integer
    case text
    /// Several columns whose tokens fit into 64 bits; if not all of them do, the other keys are composed.
    case packed
    case composed
  }

  struct Column {
    let index: Int
    /// The bits of the largest token; 0 for text without a foreign key, which has none.
    let bits: Int
    var packedBits = 0
    /// The set of the column's texts, for text without a foreign key in a packed key; their ordinals are the tokens.
    var texts: Int?

    fileprivate var isOpen: Bool { bits == 0 || bits > KeyPlan.mostSharedBits }
  }

  /// Plans the key of `keyColumns`, at `columns` among those of all keys, and sets their bits.
  init(
    set: Int, place: Int, columns: Range<Int>, _ keyColumns: inout [Column],
    of table: TableDescription
  ) {
    self.set = set
    self.place = place
    self.columns = columns
    let described = keyColumns.map { table.columns[$0.index] }
    canBeNull = !described.allSatisfy(table.requires)
    if described.count == 1 {
      form = described[0].type == .text ? .text : .integer
    } else {
      form = described.contains { $0.type == .real } ? .composed : Self.packedForm(&keyColumns)
    }
  }

  var isText: Bool { form == .text || form == .composed }

  /// The most bits of a token of unknown size, and of a token of a text: with more, there would be no groups.
  private static let mostSharedBits = 32
  private static let mostTextBits = 23
  /// With fewer, few keys would fit.
  private static let fewestSharedBits = 8

  /// Sets the bits of each column; tokens of unknown size share the remaining bits equally.
  private static func packedForm(_ columns: inout [Column]) -> Form {
    let known = columns.reduce(0) { $1.isOpen ? $0 : $0 + $1.bits }
    let open = columns.count(where: \.isOpen)
    let share = open == 0 ? 0 : (63 - known) / open
    guard open == 0 ? known <= 64 : share >= fewestSharedBits else { return .composed }
    for index in columns.indices {
      let column = columns[index]
      columns[index].packedBits =
        !column.isOpen ? column.bits : min(share, column.bits == 0 ? mostTextBits : mostSharedBits)
    }
    return .packed
  }
}

extension ColumnDescription {
  /// The bits of the largest value, as the token in a composite key; 0 for text, which has none.
  var tokenBits: Int {
    switch (type, domain) {
    case (.text, _): 0
    case (.boolean, _): 1
    case (.integer, .within(let range)) where range.lowerBound >= 0:
      Int64.bitWidth - range.upperBound.leadingZeroBitCount
    case (.integer, .atLeast(0...)): Int64.bitWidth - 1
    default: 64
    }
  }
}

/// The references from and to a table that are not checked column by column.
struct TableReferences {
  /// A reference whose columns are looked up together after they are read.
  struct Lookup {
    let foreignKey: Int
    let key: StoredKey
    /// The range of its parent sets in `KeyRegistry.parents`.
    let parents: Range<Int>
  }

  /// Composite references, and further references of a column.
  var lookups: [Lookup] = []
  /// References to the table itself that are checked after a record's keys were inserted.
  var lateLookups: [Lookup] = []
  /// The columns to which the table itself refers, and its references to them, each with its index in
  /// `TableKeys.survivors`.
  var surveyed: [(key: StoredKey, survivor: Int)]

  /// A survey does not yet know which of the table's own records will be loaded.
  init(
    table index: Int, of schema: SchemaDescription, keys: borrowing KeyRegistry, isSurvey: Bool
  ) {
    let table = schema.tables[index]
    let survivors = keys.tables[index].survivors
    surveyed = survivors.enumerated().map { ($1.key, $0) }
    for (place, key) in table.foreignKeys.enumerated() {
      let isOwn = haveSameBytes(key.table, table.name)
      let stored = StoredKey(key.columns, of: table)
      let parents = keys.parents(ofForeignKey: place, inTable: index)
      if isOwn {
        let set = keys.parents[parents.lowerBound]
        surveyed.append((stored, survivors.firstIndex { $0.set == set } ?? 0))
      }
      guard !parents.isEmpty, !(isOwn && isSurvey) else { continue }
      let lookup = Lookup(foreignKey: place, key: stored, parents: parents)
      if isOwn, keys.tables[index].insertsKeysFirst {
        lateLookups.append(lookup)
      } else if table.columnReference(key.columns) != place {
        lookups.append(lookup)
      }
    }
  }
}

extension TableDescription {
  func columnReference(_ columns: [String]) -> Int? {
    columns.count == 1 ? foreignKeys.firstIndex { haveSameBytes($0.columns, columns) } : nil
  }
}

extension TableValidator {
  mutating func findParents(
    in rows: borrowing RowBatch, _ bytes: Span<UInt8>, _ keys: borrowing KeyRegistry
  ) {
    for lookup in references.lookups {
      for index in 0..<chunk.count where !chunk.isFaulty[index] {
        chunk.isFaulty[index] = !hasParent(lookup, rows.rows + index, of: rows, bytes, keys)
      }
    }
  }

  mutating func hasLateParents(
    _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>, _ keys: borrowing KeyRegistry
  ) -> Bool {
    for lookup in references.lateLookups where !hasParent(lookup, row, of: rows, bytes, keys) {
      hasInsertedKeys = true
      return false
    }
    return true
  }

  /// Whether a reference has a parent or is NULL, as it is in SQL if any of its columns is.
  mutating func hasParent(
    _ lookup: TableReferences.Lookup, _ row: Int, of rows: borrowing RowBatch,
    _ bytes: Span<UInt8>, _ keys: borrowing KeyRegistry
  ) -> Bool {
    guard lookup.key.read(row, of: rows, bytes, into: &composedKey) else { return true }
    return keys.contains(composedKey.span, lookup.parents)
  }

  mutating func collect(
    _ count: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>, _ keys: inout KeyRegistry
  ) {
    for referenced in keys.tables[tableIndex].collected {
      for row in rows.rows..<rows.rows + count
      where referenced.key.read(row, of: rows, bytes, into: &composedKey) {
        _ = keys.sets[referenced.set].insert(stored: composedKey.span)
      }
    }
  }

  mutating func add(
    row: Int, of rows: borrowing RowBatch, to survey: inout SelfReferenceSurvey,
    _ bytes: Span<UInt8>
  ) {
    for (key, survivor) in references.surveyed {
      if key.read(row, of: rows, bytes, into: &composedKey) {
        survey.add(composedKey.span, of: survivor)
      } else {
        survey.addNone()
      }
    }
    survey.endRecord()
  }
}
