import Schema
import SQLiteSwiftly
import Text

/// Reads a field; it becomes a column.
struct ColumnReader {
  let properties: Properties
  let type: FieldType
  /// How its values and their bounds are written.
  private(set) var format = FieldFormat()
  /// The format's name, or the pattern.
  let formatName: String
  private let own: Properties?

  /// Settings that all fields of a table share.
  struct Surroundings {
    var missingValues = [""]
    var nullSequence: String?
    var isExact = false
    var primaryKey: [String] = []
  }

  private let surroundings: Surroundings

  /// Reads type and format; `column` reads the rest.
  init(_ properties: Properties, _ surroundings: Surroundings) {
    self.properties = properties
    self.surroundings = surroundings
    properties.checkNames(PropertyNames.field)
    own = properties.ownProperties([
      "exact", "singleLine", "knownValues", "since", "longestKey", "counter",
    ])
    let types = FieldType.allCases.map(\.rawValue)
    type = properties.word("type", of: types).flatMap(FieldType.init(rawValue:)) ?? .any
    formatName = Self.formatName(properties, type)
    format.missingValues = properties.missingValues ?? surroundings.missingValues
    if let nullSequence = surroundings.nullSequence, !format.missingValues.hasName(nullSequence) {
      format.missingValues.append(nullSequence)
    }
    format.spelling = spelling(isExact: own?.truth("exact") ?? surroundings.isExact)
  }

  private static func formatName(_ properties: Properties, _ type: FieldType) -> String {
    guard var name = properties.text("format", longest: 200) else { return "default" }
    // The spelling before the standard's first version.
    if name.hasPrefix("fmt:") { name.removeFirst(4) }
    if type.formats.contains(name) { return name }
    let hasPatterns = [.date, .time, .datetime].contains(type)
    if hasPatterns, name.contains("%") { return name }
    properties["format"]?.wrong(
      expected: "one of \(type.formats.joined(separator: ", ")) for \(type.rawValue)"
        + (hasPatterns ? ", or a strptime pattern such as %d.%m.%Y" : ""))
    return "default"
  }

  /// The column, and whether it is a key by itself.
  func column(
    named name: String
  ) -> (column: ColumnDescription, format: FieldFormat, isUnique: Bool) {
    let constraints = ConstraintReader(self)
    let isRequired = constraints.isRequired || surroundings.primaryKey.hasName(name)
    var domains = formDomains + constraints.domains
    if own?.truth("singleLine") == true {
      if type == .string {
        domains.append(.singleLine)
      } else {
        own?["singleLine"]?.wrong(expected: "singleLine only for fields of type string")
      }
    }
    let column = ColumnDescription(
      name, type.columnType, isNullable: !isRequired,
      domain: domains.count > 1 ? .all(domains) : domains.first,
      knownValues: own?.texts("knownValues", most: 10_000) ?? [], meaning: properties.meaning,
      since: own?.text("since"), example: example)
    var format = format
    if let longest = own?.count("longestKey"), longest > 0 { format.longestKey = longest }
    format.isCounter = own?.truth("counter") == true
    return (column, format, constraints.isUnique)
  }

  /// The domains that type and format imply for a text.
  private var formDomains: [ColumnDescription.Domain] {
    if let form = type.timeForm { return [.time(form)] }
    switch type {
    case .string: return FieldType.textForms[formatName].map { [.form($0)] } ?? []
    case .object, .geojson: return [.json(.object)]
    case .array, .list: return [.json(.array)]
    case .geopoint: return [.json(formatName == "object" ? .object : .array)]
    default: return []
    }
  }

  private var example: SQLiteValue? {
    guard let node = properties["example"] else { return nil }
    switch (type.columnType, node.json.value) {
    case (.integer, _): return node.json.integer.map(SQLiteValue.integer)
    case (.real, .number(let digits)): return Double(digits).map(SQLiteValue.real)
    case (.boolean, .boolean(let isTrue)): return .integer(isTrue ? 1 : 0)
    case (.text, .text(let text)): return .text(text)
    default: return nil
    }
  }
}

/// Reads the properties that specify how values are written.
extension ColumnReader {
  private static let longestSeparator = 16

  func spelling(isExact: Bool) -> FieldFormat.Spelling {
    for name in ["decimalChar", "groupChar", "bareNumber", "trueValues", "falseValues", "itemType"]
    where !type.spellingProperties.contains(name) {
      properties[name]?.fault(
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
    if properties["groupChar"]?.json.text != "" { spelling.groupSeparator = separator("groupChar") }
    spelling.decimalSeparator = separator("decimalChar") ?? "."
    spelling.isBare = properties.truth("bareNumber") ?? true
    if spelling.groupSeparator == spelling.decimalSeparator {
      properties["groupChar"]?.wrong(expected: "a value different from decimalChar")
    }
    return spelling
  }

  private func separator(_ name: String) -> String? {
    guard let text = properties.text(name, longest: Self.longestSeparator) else { return nil }
    guard !text.isEmpty, !text.utf8.contains(where: { "+-0123456789eE".utf8.contains($0) }) else {
      properties[name]?.wrong(expected: "characters that do not occur in numbers")
      return nil
    }
    return text
  }

  private var booleans: FieldFormat.Spelling {
    let yes = words("trueValues") ?? FieldType.trueValues
    let no = words("falseValues") ?? FieldType.falseValues
    if let twice = yes.first(where: no.hasName) {
      (properties["trueValues"] ?? properties["falseValues"])?.fault(
        .propertyInvalid, "\(JSON(twice).shortened) is in both trueValues and falseValues",
        expected: "each value in one of them")
    }
    return .boolean(true: yes, false: no)
  }

  private func words(_ name: String) -> [String]? {
    let words = properties.texts(name, most: 100)
    if words?.isEmpty == true { properties[name]?.wrong(expected: "at least one string") }
    return words
  }

  private var list: FieldFormat.Spelling {
    let types = FieldType.listItems.keys.map(\.rawValue) + ["string"]
    let item = properties.word("itemType", of: types.sorted()).flatMap(FieldType.init)
    let delimiter = properties.text("delimiter", longest: Self.longestSeparator) ?? ","
    if delimiter.isEmpty { properties["delimiter"]?.wrong(expected: "at least one character") }
    return .list(delimiter: delimiter, items: item.flatMap { FieldType.listItems[$0] } ?? .text)
  }
}
