import Text
import SQLiteSwiftly
import Schema

struct PackageReader {
  /// More would take long to check.
  static let mostResources = 1000

  let properties: Properties
  let companions: CompanionFile
  let needsPlaces: Bool

  private var findings: Findings { properties.findings }

  /// The name of the package and its schema; nil if there are faults.
  func read() -> DataPackage.Contents? {
    properties.checkNames(PropertyNames.package)
    let own = properties.ownProperties([
      "exact", "inferredTypes", "keyUnions", "applicationID", "version", "distribute",
    ])
    var surroundings = ColumnReader.Surroundings()
    surroundings.missingValues = properties.missingValues ?? surroundings.missingValues
    surroundings.isExact = own?.truth("exact") ?? false
    let resources = readResources(surroundings)
    let unions = unions(own?.list("keyUnions", most: Self.mostUnions) ?? [], of: resources)
    let names = properties["resources"]?.elements?.compactMap { $0["name"]?.json.text } ?? []
    var builder = SchemaBuilder(resources, unions: unions, named: names, findings)
    let tables = builder.tables()
    let name = properties.text("name") ?? "datapackage"
    var schema = SchemaDescription(
      tables: tables.map(\.table), keyUnions: unions,
      applicationID: own.flatMap(applicationID)
        ?? derivedID(
          of: properties["name"]?.json.text ?? resources.map(\.name).joined(separator: "\n")),
      version: own?.count("version").flatMap(Int32.init(exactly:)) ?? 1)
    schema.sources = tables.map(\.source)
    schema.hasInferredTypes = own?.truth("inferredTypes") ?? false
    schema.distributed = own?["distribute"].flatMap { distributed($0, resources) }
    guard findings.areNone else { return nil }
    do throws(SQLiteError) {
      try schema.validate()
    } catch {
      properties.node.fault(
        .propertyInvalid, error.message, expected: "a description without this fault")
      return nil
    }
    return DataPackage.Contents(name: name, schema: schema, warnings: findings.placedWarnings)
  }

  private func readResources(_ surroundings: ColumnReader.Surroundings) -> [Resource] {
    guard
      let nodes = properties.requiredList("resources", 1...Self.mostResources),
      let list = properties["resources"]
    else { return [] }
    let resources = nodes.compactMap { node in
      Properties(node, expected: "an object").flatMap { resource($0, surroundings) }
    }
    if resources.isEmpty, findings.areNone {
      list.fault(
        .propertyInvalid, "no resource can be loaded as a table", expected: "at least one CSV table"
      )
    }
    // Names that look alike count as equal, so that messages and files stay distinguishable.
    var names: Set<String> = []
    for resource in resources
    where !names.insert(String(decoding: foldedName(resource.name), as: UTF8.self)).inserted {
      resource.node.fault(
        .nameInvalid, "an earlier resource has the name \(JSON(resource.name).shortened)",
        expected: "names that differ in more than ASCII case")
    }
    return resources
  }

  private func distributed(_ node: Node, _ resources: [Resource]) -> DistributedTable? {
    guard let large = Properties(node, expected: "an object with table and column") else {
      return nil
    }
    large.refuseOthers(than: ["table", "column"])
    for name in ["table", "column"] where large[name] == nil {
      large.missing(name, expected: "an object with table and column")
    }
    guard let table = large.text("table"), let column = large.text("column") else { return nil }
    let resource = resources.first { haveSameBytes($0.name, table) }
    if resource?.columns.contains(where: { haveSameBytes($0.name, column) && !$0.isNullable })
      != true
    {
      node.fault(
        .referenceInvalid,
        "\(JSON(table).shortened) has no required field \(JSON(column).shortened)",
        expected: "a resource and one of its fields that is never empty")
    }
    return DistributedTable(table: table, column: column)
  }

  private func applicationID(_ own: Properties) -> Int32? {
    guard let node = own["applicationID"] else { return nil }
    let number = node.json.integer.flatMap { Int32(exactly: $0) }
    if number == nil || number == 0 {
      node.wrong(expected: "a nonzero 32-bit integer")
    }
    return number
  }

  /// An application ID derived from the name with FNV-1a, so that no family replaces the database of another.
  private func derivedID(of name: String) -> Int32 {
    let hash = name.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let number = Int32(hash & 0x7FFF_FFFF)
    // 0 is SQLite's default, and the other is the ID of the LEGO catalog.
    return number == 0 || number == 0x5242_4B43 ? number + 1 : number
  }
}
