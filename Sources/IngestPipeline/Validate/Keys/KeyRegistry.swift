import SQLiteSwiftly

/// The keys of all tables that were read so far, for finding duplicates and parents.
///
/// Keys that no other table refers to are dropped when their table ends.
struct KeyRegistry {
  /// All key sets: for each table its primary key, its unique keys, and, for a table that refers to
  /// itself, the keys of the records that will be in it.
  var sets: [KeySet] = []
  /// The secret of the hashes of all sets, so that a text is hashed once for all it is looked up in.
  let seed: HashSeed
  /// What all sets together may take.
  let memory: KeyMemory
  /// The sets that each foreign key looks into, foreign key by foreign key.
  private(set) var parents: [Int] = []

  private var primary: [Int?] = []
  private var unique: [[Int]] = []
  private var survivors: [Int?] = []
  private var parentsOfColumn: [[Range<Int>]] = []
  private var referenced: Set<Int> = []
  /// The sets of tables whose dumps could not be read, of which nobody knows what they hold.
  private var unknown: Set<Int> = []

  /// Lays out the sets of a schema.
  ///
  /// Every foreign key must have one column, which no other has, and refer to the primary key, of one
  /// column, of the table itself or of one before it, or to a union of such keys of tables before it.
  /// A table that refers to itself must not have unique keys: a record that they reject would leave
  /// its children, which may have been loaded before it, without a parent.
  init(
    _ schema: SchemaDescription, seed: HashSeed = HashSeed(),
    memory: KeyMemory = KeyMemory(limit: .max)
  ) {
    self.seed = seed
    self.memory = memory
    for table in schema.tables {
      let keyIsText = table.columns(of: table.primaryKey).first.map { $0.type == .text }
      primary.append(keyIsText.map { addSet(isText: $0) })
      unique.append(table.uniqueKeys.map { _ in addSet(isText: false) })
      let refersToItself = table.foreignKeys.contains { $0.table == table.name }
      precondition(
        !refersToItself || table.uniqueKeys.isEmpty,
        "\(table.name) refers to itself and has a unique key")
      survivors.append(refersToItself ? keyIsText.map { addSet(isText: $0) } : nil)
    }
    for (index, table) in schema.tables.enumerated() {
      parentsOfColumn.append(
        table.columns.map { column in
          let start = parents.count
          for key in table.foreignKeys where key.columns.hasName(column.name) {
            precondition(
              key.columns.count == 1 && parents.count == start,
              "a foreign key of \(table.name) has two columns, or a column two foreign keys")
            parents += sources(of: key, in: schema, before: index)
          }
          return start..<parents.count
        })
    }
    referenced = Set(parents)
  }

  /// Makes an empty set.
  func newSet(isText: Bool) -> KeySet { KeySet(isText: isText, seed: seed, memory: memory) }

  /// Counts what the sets take, when everything else that took memory for keys is gone.
  func recountMemory() { memory.restart(with: sets.reduce(0) { $0 + $1.bytes }) }

  private mutating func addSet(isText: Bool) -> Int {
    sets.append(newSet(isText: isText))
    return sets.count - 1
  }

  private func sources(
    of key: ForeignKeyDescription, in schema: SchemaDescription, before index: Int
  ) -> [Int] {
    let members =
      schema.keyUnions.first { $0.name == key.table }?.members
      ?? [.init(key.table, key.keyColumns[0])]
    return members.map { member in
      let parent = schema.tables.firstIndex { $0.name == member.table } ?? schema.tables.count
      precondition(
        parent < index || key.table == schema.tables[index].name,
        "\(member.table) must come before the tables that refer to it")
      precondition(
        schema.tables[parent].primaryKey == [member.keyColumn],
        "\(member.table).\(member.keyColumn) is referred to, and is not the primary key")
      guard let set = parent == index ? survivors[index] : primary[parent] else {
        preconditionFailure("\(member.table) has no primary key to refer to")
      }
      return set
    }
  }

  /// The place in `parents` of the sets that a column's values must be in; empty for no foreign key,
  /// and for one to a table whose dump could not be read.
  func parents(ofColumn column: Int, inTable table: Int) -> Range<Int> {
    let places = parentsOfColumn[table][column]
    let isKnown = !parents[places].contains(where: unknown.contains)
    return isKnown ? places : places.lowerBound..<places.lowerBound
  }

  /// Notes that a table's keys are not known, so that references to them are not checked.
  mutating func forget(table: Int) { unknown.formUnion(keySets(ofTable: table)) }

  /// The set of a table's primary key, followed by those of its unique keys.
  func keySets(ofTable table: Int) -> [Int] {
    (primary[table].map { [$0] } ?? []) + unique[table]
  }

  /// The set that holds the keys of the records that will be in a table that refers to itself.
  func survivorSet(ofTable table: Int) -> Int? { survivors[table] }

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
      if let ordinal = sets[set].ordinal(of: key) { return UInt64(base + ordinal) }
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

  /// Frees the sets of a table that no other table looks into.
  mutating func release(table: Int) {
    for set in keySets(ofTable: table) + [survivors[table]].compactMap({ $0 })
    where !referenced.contains(set) || set == survivors[table] {
      sets[set] = newSet(isText: sets[set].isText)
    }
    recountMemory()
  }
}

extension TableDescription {
  /// The columns of the primary key, if there is one, followed by those of the unique keys.
  var keys: [[String]] { (primaryKey.isEmpty ? [] : [primaryKey]) + uniqueKeys }

  /// The columns of a key.
  func columns(of key: [String]) -> [ColumnDescription] {
    key.compactMap { name in columns.first { haveSameBytes($0.name, name) } }
  }

  /// Whether a column is part of a key, be it another table's, or of an index.
  func hasInKeys(_ column: ColumnDescription) -> Bool {
    (keys + foreignKeys.map(\.columns) + indexes).contains { $0.hasName(column.name) }
  }
}
