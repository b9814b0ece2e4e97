import JSON

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
        findings.wrong(node, expected: "a string, or an object with a string as its value")
        continue
      }
      guard findings.isShort(node["value"] ?? node) else { continue }
      if !seen.insert(Array(text.utf8)).inserted {
        findings.fault(
          .propertyInvalid, at: node, "duplicate missing value \(node.json.shortened)",
          expected: "each value once")
      } else {
        values.append(text)
      }
    }
    return values
  }
}
