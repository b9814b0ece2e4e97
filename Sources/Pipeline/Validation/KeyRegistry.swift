package import SQLiteSwiftly
package import Schema

/// The keys of all tables read so far; each set is released after the last table that needs it.
package struct KeyRegistry {
  package var sets: [KeySet] = []
  /// The seed for the hashes of all sets, so that a text is hashed only once for all lookups.
  package let seed: HashSeed
  package let memory: KeyMemory
  /// The parent sets of each foreign key, foreign key by foreign key.
  package private(set) var parents: [Int] = []

  package private(set) var tables: [TableKeys] = []
  /// The last table that needs each set.
  private var lastUser: [Int] = []
  /// The sets of tables whose source files could not be read, and whose contents are unknown.
  private var unknown: Set<Int> = []

  package struct TableKeys {
    /// The sets of the primary key, if any, and of each unique key.
    var keys: [Int]
    /// The referenced columns of other tables that no key set covers.
    package fileprivate(set) var collected: [ReferencedKey] = []
    /// The columns that the table itself refers to, with the sets of the records that will be loaded.
    package fileprivate(set) var survivors: [ReferencedKey] = []
    /// The range of each foreign key's sets in `parents`.
    fileprivate var parents: [Range<Int>] = []
    /// Whether each column is part of a key, foreign key or index, or is referenced.
    fileprivate(set) var isInKeys: [Bool]
    /// Whether the records of a table that refers to itself insert their keys before these references are checked, and
    /// keep them even without a parent.
    let insertsKeysFirst: Bool
  }

  package init(
    _ schema: SchemaDescription, seed: HashSeed = HashSeed(),
    memory: KeyMemory = KeyMemory(limit: .max)
  ) {
    self.seed = seed
    self.memory = memory
    for (index, table) in schema.tables.enumerated() {
      let keys = table.keys.map { addSet(for: StoredKey($0, of: table), ofTable: index) }
      let keyed = (table.keys + table.foreignKeys.map(\.columns) + table.indexes).joined()
      let names = Set(keyed.map { Array($0.utf8) })
      let isInKeys = table.columns.map { names.contains(Array($0.name.utf8)) }
      tables.append(
        TableKeys(keys: keys, isInKeys: isInKeys, insertsKeysFirst: table.insertsKeysFirst))
    }
    for (index, table) in schema.tables.enumerated() {
      for key in table.foreignKeys {
        let start = parents.count
        for source in schema.sources(of: key) {
          let set = set(for: source.columns, of: schema.tables, source.table, lookedUpBy: index)
          lastUser[set] = max(lastUser[set], index)
          for column in source.columns.compactMap(schema.tables[source.table].columnIndex) {
            tables[source.table].isInKeys[column] = true
          }
          parents.append(set)
        }
        precondition(parents.count > start, "the references of the schema have faults")
        tables[index].parents.append(start..<parents.count)
      }
    }
  }

  func newSet(isText: Bool) -> KeySet { KeySet(isText: isText, seed: seed, memory: memory) }

  package func recountMemory() { memory.restart(with: sets.reduce(0) { $0 + $1.bytes }) }

  private mutating func addSet(for key: StoredKey, ofTable table: Int) -> Int {
    sets.append(newSet(isText: key.isText))
    lastUser.append(table)
    return sets.count - 1
  }

  /// The set with the values of some columns of a table's records, or of those that will be loaded, for the table itself.
  private mutating func set(
    for columns: [String], of schema: [TableDescription], _ table: Int, lookedUpBy user: Int
  ) -> Int {
    let description = schema[table]
    let place = description.keys.firstIndex { haveSameBytes($0, columns) }
    // A composite key is stored as tokens, which other tables cannot look up.
    if user != table, columns.count == 1, !tables[table].insertsKeysFirst, let place {
      return tables[table].keys[place]
    }
    let key = StoredKey(columns, of: description)
    let known = user == table ? \TableKeys.survivors : \TableKeys.collected
    let same = tables[table][keyPath: known].first { other in
      other.key.columns.map(\.index) == key.columns.map(\.index)
    }
    if let same { return same.set }
    let set = addSet(for: key, ofTable: table)
    tables[table][keyPath: known].append(ReferencedKey(key: key, set: set))
    return set
  }

  /// The range in `parents` of the parent sets of a foreign key; empty if the source file of its parent could not be read.
  package func parents(ofForeignKey key: Int, inTable table: Int) -> Range<Int> {
    let places = tables[table].parents[key]
    let isKnown = !parents[places].contains(where: unknown.contains)
    return isKnown ? places : places.lowerBound..<places.lowerBound
  }

  /// Marks a table's keys as unknown, so that references to them are not checked.
  package mutating func forget(table: Int) {
    unknown.formUnion(tables[table].keys + tables[table].collected.map(\.set))
  }

  func tokenBits(_ parents: Range<Int>) -> Int {
    let last = parents.reduce(0) { $0 + 1 << sets[self.parents[$1]].ordinalBits }
    return Int.bitWidth - last.leadingZeroBitCount
  }

  func token(of key: UInt64, _ parents: Range<Int>) -> UInt64? {
    var base = 0
    for place in parents {
      let set = self.parents[place]
      if let ordinal = sets[set].integers.ordinal(of: key) { return UInt64(base + ordinal) }
      base += 1 << sets[set].ordinalBits
    }
    return nil
  }

  /// `bytes` are those from which the key was made.
  func token(of key: TextKeySet.Key, in bytes: Span<UInt8>, _ parents: Range<Int>) -> UInt64? {
    var base = 0
    for place in parents {
      let set = self.parents[place]
      if let ordinal = sets[set].texts.ordinal(of: key, in: bytes) { return UInt64(base + ordinal) }
      base += 1 << sets[set].ordinalBits
    }
    return nil
  }

  /// Whether a key, in the encoding of `StoredKey`, is in one of the sets.
  package func contains(_ key: Span<UInt8>, _ parents: Range<Int>) -> Bool {
    for place in parents where sets[self.parents[place]].contains(stored: key) { return true }
    return false
  }

  package mutating func restartKeys(ofTable table: Int) {
    for set in tables[table].keys { sets[set] = newSet(isText: sets[set].isText) }
  }

  package mutating func release(table: Int) {
    for set in sets.indices where lastUser[set] == table {
      sets[set] = newSet(isText: sets[set].isText)
    }
    recountMemory()
  }
}

