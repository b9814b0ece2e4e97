import Text
import SQLiteSwiftly

/// Lower and upper bounds.
extension ConstraintReader {
  func bounds() -> ColumnDescription.Domain? {
    switch field.type {
    case .integer: return integerBounds()
    case .number:
      let (low, high) = bounds(real)
      return low == nil && high == nil ? nil : .between(low, high)
    case .date, .time, .datetime, .year, .yearmonth:
      let (low, high) = bounds(time)
      return low == nil && high == nil ? nil : .sorted(low, high)
    case .duration:
      for name in field.type.constraints {
        constraints?[name]?.unsupported(
          "durations cannot be compared: the length of a month varies",
          expected: "a duration without \(name)")
      }
      return nil
    default: return nil
    }
  }

  private func integerBounds() -> ColumnDescription.Domain? {
    let (low, high) = bounds(integer)
    // Nothing is above the largest Int64 or below the smallest, so such an exclusive bound allows no value.
    let isEmpty =
      low?.isExclusive == true && low?.value == .max
      || high?.isExclusive == true && high?.value == .min
    let minimum = low.map { $0.isExclusive ? $0.value &+ 1 : $0.value }
    let maximum = high.map { $0.isExclusive ? $0.value &- 1 : $0.value }
    guard !isEmpty, minimum ?? .min <= maximum ?? .max else {
      refuseContradiction(of: field.type.constraints)
      return nil
    }
    return switch (minimum, maximum) {
    case (let minimum?, let maximum?): .within(minimum...maximum)
    case (let minimum?, nil): .atLeast(minimum)
    case (nil, let maximum?): .atMost(maximum)
    case (nil, nil): nil
    }
  }

  private typealias Bound<Value: Hashable & Sendable> = ColumnDescription.Bound<Value>

  /// The tighter lower bound and the tighter upper bound; of equal ones, the exclusive one.
  private func bounds<Value: Hashable & Sendable & Comparable>(
    _ cast: (Node) -> Value?
  ) -> (Bound<Value>?, Bound<Value>?) {
    func bound(_ name: String, isExclusive: Bool) -> Bound<Value>? {
      constraints?[name].flatMap { $0.isShort() ? cast($0) : nil }.map {
        Bound($0, isExclusive: isExclusive)
      }
    }
    let low = [bound("exclusiveMinimum", isExclusive: true), bound("minimum", isExclusive: false)]
      .compactMap(\.self).max { $0.value < $1.value }
    let high = [bound("exclusiveMaximum", isExclusive: true), bound("maximum", isExclusive: false)]
      .compactMap(\.self).min { $0.value < $1.value }
    if let low, let high,
      low.value > high.value || low.value == high.value && (low.isExclusive || high.isExclusive)
    {
      refuseContradiction(of: field.type.constraints)
      return (nil, nil)
    }
    return (low, high)
  }

  /// Adds a fault: the constraints contradict each other.
  func refuseContradiction(of names: [String]) {
    names.compactMap { constraints?[$0] }.last?.fault(
      .constraintInvalid, "the bounds exclude every value",
      expected: "a lower bound that does not exceed the upper bound")
  }
}

/// Lists of values.
extension ConstraintReader {
  /// A longer list belongs in a table; as a condition it would be unreadable.
  private static var mostChoices: Int { 10_000 }

  /// The values that `enum` and `categories` allow; the enum must be a subset.
  func choices() -> ColumnDescription.Domain? {
    let categories = categories
    let choices = constraints?.list("enum", most: Self.mostChoices)
    if choices?.isEmpty == true {
      constraints?["enum"]?.fault(
        .constraintInvalid, "the enum is empty", expected: "at least one value")
    }
    func chosen<Value: Hashable>(_ cast: (Node) -> Value?) -> [Value]? {
      let values = choices.map { distinct($0, named: "enum", cast) }
      let all = categories.map { distinct($0, named: "categories", cast) }
      if let all {
        let allValues = Set(all.map(\.value))
        for (node, value) in values ?? [] where !allValues.contains(value) {
          node.fault(
            .constraintInvalid, "\(node.json.shortened) is not a category",
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
      if chosen(truth)?.count == 1 {
        constraints?["enum"]?.unsupported(
          "an enum with one of two boolean values", expected: "both values, or no enum")
      }
      return nil
    case .duration, .object, .array, .list, .geopoint, .geojson:
      return chosenTexts { node in
        node.unsupported(
          "an enum for a field of type \(field.type.rawValue)",
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
      list.fault(
        .constraintInvalid, "a field of type \(field.type.rawValue) cannot have categories",
        expected: "type string or integer, or an enum")
      return nil
    }
    if nodes.isEmpty { list.wrong(expected: "at least one category") }
    var labels: Set<String> = []
    for label in nodes.compactMap({ $0["label"] }) {
      let isNew = label.json.text.map { labels.insert($0).inserted }
      if isNew != true { label.wrong(expected: isNew == nil ? "a string" : "a unique label") }
    }
    return nodes.compactMap { node in
      guard node.json.members != nil else { return node }
      if node["value"] == nil {
        node.fault(
          .propertyMissing, "missing property value", expected: "the value of the category")
      }
      return node["value"]
    }
  }

  private func distinct<Value: Hashable>(
    _ nodes: [Node], named name: String, _ cast: (Node) -> Value?
  ) -> [(node: Node, value: Value)] {
    var seen: Set<Value> = []
    return nodes.compactMap { node in
      guard node.isShort(), let value = cast(node) else { return nil }
      guard seen.insert(value).inserted else {
        node.fault(
          .constraintInvalid, "duplicate \(node.json.shortened) in \(name)",
          expected: "each value once")
        return nil
      }
      return (node, value)
    }
  }
}
