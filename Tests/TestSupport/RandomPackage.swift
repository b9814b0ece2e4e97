import Foundation
package import SQLiteSwiftly

/// Tables that random numbers decide on, with their description as a Data Package and their CSV files.
///
/// Every record is valid. What a database must hold of it follows from the values that the files are
/// written from, and from nothing that reads them.
package struct RandomPackage {
  package struct Column {
    package let name: String
    let kind: RandomColumnKind
    let isRequired: Bool
    /// The foreign key that it is a part of, among those of its table, and its place in it.
    let reference: (key: Int, place: Int)?
    /// About the most bytes of a text.
    let longest: Int
  }

  package struct Table {
    package let name: String
    package let columns: [Column]
    /// Columns by their places, as in all keys.
    let primaryKey: [Int]
    let uniqueKeys: [[Int]]
    /// The table that each foreign key refers to, which may be this one.
    let parents: [Int]
    let indexes: [[Int]]?
    let hasRowid: Bool?
    /// The rows as the database must hold them, in no order.
    package fileprivate(set) var rows: [[SQLiteValue]] = []
  }

  package private(set) var tables: [Table] = []

  /// Makes the package of a seed.
  package init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      var table = table(using: &random)
      let count = [0, 1, 1, 2, 30, 300].randomElement(using: &random) ?? 0
      table.rows = rows(count, of: table, using: &random)
      tables.append(table)
    }
  }
}

// MARK: - Descriptions

extension RandomPackage {
  /// Names that SQL, CSV or a rule for names could be misread at.
  private static let names = [
    "a", "b", "c", "order", "key", "x y", "Mixed", "rowid", "oid", "q\"q", "d.e", "\u{E9}", "null",
    "it's", "a,b", "-- x", "[y]", "1st",
  ]

  private func table(using random: inout SeededGenerator) -> Table {
    let count = [1, 2, 3, 3, 4, 5, 8, 40].randomElement(using: &random) ?? 1
    var columns = (0..<count).map { _ in
      (kind: RandomColumnKind.random(using: &random), reference: (key: Int, place: Int)?.none)
    }
    // Some refer to a table that is there, and some to their own, whose key is chosen below.
    var parents: [Int] = []
    for parent in tables.indices where Int.random(in: 0..<3, using: &random) == 0 {
      let key = tables[parent].primaryKey
      for (place, column) in key.enumerated() {
        columns.append((tables[parent].columns[column].kind, (parents.count, place)))
      }
      if !key.isEmpty { parents.append(parent) }
    }
    columns.shuffle(using: &random)
    let keyed = columns.indices.filter { columns[$0].kind != .number }
    let hasKey = !keyed.isEmpty && Int.random(in: 0..<7, using: &random) > 0
    var key = hasKey ? some(keyed, atMost: 3, using: &random) : []
    if hasKey, Int.random(in: 0..<4, using: &random) == 0 {
      let first = columns.count
      for (place, column) in key.enumerated() {
        columns.append((columns[column].kind, (parents.count, place)))
      }
      parents.append(tables.count)
      // The referring columns come first, in some tables, so that the key has the last one.
      if Bool.random(using: &random) {
        columns = Array(columns[first...] + columns[..<first])
        key = key.map { $0 + columns.count - first }
      }
    }
    let own = columns.indices.filter {
      columns[$0].reference.map { parents[$0.key] } != tables.count
    }
    var uniqueKeys: [[Int]] = []
    if Int.random(in: 0..<3, using: &random) == 0 {
      uniqueKeys = [some(own, atMost: 2, using: &random)].filter { $0 != key }
    }
    var indexes: [[Int]]?
    if Bool.random(using: &random) {
      indexes = []
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let index = some(Array(columns.indices), atMost: 4, using: &random)
        let others = (indexes ?? []) + uniqueKeys + [key]
        if !others.contains(index) { indexes?.append(index) }
      }
    }
    let isKeyed = Set(key + uniqueKeys.joined() + (indexes ?? []).joined())
    let names = Self.names.shuffled(using: &random) + (0..<count).map { "w\($0)" }
    return Table(
      name: "t\(tables.count)",
      columns: columns.enumerated().map { place, column in
        Column(
          name: names[place], kind: column.kind,
          isRequired: key.contains(place) || columns.count == 1
            || column.reference == nil && Bool.random(using: &random),
          reference: column.reference,
          longest: (isKeyed.contains(place)
            ? [3, 20, 200, 1000] : [3, 20, 200, 4070, 16_340, 40_000])
            .randomElement(using: &random) ?? 3)
      }, primaryKey: key, uniqueKeys: uniqueKeys, parents: parents, indexes: indexes,
      hasRowid: key.isEmpty ? nil : [nil, nil, true, false].randomElement(using: &random) ?? nil)
  }

  private func some(
    _ places: [Int], atMost most: Int, using random: inout SeededGenerator
  ) -> [Int] {
    Array(places.shuffled(using: &random).prefix(Int.random(in: 1...most, using: &random)))
  }

  /// The description, as JSON.
  package var description: String {
    get throws {
      let package: [String: Any] = ["name": "random", "resources": tables.map(resource)]
      let data = try JSONSerialization.data(
        withJSONObject: package, options: [.prettyPrinted, .sortedKeys])
      return String(decoding: data, as: UTF8.self)
    }
  }

  private func resource(_ table: Table) -> [String: Any] {
    let names = { (places: [Int]) in places.map { table.columns[$0].name } }
    var schema: [String: Any] = ["fields": table.columns.map(field)]
    if !table.primaryKey.isEmpty { schema["primaryKey"] = names(table.primaryKey) }
    if !table.uniqueKeys.isEmpty { schema["uniqueKeys"] = table.uniqueKeys.map(names) }
    let foreignKeys = table.parents.enumerated().map { key, parent -> [String: Any] in
      let parent = parent == tables.count ? table : tables[parent]
      return [
        "fields": names(columns(of: key, in: table)),
        "reference": [
          "resource": parent.name == table.name ? "" : parent.name,
          "fields": parent.primaryKey.map { parent.columns[$0].name },
        ] as [String: Any],
      ]
    }
    if !foreignKeys.isEmpty { schema["foreignKeys"] = foreignKeys }
    var own: [String: Any] = [:]
    if let indexes = table.indexes { own["indexes"] = indexes.map(names) }
    if let hasRowid = table.hasRowid { own["rowid"] = hasRowid }
    return ["name": table.name, "path": table.name + ".csv", "schema": schema, "ingest": own]
  }

  private func field(_ column: Column) -> [String: Any] {
    var constraints = column.kind.constraints
    if column.isRequired { constraints["required"] = true }
    return ["name": column.name, "type": column.kind.type, "constraints": constraints]
  }

  /// The columns of a foreign key, in the order of the key that it refers to.
  private func columns(of key: Int, in table: Table) -> [Int] {
    table.columns.indices.filter { table.columns[$0].reference?.key == key }
      .sorted {
        (table.columns[$0].reference?.place ?? 0) < (table.columns[$1].reference?.place ?? 0)
      }
  }
}

