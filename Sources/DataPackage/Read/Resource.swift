import SQLiteSwiftly
import Schema

/// A resource, which becomes a table when references are resolved.
struct Resource {
  /// The place of its name, for faults of the whole resource.
  let node: Node
  let name: String
  private(set) var columns: [ColumnDescription] = []
  private(set) var types: [FieldType] = []
  var source: SourceDescription
  private var places: [[UInt8]: Int] = [:]
  var primaryKey: [String] = []
  var uniqueKeys: [[String]] = []
  var references: [Reference] = []
  var indexes: [[String]]?
  var isWithoutRowid: Bool?
  var meaning: String?
  var since: String?

  init(node: Node, name: String) {
    self.node = node
    self.name = name
    source = SourceDescription(of: name, formats: [])
  }

  struct Reference {
    let node: Node
    let fields: [String]
    /// The referenced resource; nil for this one.
    let resource: String?
    let target: [String]
  }

  mutating func add(_ column: ColumnDescription, _ format: FieldFormat, _ type: FieldType) {
    places[Array(column.name.utf8)] = columns.count
    columns.append(column)
    types.append(type)
    source.formats.append(format)
  }

  func place(_ name: String) -> Int? { places[Array(name.utf8)] }

  func type(of column: String) -> ColumnDescription.DataType? {
    place(column).map { columns[$0].type }
  }

  /// Adds a key, unless the table already has it.
  mutating func addUniqueKey(_ key: [String]) {
    if !hasKey(of: key) { uniqueKeys.append(key) }
  }

  /// Whether the columns together are a key of the table.
  func hasKey(of columns: [String]) -> Bool {
    ([primaryKey] + uniqueKeys).contains { $0.setOfNames == columns.setOfNames }
  }
}

extension [String] {
  /// The names by bytes, as SQLite compares them.
  var setOfNames: Set<[UInt8]> { Set(map { [UInt8]($0.utf8) }) }
}
