import SQLiteSwiftly

/// Reads the values that a field is limited to: `enum` and `categories`.
struct ConstraintChoice {
  /// More are a table of their own, and would make one condition of it that no reader can take in.
  private static let mostChoices = 10_000

  private(set) var domains: [ColumnDescription.Domain] = []
  private let field: FieldReader

  private var findings: Findings { field.properties.findings }

  /// Reads both; the enum is a part of the categories.
  init(_ field: FieldReader, _ constraints: Properties?) {
    self.field = field
    let categories = categoryNodes
    let choices = constraints?.list("enum", most: Self.mostChoices)
    if let choices, choices.isEmpty, let node = constraints?["enum"] {
      findings.fault(
        .constraintInvalid, at: node, "there is no value", expected: "one value or more")
    }
    let values = choices.map { distinct($0, named: "enum") }
    if let categories {
      let all = distinct(categories, named: "categories")
      let allValues = Set(all.map(\.1))
      for (node, value) in values ?? [] where !allValues.contains(value) {
        findings.fault(
          .constraintInvalid, at: node, "\(node.json.shortened) is not one of the categories",
          expected: "values of categories alone")
      }
      domains = domain(of: (values ?? all).map(\.1))
    } else if let values {
      domains = domain(of: values.map(\.1))
    }
  }

  /// A value as it is stored.
  private enum Choice: Hashable {
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case boolean(Bool)
  }

  private var categoryNodes: [Node]? {
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

  /// The values that can be used, each once.
  private func distinct(_ nodes: [Node], named name: String) -> [(Node, Choice)] {
    var seen: Set<Choice> = []
    return nodes.compactMap { node in
      guard findings.isShort(node), let value = choice(node) else { return nil }
      guard seen.insert(value).inserted else {
        findings.fault(
          .constraintInvalid, at: node, "\(node.json.shortened) is there twice in \(name)",
          expected: "it once")
        return nil
      }
      return (node, value)
    }
  }

  private func choice(_ node: Node) -> Choice? {
    let values = ConstraintValues(field)
    switch field.type {
    case .integer: return values.integer(node).map(Choice.integer)
    case .number: return values.real(node).map(Choice.real)
    case .boolean: return values.truth(node).map(Choice.boolean)
    case .string, .any: return values.text(node).map { .text(Array($0.utf8)) }
    case .date, .time, .datetime, .year, .yearmonth:
      return values.time(node).map { .text(Array($0.utf8)) }
    case .duration, .object, .array, .list, .geopoint, .geojson:
      findings.unsupported(
        at: node, "an enum for a field of the type \(field.type.rawValue)",
        expected: "an enum for texts, numbers and dates alone")
      return nil
    }
  }

  private func domain(of choices: [Choice]) -> [ColumnDescription.Domain] {
    switch field.type {
    case .integer:
      let values = choices.compactMap { if case .integer(let value) = $0 { value } else { nil } }
      return values.isEmpty ? [] : [.oneOfIntegers(values)]
    case .number:
      let values = choices.compactMap { if case .real(let value) = $0 { value } else { nil } }
      return values.isEmpty ? [] : [.oneOfReals(values)]
    case .boolean:
      if choices.count == 1, let node = field.properties["constraints"]?["enum"] {
        findings.unsupported(
          at: node, "an enum with one of the two values of a boolean", expected: "both or no enum")
      }
      return []
    default:
      let texts = choices.compactMap { choice -> String? in
        if case .text(let bytes) = choice { String(decoding: bytes, as: UTF8.self) } else { nil }
      }
      return texts.isEmpty ? [] : [.oneOf(texts)]
    }
  }
}
