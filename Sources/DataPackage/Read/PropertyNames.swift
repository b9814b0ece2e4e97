import Files
import JSON
import SQLiteSwiftly

/// The names of the supported properties, and the check for misspelled ones.
enum PropertyNames {
  static let package = ["resources", "name", "missingValues", "ingest"]
  static let resource = [
    "name", "path", "data", "schema", "dialect", "encoding", "format", "mediatype", "compression",
    "type", "profile", "ingest",
  ]
  static let dialect = [
    "header", "headerRows", "headerJoin", "commentRows", "commentChar", "delimiter",
    "lineTerminator", "quoteChar", "doubleQuote", "escapeChar", "nullSequence",
    "skipInitialSpace",
  ]
  static let schema = [
    "fields", "fieldsMatch", "missingValues", "primaryKey", "uniqueKeys", "foreignKeys", "ingest",
  ]
  static let field = [
    "name", "type", "format", "constraints", "categories", "categoriesOrdered", "missingValues",
    "decimalChar", "groupChar", "bareNumber", "trueValues", "falseValues", "delimiter",
    "itemType", "ingest",
  ]
  static let foreignKey = ["fields", "reference"]
  static let reference = ["resource", "fields"]

  /// Properties that have no effect, but whose names resemble others: the standard's metadata, and `scheme`, which
  /// frictionless writes.
  private static let others: Set<String> = [
    "$schema", "id", "title", "rdfType", "path", "hash", "bytes", "label", "source", "sources",
    "scheme",
  ]

  /// The known name that an unknown one most resembles.
  static func nearest(to name: String, of names: [String]) -> String? {
    guard !names.contains(name), !others.contains(name), name.utf8.count <= 24 else { return nil }
    let letters = foldedName(name)
    return names.first { known in
      let distance = editDistance(letters, foldedName(known))
      return distance == 0 || distance == 1 && known.utf8.count >= 4
        || distance == 2 && known.utf8.count >= 7
    }
  }
}

extension Properties {
  /// Adds a fault for each property whose name resembles a known one.
  ///
  /// The standard allows any additional property, so a misspelled constraint would be ignored silently.
  func checkNames(_ names: [String]) {
    for member in node.json.members ?? [] {
      guard let meant = PropertyNames.nearest(to: member.name, of: names) else { continue }
      findings.fault(
        .propertyMisspelt, at: node.value(of: member),
        "unknown property \(JSON(member.name).shortened)",
        expected: "\(meant), or a name that does not resemble it")
    }
  }

  /// The extensions to the standard, in the object `ingest`.
  ///
  /// An unknown name is a fault.
  func ownProperties(_ names: [String]) -> Properties? {
    guard let own = self["ingest"],
      let properties = Properties(own, findings, expected: "an object")
    else { return nil }
    for member in own.json.members ?? [] where !names.contains(member.name) {
      findings.fault(
        .propertyMisspelt, at: own.value(of: member),
        "unknown property \(JSON(member.name).shortened)",
        expected: "one of \(names.joined(separator: ", "))")
    }
    return properties
  }
}
