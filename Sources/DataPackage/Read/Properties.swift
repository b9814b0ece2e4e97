import Text
import SQLiteSwiftly

/// An object of the description; each method adds a fault for a value of the wrong type, and returns nil.
struct Properties {
  let node: Node

  var findings: Findings { node.findings }

  /// Any value but an object adds a fault and returns nil.
  init?(_ node: Node, expected: String) {
    guard let members = node.json.members else {
      node.wrong(expected: expected)
      return nil
    }
    guard members.count <= Findings.mostProperties else {
      node.fault(
        .propertyInvalid, "\(members.count) properties",
        expected: "at most \(Findings.mostProperties)")
      return nil
    }
    self.node = node
  }

  subscript(_ name: String) -> Node? { node[name] }

  func text(_ name: String, longest: Int = Findings.longestText) -> String? {
    guard let text = value(name, expected: "a string", { $0.json.text }), let node = self[name]
    else {
      return nil
    }
    return node.isShort(longest) ? text : nil
  }

  func truth(_ name: String) -> Bool? {
    value(name, expected: "true or false") { $0.json.truth }
  }

  func count(_ name: String) -> Int? {
    value(name, expected: "an integer of at least 0") {
      $0.json.integer.flatMap { $0 < 0 ? nil : Int(exactly: $0) }
    }
  }

  func list(_ name: String, most: Int = .max) -> [Node]? {
    guard let list = value(name, expected: "a list", { $0.elements }), let node = self[name] else {
      return nil
    }
    guard list.count <= most else {
      node.fault(.propertyInvalid, "\(list.count) values", expected: "at most \(most)")
      return nil
    }
    return list
  }

  /// A list that must be there, with a number of elements in a range.
  func requiredList(_ name: String, _ range: ClosedRange<Int>, _ limit: String = "") -> [Node]? {
    guard let node = self[name] else {
      missing(name, expected: "a list of \(name)")
      return nil
    }
    guard let list = list(name) else { return nil }
    guard range ~= list.count else {
      node.fault(
        .propertyInvalid, "\(list.count) \(name)",
        expected: "\(range.lowerBound) to \(range.upperBound)\(limit)")
      return nil
    }
    return list
  }

  /// A list of strings, or one string, as in the first version of the standard.
  func texts(_ name: String, orOne: Bool = false, most: Int = .max) -> [String]? {
    if orOne, self[name]?.json.text != nil { return text(name).map { [$0] } }
    guard let nodes = list(name, most: most) else { return nil }
    return nodes.compactMap { node in
      if node.json.text == nil { node.wrong(expected: "a string") }
      return node.isShort() ? node.json.text : nil
    }
  }

  /// One of some words; with `orListOfOne`, also in a list of one.
  func word(_ name: String, of words: [String], orListOfOne: Bool = false) -> String? {
    value(name, expected: "one of \(words.joined(separator: ", "))") { node in
      let list = orListOfOne ? node.json.list : nil
      let text = list?.count == 1 ? list?.first?.text : node.json.text
      return text.flatMap { words.contains($0) ? $0 : nil }
    }
  }

  private func value<Value>(_ name: String, expected: String, _ read: (Node) -> Value?) -> Value? {
    guard let node = self[name] else { return nil }
    let value = read(node)
    if value == nil { node.wrong(expected: expected) }
    return value
  }

  /// Adds a fault: the property has a value of the wrong type.
  func wrong(_ name: String, expected: String) {
    if let node = self[name] { node.wrong(expected: expected) }
  }

  func missing(_ name: String, expected: String) {
    node.fault(.propertyMissing, "missing property \(name)", expected: expected)
  }
}

extension Properties {
  /// Each field stores them.
  private static var mostMissingValues: Int { 100 }

  /// The texts that mean NULL, written as strings or objects with labels; nil without the property.
  var missingValues: [String]? {
    guard let nodes = list("missingValues", most: Self.mostMissingValues) else { return nil }
    var values: [String] = []
    var seen: Set<[UInt8]> = []
    for node in nodes {
      guard let text = node.json.text ?? node["value"]?.json.text else {
        node.wrong(expected: "a string, or an object with a string as its value")
        continue
      }
      guard (node["value"] ?? node).isShort() else { continue }
      if !seen.insert(Array(text.utf8)).inserted {
        node.fault(
          .propertyInvalid, "duplicate missing value \(node.json.shortened)",
          expected: "each value once")
      } else {
        values.append(text)
      }
    }
    return values
  }

  /// The text for readers.
  var meaning: String? { self["description"]?.json.text ?? self["title"]?.json.text }
}

/// The checks of names.
extension Properties {
  /// Adds a fault for each property whose name resembles a known one, since the standard allows any additional
  /// property: a misspelled constraint would be ignored silently.
  func checkNames(_ names: [String]) {
    for member in node.json.members ?? [] {
      guard let meant = PropertyNames.nearest(to: member.name, of: names) else { continue }
      node.value(of: member).fault(
        .propertyMisspelt, "unknown property \(JSON(member.name).shortened)",
        expected: "\(meant), or a name that does not resemble it")
    }
  }

  /// The extensions to the standard, in the object `ingest`; an unknown name is a fault.
  func ownProperties(_ names: [String]) -> Properties? {
    guard let own = self["ingest"],
      let properties = Properties(own, expected: "an object")
    else { return nil }
    properties.refuseOthers(than: names)
    return properties
  }

  /// Adds a fault for each unknown name.
  func refuseOthers(than names: [String]) {
    for member in node.json.members ?? [] where !names.contains(member.name) {
      node.value(of: member).fault(
        .propertyMisspelt, "unknown property \(JSON(member.name).shortened)",
        expected: "one of \(names.joined(separator: ", "))")
    }
  }
}

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
