import Schema
import SQLiteSwiftly
import Text

/// Builds tables from resources, and resolves their references.
struct SchemaBuilder {
  private let resources: [Resource]
  private let unions: [KeyUnionDescription]
  private let findings: Findings
  /// The names of all resources, including those that are not loaded.
  private let resourceNames: [String]
  private let places: [[UInt8]: Int]
  /// The names of tables and indexes, which share one namespace in SQLite.
  private var names: Set<[UInt8]>

  init(
    _ resources: [Resource], unions: [KeyUnionDescription], named resourceNames: [String],
    _ findings: Findings
  ) {
    self.resourceNames = resourceNames
    self.resources = resources
    self.unions = unions
    self.findings = findings
    places = Dictionary(
      resources.enumerated().map { (Array($1.name.utf8), $0) },
      uniquingKeysWith: { first, _ in first })
    names = Set((resources.map(\.name) + unions.map(\.name)).map(foldedName))
  }

  /// The tables with their sources, each after the tables that it references.
  mutating func tables() -> [(table: TableDescription, source: SourceDescription)] {
    for resource in resources {
      for reference in resource.references { check(reference, resource) }
    }
    for resource in resources { reserveIndexNames(of: resource) }
    guard findings.areNone, let order = loadOrder() else { return [] }
    return order.map { (table(of: resources[$0]), resources[$0].source) }
  }

  private mutating func table(of resource: Resource) -> TableDescription {
    let table = TableDescription(
      resource.name, columns: resource.columns, primaryKey: resource.primaryKey,
      uniqueKeys: resource.uniqueKeys, foreignKeys: resource.references.map { key($0, resource) },
      indexes: indexes(of: resource),
      isWithoutRowid: resource.isWithoutRowid
        ?? TableDescription.storage(of: resource.columns, primaryKey: resource.primaryKey),
      meaning: resource.meaning, since: resource.since)
    for fault in table.faults {
      resource.node.fault(.propertyInvalid, fault, expected: "a valid table")
    }
    return table
  }

  private func key(_ reference: Resource.Reference, _ resource: Resource) -> ForeignKeyDescription {
    let name = reference.resource ?? resource.name
    var key = ForeignKeyDescription(reference.fields, references: name, reference.target)
    key.isDeclared = target(name).map { $0.hasKey(of: reference.target) } ?? true
    return key
  }

  private func target(_ name: String) -> Resource? {
    places[Array(name.utf8)].map { resources[$0] }
  }

  private func union(_ name: String) -> KeyUnionDescription? {
    unions.first { haveSameBytes($0.name, name) }
  }

  /// The indexes of the resources, each after those that it references; a cycle adds a fault.
  private func loadOrder() -> [Int]? {
    let dependencies = dependencies
    var order: [Int] = []
    var isPlaced = resources.map { _ in false }
    // The resources being placed, from the first to the current one.
    var way: [Int] = []
    func put(_ index: Int) -> Bool {
      if isPlaced[index] { return true }
      if let start = way.firstIndex(of: index) {
        let names = (way[start...] + [index]).prefix(20).map { JSON(resources[$0].name).shortened }
        resources[way[start]].node.fault(
          .referenceCycle, "circular references: " + names.joined(separator: " -> "),
          expected: "tables that can be loaded in order: remove one of these foreign keys")
        return false
      }
      way.append(index)
      guard dependencies[index].allSatisfy({ $0 == index || put($0) }) else { return false }
      way.removeLast()
      isPlaced[index] = true
      order.append(index)
      return true
    }
    return resources.indices.allSatisfy(put) ? order : nil
  }

  /// The tables that must be loaded before each table.
  private var dependencies: [[Int]] {
    resources.map { resource in
      resource.references.flatMap { reference -> [Int] in
        guard let name = reference.resource else { return [] }
        if let place = places[Array(name.utf8)] { return [place] }
        return union(name)?.members.compactMap { places[Array($0.table.utf8)] } ?? []
      }
    }
  }

  private func check(_ reference: Resource.Reference, _ resource: Resource) {
    let name = reference.resource ?? resource.name
    let target = target(name)
    let union = union(name)
    func fault(_ problem: String, expected: String) {
      reference.node.fault(.referenceInvalid, problem, expected: expected)
    }
    guard target != nil || union != nil else {
      // The faults of that resource are already listed.
      if resourceNames.hasName(name), !findings.areNone { return }
      fault(
        "no table for the resource \(JSON(name).shortened)",
        expected: "the name of a loaded resource in this description")
      return
    }
    for field in reference.fields where resource.type(of: field) == nil {
      fault(
        "there is no field \(JSON(field).shortened)",
        expected: "field names of \(JSON(resource.name).shortened)")
    }
    let targetType = { (field: String) in
      target?.type(of: field) ?? union.flatMap { haveSameBytes($0.column, field) ? $0.type : nil }
    }
    for field in reference.target where targetType(field) == nil {
      fault(
        "\(JSON(name).shortened) has no field \(JSON(field).shortened)",
        expected: "names of its fields")
    }
    guard reference.fields.count == reference.target.count else {
      fault(
        "\(reference.fields.count) fields reference \(reference.target.count)",
        expected: "the same number of fields on both sides")
      return
    }
    for (field, other) in zip(reference.fields, reference.target) {
      guard let type = resource.type(of: field), let otherType = targetType(other),
        type != otherType
      else { continue }
      reference.node.fault(
        .referenceInvalid,
        "\(JSON(field).shortened) and \(JSON(other).shortened) have different types",
        expected: "fields of the same type")
    }
  }

  /// Reserves the names of indexes, and adds a fault for each name that is in use.
  private mutating func reserveIndexNames(of resource: Resource) {
    for columns in resource.uniqueKeys + (resource.indexes ?? []) {
      let isKnown = columns.allSatisfy { resource.type(of: $0) != nil }
      if !isKnown || columns.isEmpty {
        resource.node.fault(
          .referenceInvalid, "unknown field in the index \(shortened(columns))",
          expected: "field names of the schema")
      } else if !names.insert(indexName(resource, columns)).inserted {
        resource.node.fault(
          .nameInvalid, "the index of \(shortened(columns)) has the name of another table or index",
          expected: "another name for the resource")
      }
    }
  }

  private func shortened(_ names: [String]) -> String {
    "[" + names.map { JSON($0).shortened }.joined(separator: ", ") + "]"
  }

  private func indexName(_ resource: Resource, _ columns: [String]) -> [UInt8] {
    foldedName(([resource.name] + columns).joined(separator: "_"))
  }

  /// The indexes of the description, or by default of foreign keys, except for those whose name is in use.
  private mutating func indexes(of resource: Resource) -> [[String]] {
    if let indexes = resource.indexes { return indexes }
    let usual = TableDescription.defaultIndexes(
      primaryKey: resource.primaryKey, uniqueKeys: resource.uniqueKeys,
      foreignKeys: resource.references.map(\.fields))
    return usual.filter { names.insert(indexName(resource, $0)).inserted }
  }
}

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
    /// Whether it was inferred from earlier files.
    let isGuess: Bool
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

  mutating func addUniqueKey(_ key: [String]) { if !hasKey(of: key) { uniqueKeys.append(key) } }

  func hasKey(of columns: [String]) -> Bool {
    ([primaryKey] + uniqueKeys).contains { $0.setOfNames == columns.setOfNames }
  }
}
