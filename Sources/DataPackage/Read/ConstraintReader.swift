import Text
import SQLiteSwiftly
import Schema

struct ConstraintReader {
  private(set) var isRequired = false
  private(set) var isUnique = false
  private(set) var domains: [ColumnDescription.Domain] = []
  let field: ColumnReader
  let constraints: Properties?

  init(_ field: ColumnReader) {
    self.field = field
    constraints = field.properties["constraints"].flatMap { Properties($0, expected: "an object") }
    checkNames()
    isRequired = constraints?.truth("required") ?? false
    isUnique = constraints?.truth("unique") ?? false
    domains = [bounds(), length(), pattern(), choices()].compactMap(\.self)
  }

  /// Adds a fault for a constraint that the type does not support: ignoring it silently would hide a mistake.
  private func checkNames() {
    let known = FieldType.commonConstraints + field.type.constraints
    guard let constraints else { return }
    for member in constraints.node.json.members ?? [] where !known.contains(member.name) {
      let node = constraints.node.value(of: member)
      if FieldType.allConstraints.contains(member.name) {
        node.fault(
          .constraintInvalid, "a field of type \(field.type.rawValue) cannot have \(member.name)",
          expected: "one of \(known.joined(separator: ", "))")
      } else if let meant = PropertyNames.nearest(to: member.name, of: FieldType.allConstraints) {
        node.fault(
          .propertyMisspelt, "unknown constraint \(JSON(member.name).shortened)", expected: meant)
      } else {
        node.unsupported(
          "unknown constraint \(JSON(member.name).shortened)",
          expected: "one of \(known.joined(separator: ", "))")
      }
    }
    if known.contains("jsonSchema") {
      constraints["jsonSchema"]?.unsupported(
        "values are not validated against a JSON Schema", expected: "a field without jsonSchema")
    }
  }

  private func length() -> ColumnDescription.Domain? {
    let names = ["minLength", "maxLength"]
    guard field.type.constraints.contains("minLength") else { return nil }
    let (minimum, maximum) = (constraints?.count("minLength"), constraints?.count("maxLength"))
    guard minimum != nil || maximum != nil else { return nil }
    guard field.type == .string else {
      for node in names.compactMap({ constraints?[$0] }) {
        node.unsupported(
          "length limits are not supported for type \(field.type.rawValue)",
          expected: "minLength and maxLength only for fields of type string")
      }
      return nil
    }
    guard minimum ?? 0 <= maximum ?? .max else {
      refuseContradiction(of: names)
      return nil
    }
    return .length((minimum ?? 0)...(maximum ?? .max))
  }

  private func pattern() -> ColumnDescription.Domain? {
    guard field.type == .string, let pattern = constraints?.text("pattern"),
      let place = constraints?["pattern"]
    else { return nil }
    do throws(PatternFault) {
      _ = try PatternParser.parse(pattern)
    } catch {
      // Any other fault is reported with the column.
      guard error.isOfOtherDialect else { return .matching(pattern) }
      place.unsupported(
        "the pattern \(place.json.shortened) \(error.message); it is not checked",
        expected: "a regular expression of XML Schema")
      return nil
    }
    guard place.findings.hasRoom(for: pattern) else {
      place.fault(
        .constraintInvalid, "the patterns of the description are too many or too large",
        expected: "at most \(Findings.mostPatterns) different patterns of 64 KiB in total; "
          + "repetitions make a pattern larger")
      return nil
    }
    return hexadecimalDigits(in: pattern).map { .hexadecimalDigits($0) } ?? .matching(pattern)
  }

  /// The number of digits in a pattern for hexadecimal digits, which SQLite can check, too, and at full speed.
  private func hexadecimalDigits(in pattern: String) -> Int? {
    guard pattern.hasPrefix("[0-9A-Fa-f]{"), pattern.hasSuffix("}") else { return nil }
    return Int(pattern.dropFirst(12).dropLast()).flatMap { 1...1000 ~= $0 ? $0 : nil }
  }
}

// The values of constraints: JSON values, or strings in the format of the field. Each function adds a fault for an
// invalid value, and returns nil.
extension ConstraintReader {
  func integer(_ node: Node) -> Int64? {
    valid(
      node.json.integer ?? node.json.text.flatMap { Int64(plain($0)) }, node, "a 64-bit integer")
  }

  func real(_ node: Node) -> Double? {
    let digits: String? =
      if case .number(let digits) = node.json.value { digits } else { node.json.text.map(plain) }
    // Double would also read hexadecimal digits and words.
    let isDecimal = digits.map { $0.utf8.allSatisfy("+-0123456789.eE".utf8.contains) } ?? false
    let real = digits.flatMap { isDecimal ? Double($0) : nil }
    return valid(real?.isFinite == true ? real : nil, node, "a number")
  }

  func truth(_ node: Node) -> Bool? {
    valid(
      node.json.truth ?? node.json.text.flatMap(truth(of:)), node,
      "true or false, or a value of trueValues or falseValues")
  }

  func text(_ node: Node) -> String? {
    // Every CSV field is text, and a field without a type accepts any text.
    if field.type == .any {
      if case .number(let digits) = node.json.value { return digits }
      if let truth = node.json.truth { return "\(truth)" }
    }
    return valid(node.json.text, node, "a string")
  }

  /// A date or a time in its stored form.
  func time(_ node: Node) -> String? {
    guard let form = field.type.timeForm else { return nil }
    var text = node.json.text
    if form == .year, case .number(let digits) = node.json.value { text = digits }
    var pattern: String?
    if case .time(let written) = field.format.spelling { pattern = written }
    let orPattern = pattern.map { ", or one in the format \($0)" } ?? ""
    return valid(
      text.flatMap { form.stored($0, pattern: pattern) }, node,
      "a value such as \(form.example)\(orPattern)")
  }

  private func valid<Value>(_ value: Value?, _ node: Node, _ expected: String) -> Value? {
    if value == nil {
      node.fault(
        .constraintInvalid, "\(node.json.shortened) is not a valid \(field.type.rawValue)",
        expected: expected)
    }
    return value
  }

  /// The number without digit separators, with a decimal point.
  private func plain(_ text: String) -> String {
    let spelling: FieldFormat.NumberSpelling
    switch field.format.spelling {
    case .integer(let numbers), .number(let numbers): spelling = numbers
    default: return text
    }
    var plain = text
    if let group = spelling.groupSeparator { plain = plain.replacing(group, with: "") }
    return plain.replacing(spelling.decimalSeparator, with: ".")
  }

  private func truth(of text: String) -> Bool? {
    guard case .boolean(let yes, let no) = field.format.spelling else { return nil }
    return yes.hasName(text) ? true : no.hasName(text) ? false : nil
  }
}
