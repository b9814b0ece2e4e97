import Text
import SQLiteSwiftly
import Schema

/// Reads the properties that specify how values are written.
extension ColumnReader {
  private static let longestSeparator = 16
  private static let mostWords = 100

  func spelling(isExact: Bool) -> FieldFormat.Spelling {
    for name in ["decimalChar", "groupChar", "bareNumber", "trueValues", "falseValues", "itemType"]
    where !type.spellingProperties.contains(name) {
      guard let node = properties[name] else { continue }
      node.fault(
        .propertyInvalid, "a field of type \(type.rawValue) cannot have \(name)",
        expected: "another type, or a field without \(name)")
    }
    switch type {
    case .integer: return isExact && !isSpelt ? .exact : .integer(numbers)
    case .number: return .number(numbers)
    case .boolean: return isExact && !isSpelt ? .exact : booleans
    case .date, .time, .datetime: return time
    case .list: return list
    case .geopoint: return formatName == "default" ? .coordinates : .exact
    default: return .exact
    }
  }

  private var isSpelt: Bool { type.spellingProperties.contains { properties[$0] != nil } }

  private var time: FieldFormat.Spelling {
    switch formatName {
    case "default": .exact
    case "any": .anyTime
    default: .time(pattern: formatName)
    }
  }

  private var numbers: FieldFormat.NumberSpelling {
    var spelling = FieldFormat.NumberSpelling()
    // An empty string means none.
    if properties["groupChar"]?.json.text != "" {
      spelling.groupSeparator = separator("groupChar")
    }
    spelling.decimalSeparator = separator("decimalChar") ?? "."
    spelling.isBare = properties.truth("bareNumber") ?? true
    if spelling.groupSeparator == spelling.decimalSeparator {
      properties.wrong("groupChar", expected: "a value different from decimalChar")
    }
    return spelling
  }

  private func separator(_ name: String) -> String? {
    guard let text = properties.text(name, longest: Self.longestSeparator) else { return nil }
    guard !text.isEmpty, !text.utf8.contains(where: { "+-0123456789eE".utf8.contains($0) }) else {
      properties.wrong(name, expected: "characters that do not occur in numbers")
      return nil
    }
    return text
  }

  private var booleans: FieldFormat.Spelling {
    let yes = words("trueValues") ?? FieldType.trueValues
    let no = words("falseValues") ?? FieldType.falseValues
    if let twice = yes.first(where: no.hasName),
      let node = properties["trueValues"] ?? properties["falseValues"]
    {
      node.fault(
        .propertyInvalid, "\(JSON(twice).shortened) is in both trueValues and falseValues",
        expected: "each value in one of them")
    }
    return .boolean(true: yes, false: no)
  }

  private func words(_ name: String) -> [String]? {
    let words = properties.texts(name, most: Self.mostWords)
    if words?.isEmpty == true { properties.wrong(name, expected: "at least one string") }
    return words
  }

  private var list: FieldFormat.Spelling {
    let types = FieldType.listItems.keys.map(\.rawValue) + ["string"]
    let item = properties.word("itemType", of: types.sorted()).flatMap(FieldType.init)
    let delimiter = properties.text("delimiter", longest: Self.longestSeparator) ?? ","
    if delimiter.isEmpty { properties.wrong("delimiter", expected: "at least one character") }
    return .list(delimiter: delimiter, items: item.flatMap { FieldType.listItems[$0] } ?? .text)
  }
}
