import SQLiteSwiftly

/// The key columns of tables to which later tables refer, so that entries can be packed.
struct ParentKeys: Sendable {
  let tables: [TableDescription]
  /// The referenced columns of each table.
  private let referenced: [[Int]]
  /// The columns of the current table.
  private var current: [Column] = []
  private var table = -1
  private var texts: [Place: TextRanks] = [:]
  private var integers: [Place: ColumnValues] = [:]
  /// The ranks of texts in the current batch.
  private(set) var ranks = RowRanks()

  private struct Place: Hashable {
    let table: Int
    let column: Int
  }

  private struct Column: Sendable {
    let column: Int
    let texts: TextCollection?
    var least = Int64.max
    var greatest = Int64.min
    /// The first numbers, one more than can be ranked.
    var numbers: [Int64] = []

    mutating func add(_ number: Int64) {
      least = min(least, number)
      greatest = max(greatest, number)
      if numbers.count <= NumberRanks.mostNumbers { numbers.append(number) }
    }

    var integers: ColumnValues? {
      guard least <= greatest else { return nil }
      if numbers.count <= NumberRanks.mostNumbers, let ranks = NumberRanks(numbers) {
        return .ranked(ranks)
      }
      return .integers(least...greatest)
    }
  }

  init(of tables: [TableDescription]) {
    self.tables = tables
    var referenced = tables.map { _ in [Int]() }
    for table in tables where table.keyIndexPlace > 0 {
      for key in table.foreignKeys where key.columns.count == 1 {
        guard let parent = Self.parent(of: key, in: tables) else { continue }
        if !referenced[parent.table].contains(parent.column) {
          referenced[parent.table].append(parent.column)
        }
      }
    }
    self.referenced = referenced
  }

  private static func parent(of key: ForeignKeyDescription, in tables: [TableDescription]) -> Place?
  {
    guard let table = tables.firstIndex(where: { haveSameBytes($0.name, key.table) }),
      let column = tables[table].columnIndex(key.keyColumns[0]),
      ([tables[table].primaryKey] + tables[table].uniqueKeys).contains(where: {
        haveSameBytes($0, key.keyColumns)
      })
    else { return nil }
    return Place(table: table, column: column)
  }

  mutating func begin(table index: Int) {
    table = index
    ranks = RowRanks()
    current = referenced[index].map { place in
      Column(
        column: place, texts: tables[index].columns[place].type == .text ? TextCollection() : nil)
    }
  }

  mutating func add(_ batch: borrowing RowBatch) {
    ranks.find(in: batch)
    for index in current.indices {
      let column = current[index].column
      var cell = column
      for _ in 0..<batch.rows {
        switch batch.classes[cell] {
        case RowBatch.StorageClass.integer:
          current[index].add(batch.values[cell])
        case RowBatch.StorageClass.text:
          let (start, count) = RowBatch.textPlace(batch.values[cell])
          current[index].texts?.add(textAt: start..<start + count, of: batch.text.span)
        default: break
        }
        cell += batch.columns
      }
    }
  }

  mutating func finishTable() {
    for column in current {
      let index = Place(table: table, column: column.column)
      if let texts = column.texts {
        self.texts[index] = texts.ranks()
      } else {
        integers[index] = column.integers
      }
    }
    current = []
  }

  /// What is known of the values in a column of a table; nil for texts without ranks, and reals.
  mutating func values(ofColumn column: Int) -> ColumnValues? {
    let description = tables[table].columns[column]
    for key in tables[table].foreignKeys where haveSameBytes(key.columns, [description.name]) {
      guard let parent = Self.parent(of: key, in: tables) else { continue }
      if let texts = texts[parent] {
        return .texts(texts, column: ranks.column(of: texts, place: column))
      }
      if let integers = integers[parent] { return integers }
    }
    switch (description.type, description.domain) {
    case (.boolean, _): return .integers(0...1)
    case (.integer, .within(let range)): return .integers(range)
    case (.integer, .atLeast(let least)): return .integersFrom(least)
    case (.integer, _): return .integersFrom(0)
    default: return nil
    }
  }
}

/// The ranks of ranked texts in the rows of a batch.
struct RowRanks: Sendable {
  private var columns: [(texts: TextRanks, place: Int)] = []
  /// The ranks plus 1, of one column after the other.
  private var ranks: [UInt32] = []
  private var rows = 0

  /// The number of a column of texts; they are ranked from the next batch on.
  mutating func column(of texts: TextRanks, place: Int) -> Int {
    if let known = columns.firstIndex(where: { $0.place == place }) { return known }
    columns.append((texts, place))
    return columns.count - 1
  }

  mutating func find(in batch: borrowing RowBatch) {
    rows = batch.rows
    let count = rows * columns.count
    if ranks.count < count { ranks += [UInt32](repeating: 0, count: count - ranks.count) }
    for (index, column) in columns.enumerated() {
      column.texts.find(column: column.place, of: batch, into: &ranks, at: index * rows)
    }
  }

  /// The rank of a row's text; -1 if it has none.
  @inline(__always)
  func rank(column: Int, row: Int) -> Int { Int(ranks[column &* rows &+ row]) &- 1 }
}