extension TableDescription {
  package var keys: [[String]] { (primaryKey.isEmpty ? [] : [primaryKey]) + uniqueKeys }

  package var ownForeignKeys: [ForeignKeyDescription] {
    foreignKeys.filter { haveSameBytes($0.table, name) }
  }

  /// Only if all references are to the only key can a record without a parent leave its key to another one.
  ///
  /// Otherwise there would be a cycle: which of two records is loaded would decide whether a third one has a parent,
  /// and the third one would decide which of the two is loaded.
  var insertsKeysFirst: Bool {
    let own = ownForeignKeys.map { Set($0.keyColumns.map { Array($0.utf8) }) }
    return !own.isEmpty
      && !keys.allSatisfy { key in own.allSatisfy { $0 == Set(key.map { Array($0.utf8) }) } }
  }
}

/// Columns of a table whose stored values are looked up together: those of a reference, or its referenced columns.
struct StoredKey {
  let columns: [Column]
  /// Whether keys are bytes, those of a text or of several columns, and not the bits of a number.
  let isText: Bool

  struct Column {
    let index: Int
    let isText: Bool
  }

  init(_ names: [String], of table: TableDescription) {
    columns = names.compactMap(table.columnIndex).map { index in
      Column(index: index, isText: table.columns[index].type == .text)
    }
    isText = columns.count > 1 || columns.first?.isText == true
  }

  /// Sets `key` to a unique encoding of the values of a row; returns false if one of them is NULL.
  func read(
    _ row: Int, of rows: borrowing RowBatch, _ bytes: Span<UInt8>, into key: inout [UInt8]
  ) -> Bool {
    key.removeAll(keepingCapacity: true)
    for column in columns {
      let cell = row * rows.columns + column.index
      guard rows.classes[cell] != RowBatch.StorageClass.null else { return false }
      guard column.isText else {
        key.append(number: UInt64(bitPattern: rows.values[cell]))
        continue
      }
      let (start, count) = RowBatch.textPlace(rows.values[cell])
      if columns.count > 1 { key.append(number: UInt64(count)) }
      for index in start..<start + count { key.append(bytes[index]) }
    }
    return true
  }
}

/// Referenced columns, and the set of their values.
package struct ReferencedKey {
  let key: StoredKey
  package let set: Int
}

extension [UInt8] {
  /// Appends the bytes of a number in little-endian order.
  @inline(always)
  package mutating func append(number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: type(of: number).bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
