import JSON
import SQLiteSwiftly

extension ConstraintReader {
  /// More are a table of their own, and would make one condition of it that no reader can take in.
  private static var mostChoices: Int { 10_000 }

  /// The values that a field is limited to by `enum` and `categories`, of which the enum is a part.
  func choices() -> ColumnDescription.Domain? {
    let categories = categories
    let choices = constraints?.list("enum", most: Self.mostChoices)
    if let choices, choices.isEmpty, let node = constraints?["enum"] {
      findings.fault(
        .constraintInvalid, at: node, "there is no value", expected: "one value or more")
    }
    func chosen<Value: Hashable>(_ cast: (Node) -> Value?) -> [Value]? {
      let values = choices.map { distinct($0, named: "enum", cast) }
      let all = categories.map { distinct($0, named: "categories", cast) }
      if let all {
        let allValues = Set(all.map(\.value))
        for (node, value) in values ?? [] where !allValues.contains(value) {
          findings.fault(
            .constraintInvalid, at: node, "\(node.json.shortened) is not one of the categories",
            expected: "values of categories alone")
        }
      }
      let chosen = (values ?? all ?? []).map(\.value)
      return chosen.isEmpty ? nil : chosen
    }
    // Texts are compared by their bytes.
    func chosenTexts(_ cast: (Node) -> String?) -> ColumnDescription.Domain? {
      chosen { cast($0).map { Array($0.utf8) } }
        .map { .oneOf($0.map { String(decoding: $0, as: UTF8.self) }) }
    }
    switch field.type {
    case .integer: return chosen(integer).map { .oneOfIntegers($0) }
    case .number: return chosen(real).map { .oneOfReals($0) }
    case .string, .any: return chosenTexts(text)
    case .date, .time, .datetime, .year, .yearmonth: return chosenTexts(time)
    case .boolean:
      if chosen(truth)?.count == 1, let node = constraints?["enum"] {
        findings.unsupported(
          at: node, "an enum with one of the two values of a boolean", expected: "both or no enum")
      }
      return nil
    case .duration, .object, .array, .list, .geopoint, .geojson:
      return chosenTexts { node in
        findings.unsupported(
          at: node, "an enum for a field of the type \(field.type.rawValue)",
          expected: "an enum for texts, numbers and dates alone")
        return nil
      }
    }
  }

  private var categories: [Node]? {
    _ = field.properties.truth("categoriesOrdered")
    guard let nodes = field.properties.list("categories", most: Self.mostChoices),
      let list = field.properties["categories"]
    else { return nil }
    guard field.type == .string || field.type == .integer else {
      findings.fault(
        .constraintInvalid, at: list,
        "a field of the type \(field.type.rawValue) cannot have categories",
        expected: "the type string or integer, or an enum")
      return nil
    }
    if nodes.isEmpty { findings.wrong(list, expected: "one category or more") }
    var labels: Set<String> = []
    for node in nodes {
      guard let label = node["label"] else { continue }
      guard let text = label.json.text else {
        findings.wrong(label, expected: "a text")
        continue
      }
      if !labels.insert(text).inserted {
        findings.wrong(label, expected: "a label that no other category has")
      }
    }
    return nodes.compactMap { node in
      guard node.json.members != nil else { return node }
      if node["value"] == nil {
        findings.fault(
          .propertyMissing, at: node, "there is no property value", expected: "the category's value"
        )
      }
      return node["value"]
    }
  }

  private func distinct<Value: Hashable>(
    _ nodes: [Node], named name: String, _ cast: (Node) -> Value?
  ) -> [(node: Node, value: Value)] {
    var seen: Set<Value> = []
    return nodes.compactMap { node in
      guard findings.isShort(node), let value = cast(node) else { return nil }
      guard seen.insert(value).inserted else {
        findings.fault(
          .constraintInvalid, at: node, "\(node.json.shortened) is there twice in \(name)",
          expected: "it once")
        return nil
      }
      return (node, value)
    }
  }
}
