import SQLiteSwiftly

/// The keys of all tables that were read so far, for finding duplicates and parents.
///
/// Keys that no other table refers to are dropped when their table ends.
struct KeyRegistry {
  /// All key sets: for each table its primary key, its unique keys, and, for a table that refers to
  /// itself, the keys of the records that will be in it.
  var sets: [KeySet] = []
  /// The sets that each foreign key looks into, one foreign key behind the other.
  private(set) var parents: [Int] = []

  private var primary: [Int?] = []
  private var unique: [[Int]] = []
  private var survivors: [Int?] = []
  private var parentsOfColumn: [[Range<Int>]] = []
  private var referenced: Set<Int> = []

  /// Lays out the sets of a schema.
  ///
  /// Every foreign key must have one column and refer to the table itself, to a key union, or to the
  /// primary key of a table before it.
  init(_ schema: SchemaDescription) {
    for table in schema.tables {
      let keyIsText = table.columns(of: table.primaryKey).first.map { $0.type == .text }
      primary.append(keyIsText.map { addSet(isText: $0) })
      unique.append(table.uniqueKeys.map { _ in addSet(isText: false) })
      let refersToItself = table.foreignKeys.contains { $0.table == table.name }
      survivors.append(refersToItself ? keyIsText.map { addSet(isText: $0) } : nil)
    }
    for (index, table) in schema.tables.enumerated() {
      parentsOfColumn.append(
        table.columns.map { column in
          let start = parents.count
          for key in table.foreignKeys where key.columns.contains(column.name) {
            precondition(key.columns.count == 1, "a foreign key of \(table.name) has two columns")
            parents += sources(of: key, in: schema, before: index)
          }
          return start..<parents.count
        })
    }
    referenced = Set(parents)
  }

  private mutating func addSet(isText: Bool) -> Int {
    sets.append(KeySet(isText: isText))
    return sets.count - 1
  }

  private func sources(
    of key: ForeignKeyDescription, in schema: SchemaDescription, before index: Int
  ) -> [Int] {
    let names =
      schema.keyUnions.first { $0.name == key.table }?.members.map(\.table) ?? [key.table]
    return names.map { name in
      let parent = schema.tables.firstIndex { $0.name == name } ?? schema.tables.count
      precondition(parent <= index, "\(name) must come before the tables that refer to it")
      guard let set = (parent == index ? survivors[index] : nil) ?? primary[parent] else {
        preconditionFailure("\(name) has no primary key to refer to")
      }
      return set
    }
  }

  /// The place in `parents` of the sets that a column's values must be in; empty for no foreign key.
  func parents(ofColumn column: Int, inTable table: Int) -> Range<Int> {
    parentsOfColumn[table][column]
  }

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
      sets[set] = KeySet(isText: sets[set].isText)
    }
  }
}

extension TableDescription {
  /// The columns of the primary key, if there is one, followed by those of the unique keys.
  var keys: [[String]] { (primaryKey.isEmpty ? [] : [primaryKey]) + uniqueKeys }

  /// The columns of a key.
  func columns(of key: [String]) -> [ColumnDescription] {
    key.compactMap { name in columns.first { $0.name == name } }
  }
}
