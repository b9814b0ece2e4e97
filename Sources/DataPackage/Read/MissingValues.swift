import JSON

extension Properties {
  /// Each field keeps them.
  private static var mostMissingValues: Int { 100 }

  /// The texts that stand for NULL, written as texts or as objects with a label; nil if there is no such property.
  var missingValues: [String]? {
    guard let nodes = list("missingValues", most: Self.mostMissingValues) else { return nil }
    var values: [String] = []
    var seen: Set<[UInt8]> = []
    for node in nodes {
      guard let text = node.json.text ?? node["value"]?.json.text else {
        findings.wrong(node, expected: "a text, or an object with a text as its value")
        continue
      }
      guard findings.isShort(node["value"] ?? node) else { continue }
      if !seen.insert(Array(text.utf8)).inserted {
        findings.fault(
          .propertyInvalid, at: node, "the missing value \(node.json.shortened) is there twice",
          expected: "it once")
      } else {
        values.append(text)
      }
    }
    return values
  }
}
