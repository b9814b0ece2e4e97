import JSON
import SQLiteSwiftly

struct ConstraintReader {
  private(set) var isRequired = false
  private(set) var isUnique = false
  private(set) var domains: [ColumnDescription.Domain] = []
  let field: ColumnReader
  let constraints: Properties?

  var findings: Findings { field.properties.findings }

  init(_ field: ColumnReader) {
    self.field = field
    constraints = field.properties["constraints"].flatMap {
      Properties($0, field.properties.findings, expected: "an object")
    }
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
        findings.fault(
          .constraintInvalid, at: node,
          "a field of type \(field.type.rawValue) cannot have \(member.name)",
          expected: "one of \(known.joined(separator: ", "))")
      } else if let meant = PropertyNames.nearest(to: member.name, of: FieldType.allConstraints) {
        findings.fault(
          .propertyMisspelt, at: node,
          "unknown constraint \(JSON(member.name).shortened)", expected: meant)
      } else {
        findings.unsupported(
          at: node, "unknown constraint \(JSON(member.name).shortened)",
          expected: "one of \(known.joined(separator: ", "))")
      }
    }
    if let node = constraints["jsonSchema"], known.contains("jsonSchema") {
      findings.unsupported(
        at: node, "values are not validated against a JSON Schema",
        expected: "a field without jsonSchema")
    }
  }

  private func length() -> ColumnDescription.Domain? {
    let isText = field.type == .string
    let names = ["minLength", "maxLength"]
    guard isText || field.type.constraints.contains("minLength") else { return nil }
    let minimum = constraints?.count("minLength")
    let maximum = constraints?.count("maxLength")
    guard minimum != nil || maximum != nil else { return nil }
    guard isText else {
      for node in names.compactMap({ constraints?[$0] }) {
        findings.unsupported(
          at: node, "length limits are not supported for type \(field.type.rawValue)",
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
    guard findings.hasRoom(for: pattern) else {
      findings.fault(
        .constraintInvalid, at: place,
        "the patterns of the description are too many or too large",
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
