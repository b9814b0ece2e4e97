package import SQLiteSwiftly

/// A table with rows and indexes that random numbers decide on.
package struct RandomTable {
  package let table: TableDescription
  package let rows: [[SQLiteValue]]
  package let pageBytes: Int

  /// Makes the table of a seed.
  package init(seed: UInt64, mostRows: Int = 3000, mostBytes: Int = 4 << 20) {
    var random = SeededGenerator(seed: seed)
    self.init(mostRows: mostRows, mostBytes: mostBytes, using: &random)
  }

  /// Makes a table with so many rows, and bytes in its texts, or a few more.
  package init(
    mostRows: Int, mostBytes: Int, using random: inout some RandomNumberGenerator
  ) {
    pageBytes = 512 << Int.random(in: 0...7, using: &random)
    let hasRowid = Bool.random(using: &random)
    let keyColumns = hasRowid ? 1 : Int.random(in: 1...5, using: &random)
    let columns = (0..<keyColumns + Int.random(in: 1...5, using: &random)).map { place in
      let type: ColumnDescription.DataType =
        place == 0 ? .integer : one(of: [.integer, .text, .text, .boolean], using: &random)
      return ColumnDescription(
        "c\(place)", type, isNullable: place >= keyColumns && Bool.random(using: &random))
    }
    let names = columns.map(\.name)
    // Some tables have no key, so that SQLite counts their rows. No two rows share their first column, which
    // may come last in the key.
    let key =
      hasRowid && Bool.random(using: &random)
      ? [] : names.prefix(keyColumns).shuffled(using: &random)
    var indexes: [[String]] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let index = Array(
        names.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random)))
      if !indexes.contains(index) { indexes.append(index) }
    }
    // A key with the primary key in it is unique whatever else is.
    let unique = [Array(names.dropFirst(keyColumns).prefix(2)) + names.prefix(keyColumns)]
    let hasUnique = Bool.random(using: &random) && !indexes.contains(unique[0])
    table = TableDescription(
      "t", columns: columns, primaryKey: key, uniqueKeys: hasUnique ? unique : [],
      indexes: indexes, isWithoutRowid: hasRowid ? false : true)
    let count = min(mostRows, one(of: [0, 1, 2, 30, 400, 3000], using: &random))
    let longest = one(of: [3, 20, 200, pageBytes, 3 * pageBytes], using: &random)
    let variety = one(of: [2, 50, 1_000_000], using: &random)
    var rows: [[SQLiteValue]] = []
    var bytes = 0
    for row in 0..<count where bytes < mostBytes {
      let values = columns.enumerated().map { place, column -> SQLiteValue in
        if place == 0 { return .integer(Int64(row) * 3 - 50) }
        if column.isNullable, Int.random(in: 0..<4, using: &random) == 0 { return .null }
        return Self.value(of: column.type, longest: longest, variety: variety, using: &random)
      }
      for case .text(let text) in values { bytes += text.utf8.count }
      rows.append(values)
    }
    self.rows = rows.shuffled(using: &random)
  }

  private static func value(
    of type: ColumnDescription.DataType, longest: Int, variety: Int,
    using random: inout some RandomNumberGenerator
  ) -> SQLiteValue {
    switch type {
    case .boolean: return .integer(Int64.random(in: 0...1, using: &random))
    case .integer:
      // Around each border between the widths of a record's integers.
      let border =
        Int64(1) << one(of: [0, 7, 8, 15, 16, 23, 31, 32, 47, 48, 55, 62], using: &random)
      let near = border &+ Int64.random(in: -2...2, using: &random)
      let number = Int.random(in: 0..<20, using: &random) == 0 ? .max : near
      return .integer(Bool.random(using: &random) ? number : ~number)
    default:
      let kind = Int.random(in: 0..<variety, using: &random)
      var own = SeededGenerator(seed: UInt64(kind))
      let count = kind == 0 ? 0 : Int.random(in: 0...longest, using: &own)
      let letters = ["a", "b", "é", "\0", "\u{1}", "\u{7f}", "\u{10FFFF}", "00000000"]
      var text = ""
      while text.utf8.count < count { text += one(of: letters, using: &own) }
      return .text(text)
    }
  }
}

/// One of some values.
private func one<Value>(
  of values: [Value], using random: inout some RandomNumberGenerator
) -> Value {
  values[Int.random(in: values.indices, using: &random)]
}
