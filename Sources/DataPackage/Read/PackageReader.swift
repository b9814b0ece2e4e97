import Platform
import Schema
import SQLiteSwiftly
import Text

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
    let nodes = properties.requiredList("resources", 1...Self.mostResources) ?? []
    let resources = nodes.compactMap { node in
      Properties(node, expected: "an object").flatMap { resource($0, surroundings) }
    }
    if resources.isEmpty, findings.areNone {
      properties["resources"]?.fault(
        .propertyInvalid, "no resource can be loaded as a table",
        expected: "at least one CSV table")
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
    if number == nil || number == 0 { node.wrong(expected: "a nonzero 32-bit integer") }
    return number
  }

  /// An application ID derived from the name with FNV-1a, so that no family replaces the database of another.
  private func derivedID(of name: String) -> Int32 {
    let hash = name.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let number = Int32(hash & 0x7FFF_FFFF)
    // 0 is SQLite's default, and the other is the ID of the LEGO catalog.
    return number == 0 || number == 0x5242_4B43 ? number + 1 : number
  }

  /// Reads a resource; nil if it is not loaded.
  func resource(
    _ properties: Properties, _ surroundings: ColumnReader.Surroundings
  ) -> Resource? {
    properties.checkNames(PropertyNames.resource)
    let own = properties.ownProperties([
      "exact", "optional", "matching", "since", "indexes", "foreignKeys", "rowid", "inferredKey",
      "controlEscapes",
    ])
    guard let name = name(of: properties) else { return nil }
    let place = ResourcePlace(properties)
    guard place.isTable else { return nil }
    var resource = Resource(node: properties["name"] ?? properties.node, name: name)
    resource.meaning = properties.meaning
    resource.since = own?.text("since")
    resource.isWithoutRowid = own?.truth("rowid").map(!)
    resource.source.isOptional = own?.truth("optional") ?? false
    if own?.truth("inferredKey") == true { resource.source.keyGuess = .holds }

    var surroundings = surroundings
    surroundings.isExact = own?.truth("exact") ?? surroundings.isExact
    let dialect = place.dialect(companions)
    resource.source.dialect = dialect.dialect
    resource.source.dialect.decodesControls = own?.truth("controlEscapes") ?? false
    surroundings.nullSequence = dialect.nullSequence
    guard let schema = schema(of: properties) else { return nil }
    SchemaReader(schema, surroundings).read(into: &resource)
    resource.indexes = own?.list("indexes", most: SchemaReader.mostKeys)?.map(
      SchemaReader(schema, surroundings).names)
    if let node = own?["foreignKeys"] {
      resource.references += SchemaReader(schema, surroundings).references(in: node)
    }
    if let matching = own?.word("matching", of: ["known"]), matching == "known" {
      resource.source.fieldsMatch = .known
    }
    resource.source.place = place.place(of: resource, isNeeded: needsPlaces)
    // Inline data is always read with commas and double quotes.
    if case .inline = resource.source.place { resource.source.dialect = .init() }
    resource.source.compression = place.compression
    resource.source.encoding = place.encoding
    resource.source.claims = place.claims
    return resource
  }

  private func name(of properties: Properties) -> String? {
    guard let node = properties["name"] else {
      let path = properties["path"]?.json
      guard let first = path?.text ?? path?.list?.first?.text,
        let name = split(first).name.split(separator: ".").first.map({ String($0) })
      else {
        properties.missing("name", expected: "a name for the table")
        return nil
      }
      return (properties["path"] ?? properties.node).isTableName(name) ? name : nil
    }
    guard let name = properties.text("name", longest: Findings.longestName) else { return nil }
    return node.isTableName(name) ? name : nil
  }

  /// The schema, from the description or from a separate file.
  private func schema(of properties: Properties) -> Properties? {
    guard let node = properties["schema"] else {
      properties.node.unsupported(
        "the resource has no schema",
        expected: "a schema: ingest describe can write one from the data")
      return nil
    }
    return companions.properties(of: node)
  }
}

extension Node {
  /// Whether the name is valid for a table; if not, adds a fault.
  func isTableName(_ name: String) -> Bool {
    let folded = foldedName(name)
    let faults: [(isThere: Bool, text: String)] = [
      (name.isEmpty, "is empty"),
      (name.utf8.contains(0), "has a NUL"),
      (
        fileName(ofTable: name).utf8.count > maximumTableFileNameBytes,
        "is too long for file names"
      ),
      (folded.starts(with: "sqlite_".utf8), "begins with sqlite_, which SQLite reserves"),
      (folded.starts(with: "ingest_".utf8), "begins with ingest_, which ingest reserves"),
    ]
    guard let found = faults.first(where: \.isThere) else { return true }
    fault(.nameInvalid, "the name \(json.shortened) \(found.text)", expected: "another name")
    return false
  }
}

/// Reads key unions, tables of the keys of several tables, which are an extension to the standard.
extension PackageReader {
  /// More would take long to fill.
  static let mostUnions = 10

  func unions(_ nodes: [Node], of resources: [Resource]) -> [KeyUnionDescription] {
    nodes.compactMap { node in
      let expected = "an object with name, column, type and members"
      guard let union = Properties(node, expected: expected) else { return nil }
      let types = [FieldType.string, .integer].map(\.rawValue)
      guard let name = union.text("name", longest: Findings.longestName),
        let column = union.text("column"),
        let type = union.word("type", of: types).flatMap(FieldType.init), let place = union["name"],
        let members = union.list("members", most: SchemaReader.mostKeys)?
          .compactMap({ member($0, type.columnType, resources) })
      else {
        for name in ["name", "column", "type", "members"] where union[name] == nil {
          union.missing(name, expected: expected)
        }
        return nil
      }
      if place.isTableName(name), resources.contains(where: { areSameName($0.name, name) }) {
        place.fault(
          .nameInvalid, "a resource has the name \(JSON(name).shortened)", expected: "another name")
      }
      return KeyUnionDescription(
        name, column: column, type: type.columnType, members: members, meaning: union.meaning)
    }
  }

  private func member(
    _ node: Node, _ type: ColumnDescription.DataType, _ resources: [Resource]
  ) -> KeyUnionDescription.Member? {
    guard let member = Properties(node, expected: "an object with table and column"),
      let table = member.text("table"), let column = member.text("column")
    else { return nil }
    let reference = member.text("reference")
    let resource = resources.first { haveSameBytes($0.name, table) }
    // SQLite accepts references to keys only.
    let isThere =
      reference == nil
      ? resource?.type(of: column) == type : resource.map { $0.hasKey(of: [column]) } ?? false
    if !isThere {
      node.fault(
        .referenceInvalid,
        "\(JSON(table).shortened) has no \(reference == nil ? "field" : "key") "
          + "\(JSON(column).shortened) of the union's type",
        expected: "a resource and its field, which must be a key if it is referenced")
    }
    return KeyUnionDescription.Member(table, column, reference: reference)
  }
}
