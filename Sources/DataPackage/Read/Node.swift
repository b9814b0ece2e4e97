import Text

/// A value of the description, and the pointer to it.
struct Node {
  let json: JSON
  /// The JSON pointer in its file (RFC 6901).
  let pointer: String
  /// The index of its file.
  let source: Int
  let findings: Findings

  subscript(_ name: String) -> Node? {
    json.members?.first { $0.name == name }.map(value)
  }

  func value(of member: JSON.Member) -> Node {
    inner(member.value, member.name.escapedInPointer)
  }

  var elements: [Node]? {
    json.list?.enumerated().map { index, element in inner(element, "\(index)") }
  }

  private func inner(_ json: JSON, _ name: String) -> Node {
    Node(json: json, pointer: "\(pointer)/\(name)", source: source, findings: findings)
  }
}

extension Node {
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
