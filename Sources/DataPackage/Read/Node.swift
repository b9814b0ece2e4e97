import JSON

/// A value of the description, and the pointer to it.
struct Node {
  let json: JSON
  /// The JSON pointer in its file (RFC 6901).
  let pointer: String
  /// The index of its file.
  let source: Int

  subscript(_ name: String) -> Node? {
    json.members?.first { $0.name == name }.map(value)
  }

  func value(of member: JSON.Member) -> Node {
    Node(
      json: member.value, pointer: pointer + "/" + member.name.escapedInPointer, source: source)
  }

  var elements: [Node]? {
    json.list?.enumerated().map { index, element in
      Node(json: element, pointer: "\(pointer)/\(index)", source: source)
    }
  }
}

extension Findings {
  /// Whether a text is within the limit; if not, adds a fault.
  func isShort(_ node: Node, _ longest: Int = Findings.longestText) -> Bool {
    guard let count = node.json.text?.utf8.count, count > longest else { return true }
    fault(
      .propertyInvalid, at: node, "a string of \(count) bytes",
      expected: "at most \(longest) bytes")
    return false
  }
}

struct Properties {
  let node: Node
  let findings: Findings

  /// Reads an object.
  ///
  /// Any other value adds a fault and returns nil.
  init?(_ node: Node, _ findings: Findings, expected: String) {
    guard let members = node.json.members else {
      findings.wrong(node, expected: expected)
      return nil
    }
    guard members.count <= Findings.mostProperties else {
      findings.fault(
        .propertyInvalid, at: node, "\(members.count) properties",
        expected: "at most \(Findings.mostProperties)")
      return nil
    }
    self.node = node
    self.findings = findings
  }

  subscript(_ name: String) -> Node? { node[name] }

  func text(_ name: String, longest: Int = Findings.longestText) -> String? {
    guard let text = value(name, expected: "a string", { $0.json.text }), let node = self[name]
    else {
      return nil
    }
    return findings.isShort(node, longest) ? text : nil
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
      findings.fault(
        .propertyInvalid, at: node, "\(list.count) values", expected: "at most \(most)")
      return nil
    }
    return list
  }

  /// A list of strings, or one string, as in the first version of the standard.
  func texts(_ name: String, orOne: Bool = false, most: Int = .max) -> [String]? {
    if orOne, self[name]?.json.text != nil { return text(name).map { [$0] } }
    guard let nodes = list(name, most: most) else { return nil }
    return nodes.compactMap { node in
      if node.json.text == nil { findings.wrong(node, expected: "a string") }
      return findings.isShort(node) ? node.json.text : nil
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

  private func value<Value>(
    _ name: String, expected: String, _ read: (Node) -> Value?
  ) -> Value? {
    guard let node = self[name] else { return nil }
    let value = read(node)
    if value == nil { findings.wrong(node, expected: expected) }
    return value
  }

  /// Adds a fault: the property has a value of the wrong type.
  func wrong(_ name: String, expected: String) {
    if let node = self[name] { findings.wrong(node, expected: expected) }
  }

  func missing(_ name: String, expected: String) {
    findings.fault(
      .propertyMissing, at: node, "missing property \(name)", expected: expected)
  }
}
