import Schema
import Platform
import Text
import SQLiteSwiftly

extension PackageReader {
  /// Reads a resource; nil if it is not loaded.
  func resource(
    _ properties: Properties, _ surroundings: ColumnReader.Surroundings
  ) -> Resource? {
    properties.checkNames(PropertyNames.resource)
    let own = properties.ownProperties([
      "exact", "optional", "matching", "since", "indexes", "foreignKeys", "rowid",
    ])
    guard let name = name(of: properties) else { return nil }
    let place = ResourcePlace(properties)
    guard place.isTable else { return nil }
    var resource = Resource(node: properties["name"] ?? properties.node, name: name)
    resource.meaning = properties.meaning
    resource.since = own?.text("since")
    resource.isWithoutRowid = own?.truth("rowid").map(!)
    resource.source.isOptional = own?.truth("optional") ?? false

    var surroundings = surroundings
    surroundings.isExact = own?.truth("exact") ?? surroundings.isExact
    let dialect = place.dialect(companions)
    resource.source.dialect = dialect.dialect
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
