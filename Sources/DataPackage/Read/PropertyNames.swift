import Files
import JSON
import SQLiteSwiftly

/// The names of the properties that make a difference, and those that are told when they are written wrong.
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

  /// Those of the standard that say something about the data and change nothing in them, and `scheme`, which
  /// frictionless writes.
  ///
  /// They are near others.
  private static let others: Set<String> = [
    "$schema", "id", "title", "rdfType", "path", "hash", "bytes", "label", "source", "sources",
    "scheme",
  ]

  /// The name that is likely to be meant by one that is not known.
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
  /// Notes properties whose names are nearly those of others: the standard lets everybody add properties, and a
  /// constraint that is passed over is missed by nobody.
  func checkNames(_ names: [String]) {
    for member in node.json.members ?? [] {
      guard let meant = PropertyNames.nearest(to: member.name, of: names) else { continue }
      findings.fault(
        .propertyMisspelt, at: node.value(of: member),
        "the property \(JSON(member.name).shortened) is not known",
        expected: "\(meant), or another name if something else is meant")
    }
  }

  /// The properties of our own that the standard does not have, in the object `ingest`; all of them must be known.
  func ownProperties(_ names: [String]) -> Properties? {
    guard let own = self["ingest"],
      let properties = Properties(own, findings, expected: "an object")
    else { return nil }
    for member in own.json.members ?? [] where !names.contains(member.name) {
      findings.fault(
        .propertyMisspelt, at: own.value(of: member),
        "the property \(JSON(member.name).shortened) is not known",
        expected: "one of \(names.joined(separator: ", "))")
    }
    return properties
  }
}
