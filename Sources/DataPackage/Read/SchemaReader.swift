import Text
import SQLiteSwiftly
import Schema

struct SchemaReader {
  /// The maximum number of columns in a key and of keys in a table: more would take long to check.
  static let mostKeyFields = 32
  static let mostKeys = 100

  private let properties: Properties
  private var surroundings: ColumnReader.Surroundings

  init(_ properties: Properties, _ surroundings: ColumnReader.Surroundings) {
    self.properties = properties
    self.surroundings = surroundings
    self.surroundings.missingValues = properties.missingValues ?? surroundings.missingValues
  }

  func read(into resource: inout Resource) {
    properties.checkNames(PropertyNames.schema)
    let own = properties.ownProperties(["matching", "exact"])
    let matching = properties.word(
      "fieldsMatch", of: ["exact", "equal", "subset", "superset", "partial"], orListOfOne: true)
    resource.source.fieldsMatch = matching.flatMap(SourceDescription.FieldsMatch.init) ?? .exact
    if own?.word("matching", of: ["known"]) == "known" { resource.source.fieldsMatch = .known }
    var surroundings = surroundings
    surroundings.isExact = own?.truth("exact") ?? surroundings.isExact
    // Before the fields, which add no unique key that equals it.
    resource.primaryKey = properties["primaryKey"].map(names) ?? []
    // Without an inferred key, its values are not required.
    surroundings.primaryKey = resource.source.keyGuess == nil ? resource.primaryKey : []
    readFields(surroundings, into: &resource)
    resource.primaryKey = known(resource.primaryKey, at: properties["primaryKey"], of: resource)
    readUniqueKeys(into: &resource)
    resource.references = properties["foreignKeys"].map(references) ?? []
    resource.source.guessedReferences = resource.references.filter(\.isGuess).map(\.fields)
  }

  private func readFields(
    _ surroundings: ColumnReader.Surroundings, into resource: inout Resource
  ) {
    let range = 1...TableDescription.maximumColumns
    var names: Set<[UInt8]> = []
    for node in properties.requiredList("fields", range, ", the limit of SQLite") ?? [] {
      guard let field = Properties(node, expected: "an object with a name and a type")
      else { continue }
      let reader = ColumnReader(field, surroundings)
      guard let name = field.text("name", longest: Findings.longestName), let place = field["name"]
      else {
        if field["name"] == nil { field.missing("name", expected: "the name of the field") }
        continue
      }
      guard !name.isEmpty, !name.utf8.contains(0) else {
        place.wrong(expected: "a name of at least one character, without NUL")
        continue
      }
      if !names.insert(foldedName(name)).inserted {
        place.fault(
          .nameInvalid, "an earlier field has the name \(place.json.shortened)",
          expected: "names that differ in more than ASCII case")
        continue
      }
      let (column, format, isUnique) = reader.column(named: name)
      for fault in column.faults + format.faults(for: column) {
        node.fault(.constraintInvalid, fault, expected: "a valid field")
      }
      resource.add(column, format, reader.type)
      if isUnique { resource.addUniqueKey([name]) }
    }
  }

  private func readUniqueKeys(into resource: inout Resource) {
    guard let nodes = properties.list("uniqueKeys") else { return }
    guard 1...Self.mostKeys ~= nodes.count else {
      properties["uniqueKeys"]?.wrong(expected: "1 to \(Self.mostKeys) keys")
      return
    }
    for node in nodes {
      let key = known(names(node), at: node, of: resource)
      if !key.isEmpty { resource.addUniqueKey(key) }
    }
  }

  /// The names of a list, or a single name.
  func names(_ node: Node) -> [String] {
    if let name = node.json.text { return [name] }
    guard let elements = node.elements, 1...Self.mostKeyFields ~= elements.count else {
      node.wrong(expected: "1 to \(Self.mostKeyFields) field names")
      return []
    }
    return elements.compactMap { element in
      if element.json.text == nil { element.wrong(expected: "a field name") }
      return element.json.text
    }
  }

  /// The names, if all are field names and different.
  private func known(_ names: [String], at node: Node?, of resource: Resource) -> [String] {
    guard let node else { return names }
    let unknown = names.filter { resource.type(of: $0) == nil }
    for name in unknown {
      node.fault(
        .referenceInvalid, "there is no field \(JSON(name).shortened)",
        expected: "field names of the schema")
    }
    if names.setOfNames.count < names.count {
      node.fault(.referenceInvalid, "duplicate field", expected: "each field once")
      return []
    }
    return unknown.isEmpty ? names : []
  }

  func references(in list: Node) -> [Resource.Reference] {
    guard let nodes = list.elements, nodes.count <= Self.mostKeys else {
      list.wrong(expected: "at most \(Self.mostKeys) foreign keys")
      return []
    }
    return nodes.compactMap { node in
      let expected = "an object with fields and a reference"
      guard let key = Properties(node, expected: expected) else { return nil }
      key.checkNames(PropertyNames.foreignKey)
      for name in ["fields", "reference"] where key[name] == nil {
        key.missing(name, expected: expected)
      }
      guard let fields = key["fields"],
        let reference = key["reference"].flatMap({
          Properties($0, expected: "an object with a resource and fields")
        })
      else { return nil }
      reference.checkNames(PropertyNames.reference)
      if let package = reference["package"] {
        package.unsupported(
          "a reference to another package", expected: "a resource of this package")
        return nil
      }
      guard let target = reference["fields"] else {
        reference.missing("fields", expected: "the referenced fields")
        return nil
      }
      let resource = reference.text("resource").flatMap { $0.isEmpty ? nil : $0 }
      return Resource.Reference(
        node: node, fields: names(fields), resource: resource, target: names(target),
        isGuess: key.ownProperties(["inferred"])?.truth("inferred") ?? false)
    }
  }
}
