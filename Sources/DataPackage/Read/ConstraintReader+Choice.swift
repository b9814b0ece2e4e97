import JSON
import SQLiteSwiftly

extension ConstraintReader {
  /// A longer list belongs in a table; as a condition it would be unreadable.
  private static var mostChoices: Int { 10_000 }

  /// The values that `enum` and `categories` allow.
  ///
  /// The enum must be a subset of the categories.
  func choices() -> ColumnDescription.Domain? {
    let categories = categories
    let choices = constraints?.list("enum", most: Self.mostChoices)
    if let choices, choices.isEmpty, let node = constraints?["enum"] {
      findings.fault(
        .constraintInvalid, at: node, "the enum is empty", expected: "at least one value")
    }
    func chosen<Value: Hashable>(_ cast: (Node) -> Value?) -> [Value]? {
      let values = choices.map { distinct($0, named: "enum", cast) }
      let all = categories.map { distinct($0, named: "categories", cast) }
      if let all {
        let allValues = Set(all.map(\.value))
        for (node, value) in values ?? [] where !allValues.contains(value) {
          findings.fault(
            .constraintInvalid, at: node, "\(node.json.shortened) is not a category",
            expected: "only values of categories")
        }
      }
      let chosen = (values ?? all ?? []).map(\.value)
      return chosen.isEmpty ? nil : chosen
    }
    // Compare strings by bytes.
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
          at: node, "an enum with one of two boolean values", expected: "both values, or no enum")
      }
      return nil
    case .duration, .object, .array, .list, .geopoint, .geojson:
      return chosenTexts { node in
        findings.unsupported(
          at: node, "an enum for a field of type \(field.type.rawValue)",
          expected: "an enum only for strings, numbers and dates")
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
        "a field of type \(field.type.rawValue) cannot have categories",
        expected: "type string or integer, or an enum")
      return nil
    }
    if nodes.isEmpty { findings.wrong(list, expected: "at least one category") }
    var labels: Set<String> = []
    for node in nodes {
      guard let label = node["label"] else { continue }
      guard let text = label.json.text else {
        findings.wrong(label, expected: "a string")
        continue
      }
      if !labels.insert(text).inserted {
        findings.wrong(label, expected: "a unique label")
      }
    }
    return nodes.compactMap { node in
      guard node.json.members != nil else { return node }
      if node["value"] == nil {
        findings.fault(
          .propertyMissing, at: node, "missing property value",
          expected: "the value of the category")
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
          .constraintInvalid, at: node, "duplicate \(node.json.shortened) in \(name)",
          expected: "each value once")
        return nil
      }
      return (node, value)
    }
  }
}