// MARK: - Rows

extension RandomPackage {
  /// The bytes of texts of a table, or a few more.
  private static let mostBytes = 1 << 19

  private func rows(
    _ count: Int, of table: Table, using random: inout SeededGenerator
  ) -> [[SQLiteValue]] {
    let variety = [3, 40, 100_000].randomElement(using: &random) ?? 3
    let keys = [table.primaryKey].filter { !$0.isEmpty } + table.uniqueKeys
    var taken = keys.map { _ in Set<String>() }
    var rows: [[SQLiteValue]] = []
    var bytes = 0
    for _ in 0..<count {
      if bytes > Self.mostBytes { break }
      var row = table.columns.map { column -> SQLiteValue in
        if !column.isRequired, Int.random(in: 0..<4, using: &random) == 0 { return .null }
        return column.kind.value(longest: column.longest, variety: variety, using: &random)
      }
      for (key, parent) in table.parents.enumerated() where parent < tables.count {
        refer(&row, by: key, of: table, to: tables[parent].rows, using: &random)
      }
      for case .text(let text) in row { bytes += text.utf8.count }
      let isFree = keys.indices.allSatisfy { place in
        let values = keys[place].map { row[$0] }
        return values.contains(.null) || taken[place].insert("\(values)").inserted
      }
      let isComplete = zip(table.columns, row).allSatisfy { !$0.isRequired || $1 != .null }
      // A line without anything is no record.
      if isFree, isComplete, row.contains(where: { $0 != .null }) { rows.append(row) }
    }
    for (key, parent) in table.parents.enumerated() where parent == tables.count {
      let parents = rows
      for place in rows.indices {
        refer(&rows[place], by: key, of: table, to: parents, using: &random)
      }
    }
    return rows.filter { row in row.contains { $0 != .null } }
  }

  /// Makes a row refer to one of another table, or to none.
  private func refer(
    _ row: inout [SQLiteValue], by key: Int, of table: Table, to parents: [[SQLiteValue]],
    using random: inout SeededGenerator
  ) {
    let columns = columns(of: key, in: table)
    let parent = table.parents[key] == tables.count ? table : tables[table.parents[key]]
    let isRequired = columns.contains { table.columns[$0].isRequired }
    let chosen =
      isRequired || Int.random(in: 0..<4, using: &random) > 0
      ? parents.randomElement(using: &random) : nil
    for (column, target) in zip(columns, parent.primaryKey) {
      row[column] = chosen?[target] ?? .null
    }
    // A reference that is NULL in part refers to nothing.
    if !isRequired, Int.random(in: 0..<8, using: &random) == 0,
      let column = columns.randomElement(using: &random)
    {
      row[column] = .null
    }
  }

  /// The file of a table.
  package func file(of table: Table) -> String {
    let header = table.columns.map { Self.field($0.name) }
    let records = table.rows.map { row in
      zip(table.columns, row).map { Self.field($0.kind.text(of: $1)) }
    }
    return ([header] + records).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2c || $0 == 0x0a }) else { return text }
    return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
