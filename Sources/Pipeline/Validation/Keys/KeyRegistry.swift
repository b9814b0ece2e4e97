package import SQLiteSwiftly
package import Schema

/// The keys of all tables that were read so far, for finding duplicates and parents.
///
/// Each is dropped when the last table that looks for it ends.
package struct KeyRegistry {
  package var sets: [KeySet] = []
  /// The secret of the hashes of all sets, so that a text is hashed once for all it is looked up in.
  package let seed: HashSeed
  package let memory: KeyMemory
  /// The sets that each foreign key looks into, foreign key by foreign key.
  package private(set) var parents: [Int] = []

  package private(set) var tables: [TableKeys] = []
  /// For each set the last table that it is looked into for.
  private var lastUser: [Int] = []
  /// The sets of tables whose dumps could not be read, of which nobody knows what they hold.
  private var unknown: Set<Int> = []

  package struct TableKeys {
    /// For the primary key, if there is one, and each unique key.
    var keys: [Int]
    /// What other tables refer to and no set of a key has.
    package fileprivate(set) var collected: [ReferencedKey] = []
    /// What the table itself refers to, with the sets of the records that will be in it.
    package fileprivate(set) var survivors: [ReferencedKey] = []
    /// For each foreign key the place of its sets in `parents`.
    fileprivate var parents: [Range<Int>] = []
    /// For each column whether it is part of a key, be it another table's, or of an index, or is referred to.
    fileprivate(set) var isInKeys: [Bool]
    /// Whether the records of a table that refers to itself take their keys before these references are
    /// looked at, and keep them when they lack a parent.
    let takesKeysFirst: Bool
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
        TableKeys(keys: keys, isInKeys: isInKeys, takesKeysFirst: table.takesKeysFirst))
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

  /// The set that has the values of some columns of the records that are in a table, or, for the table
  /// itself, of those that will be.
  private mutating func set(
    for columns: [String], of schema: [TableDescription], _ table: Int, lookedUpBy user: Int
  ) -> Int {
    let description = schema[table]
    let place = description.keys.firstIndex { haveSameBytes($0, columns) }
    // A key of several columns is kept as tokens, which nobody else could look up.
    if user != table, columns.count == 1, !tables[table].takesKeysFirst, let place {
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

  /// The place in `parents` of the sets that the values of a foreign key must be in; empty for one to a
  /// table whose dump could not be read.
  package func parents(ofForeignKey key: Int, inTable table: Int) -> Range<Int> {
    let places = tables[table].parents[key]
    let isKnown = !parents[places].contains(where: unknown.contains)
    return isKnown ? places : places.lowerBound..<places.lowerBound
  }

  /// Notes that a table's keys are not known, so that references to them are not checked.
  package mutating func forget(table: Int) {
    unknown.formUnion(tables[table].keys + tables[table].collected.map(\.set))
  }

  /// The bits of the tokens that stand for the values of a column with a foreign key.
  func tokenBits(_ parents: Range<Int>) -> Int {
    let last = parents.reduce(0) { $0 + 1 << sets[self.parents[$1]].ordinalBits }
    return Int.bitWidth - last.leadingZeroBitCount
  }

  /// Returns the token of the value that is looked up in `parents`, or nil if it is in none of them.
  func token(of key: UInt64, _ parents: Range<Int>) -> UInt64? {
    var base = 0
    for place in parents {
      let set = self.parents[place]
      if let ordinal = sets[set].integers.ordinal(of: key) { return UInt64(base + ordinal) }
      base += 1 << sets[set].ordinalBits
    }
    return nil
  }

  /// Returns the token of a text that is looked up in `parents`, or nil if it is in none of them.
  ///
  /// `bytes` are those that the key was made of.
  func token(
    of key: TextKeySet.Key, in bytes: Span<UInt8>, _ parents: Range<Int>
  ) -> UInt64? {
    var base = 0
    for place in parents {
      let set = self.parents[place]
      if let ordinal = sets[set].texts.ordinal(of: key, in: bytes) { return UInt64(base + ordinal) }
      base += 1 << sets[set].ordinalBits
    }
    return nil
  }

  /// Whether a key, as `StoredKey` reads it, is in one of the sets.
  package func contains(_ key: Span<UInt8>, _ parents: Range<Int>) -> Bool {
    for place in parents where sets[self.parents[place]].contains(stored: key) { return true }
    return false
  }

  package mutating func restartKeys(ofTable table: Int) {
    for set in tables[table].keys { sets[set] = newSet(isText: sets[set].isText) }
  }

  /// Frees the sets that no table after this one looks into.
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

  /// What `TableKeys.takesKeysFirst` says.
  ///
  /// If all references are to the only key, a record that lacks a parent can leave its key to another one:
  /// the record that takes it is what others refer to. With a second key, or a reference to other columns, it
  /// would depend on which of two records is loaded whether a third one has its parent, and on the third one
  /// which of the two is.
  var takesKeysFirst: Bool {
    let own = ownForeignKeys.map { Set($0.keyColumns.map { Array($0.utf8) }) }
    return !own.isEmpty
      && !keys.allSatisfy { key in
        own.allSatisfy { $0 == Set(key.map { Array($0.utf8) }) }
      }
  }
}
