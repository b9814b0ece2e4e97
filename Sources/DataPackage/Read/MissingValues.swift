extension Properties {
  /// The texts that stand for NULL, written as texts or as objects with a label; nil if there is no such property.
  var missingValues: [String]? {
    guard let nodes = list("missingValues") else { return nil }
    var values: [String] = []
    var seen: Set<[UInt8]> = []
    for node in nodes {
      guard let text = node.json.text ?? node["value"]?.json.text else {
        findings.wrong(node, expected: "a text, or an object with a text as its value")
        continue
      }
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
