import SQLiteSwiftly
import Text

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
    let text = value(name, expected: "a string") { $0.json.text }
    return self[name]?.isShort(longest) == true ? text : nil
  }

  func truth(_ name: String) -> Bool? { value(name, expected: "true or false") { $0.json.truth } }

  func count(_ name: String) -> Int? {
    value(name, expected: "an integer of at least 0") {
      $0.json.integer.flatMap { $0 < 0 ? nil : Int(exactly: $0) }
    }
  }

  func list(_ name: String, most: Int = .max) -> [Node]? {
    let list = value(name, expected: "a list") { $0.elements }
    guard let list, list.count > most else { return list }
    self[name]?.fault(.propertyInvalid, "\(list.count) values", expected: "at most \(most)")
    return nil
  }

  /// A list that must be there, with a number of elements in a range.
  func requiredList(_ name: String, _ range: ClosedRange<Int>, _ limit: String = "") -> [Node]? {
    if self[name] == nil { missing(name, expected: "a list of \(name)") }
    let list = list(name)
    guard let list, !(range ~= list.count) else { return list }
    self[name]?.fault(
      .propertyInvalid, "\(list.count) \(name)",
      expected: "\(range.lowerBound) to \(range.upperBound)\(limit)")
    return nil
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

  func missing(_ name: String, expected: String) {
    node.fault(.propertyMissing, "missing property \(name)", expected: expected)
  }

  /// The texts that mean NULL, written as strings or objects with labels; nil without the property.
  var missingValues: [String]? {
    // Each field stores them.
    guard let nodes = list("missingValues", most: 100) else { return nil }
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
    let own = self["ingest"].flatMap { Properties($0, expected: "an object") }
    own?.refuseOthers(than: names)
    return own
  }

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
  static let foreignKey = ["fields", "reference", "ingest"]
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

/// A value of the description, and the pointer to it.
struct Node {
  let json: JSON
  /// The JSON pointer in its file (RFC 6901).
  let pointer: String
  /// The index of its file.
  let source: Int
  let findings: Findings

  subscript(_ name: String) -> Node? { json.members?.first { $0.name == name }.map(value) }

  func value(of member: JSON.Member) -> Node { inner(member.value, member.name.escapedInPointer) }

  var elements: [Node]? {
    json.list?.enumerated().map { index, element in inner(element, "\(index)") }
  }

  private func inner(_ json: JSON, _ name: String) -> Node {
    Node(json: json, pointer: "\(pointer)/\(name)", source: source, findings: findings)
  }

  func fault(_ code: DescriptionCode, _ problem: String, expected: String) {
    findings.add(code, at: self, problem, expected: expected)
  }

  /// Adds a fault: the value has the wrong type for its property.
  func wrong(expected: String) {
    fault(.propertyInvalid, "found \(json.shortened)", expected: expected)
  }

  /// Adds an unsupported feature: a fault, or a warning if unsupported features are ignored.
  func unsupported(_ problem: String, expected: String) {
    fault(.featureUnsupported, problem, expected: expected)
  }

  /// Whether a text is within the limit; if not, adds a fault.
  func isShort(_ longest: Int = Findings.longestText) -> Bool {
    guard let count = json.text?.utf8.count, count > longest else { return true }
    fault(.propertyInvalid, "a string of \(count) bytes", expected: "at most \(longest) bytes")
    return false
  }
}
