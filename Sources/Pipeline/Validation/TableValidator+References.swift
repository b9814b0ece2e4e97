import Vocabulary
import CSV
import SQLiteSwiftly
import Schema

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
  /// All references to the table itself, each with the index of its referenced columns in `TableKeys.survivors`.
  var own: [(key: StoredKey, survivor: Int)] = []

  /// A survey does not yet know which of the table's own records will be loaded.
  init(
    table index: Int, of schema: SchemaDescription, keys: borrowing KeyRegistry, isSurvey: Bool
  ) {
    let table = schema.tables[index]
    for (place, key) in table.foreignKeys.enumerated() {
      let isOwn = haveSameBytes(key.table, table.name)
      let stored = StoredKey(key.columns, of: table)
      let parents = keys.parents(ofForeignKey: place, inTable: index)
      if isOwn {
        let set = keys.parents[parents.lowerBound]
        own.append((stored, keys.tables[index].survivors.firstIndex { $0.set == set } ?? 0))
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
      for index in 0..<chunk.count where chunk.faults[index] == nil {
        if !hasParent(lookup, rows.rows + index, of: rows, bytes, keys) {
          chunk.faults[index] = Fault(code: .missingParent, column: lookup.key.columns[0].index)
        }
      }
    }
  }

  mutating func lateFault(
    _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>, _ keys: borrowing KeyRegistry
  ) -> Fault? {
    for lookup in references.lateLookups where !hasParent(lookup, row, of: rows, bytes, keys) {
      hasInsertedKeys = true
      return Fault(code: .missingParent, column: lookup.key.columns[0].index)
    }
    return nil
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
    _ bytes: Span<UInt8>, _ keys: borrowing KeyRegistry
  ) {
    survey.beginRecord()
    for (place, survivor) in keys.tables[tableIndex].survivors.enumerated() {
      add(survivor.key, of: place, row, of: rows, to: &survey, bytes)
    }
    for (key, survivor) in references.own {
      add(key, of: survivor, row, of: rows, to: &survey, bytes)
    }
    survey.endRecord()
  }

  private mutating func add(
    _ key: StoredKey, of place: Int, _ row: Int, of rows: borrowing RowBatch,
    to survey: inout SelfReferenceSurvey, _ bytes: Span<UInt8>
  ) {
    if key.read(row, of: rows, bytes, into: &composedKey) {
      survey.add(composedKey.span, of: place)
    } else {
      survey.addNone()
    }
  }
}
