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

  /// A constraint that the type cannot have is a mistake, since it would be missed by nobody.
  private func checkNames() {
    let known = FieldType.commonConstraints + field.type.constraints
    guard let constraints else { return }
    for member in constraints.node.json.members ?? [] where !known.contains(member.name) {
      let node = constraints.node.value(of: member)
      if FieldType.allConstraints.contains(member.name) {
        findings.fault(
          .constraintInvalid, at: node,
          "a field of the type \(field.type.rawValue) cannot have \(member.name)",
          expected: "one of \(known.joined(separator: ", "))")
      } else if let meant = PropertyNames.nearest(to: member.name, of: FieldType.allConstraints) {
        findings.fault(
          .propertyMisspelt, at: node,
          "the constraint \(JSON(member.name).shortened) is not known", expected: meant)
      } else {
        findings.unsupported(
          at: node, "the constraint \(JSON(member.name).shortened) is not known",
          expected: "one of \(known.joined(separator: ", "))")
      }
    }
    if let node = constraints["jsonSchema"], known.contains("jsonSchema") {
      findings.unsupported(
        at: node, "values are not held against a JSON Schema", expected: "no jsonSchema")
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
          at: node, "the values of a field of the type \(field.type.rawValue) are not counted",
          expected: "minLength and maxLength for fields of the type string alone")
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
        "the description has more patterns than are read, or larger ones",
        expected: "at most \(Findings.mostPatterns) that differ, with 64 KiB of text in all; each "
          + "repetition makes one larger")
      return nil
    }
    return hexadecimalDigits(in: pattern).map { .hexadecimalDigits($0) } ?? .matching(pattern)
  }

  /// How many digits a pattern asks for that is known to be checked at full speed, and by SQLite as well.
  private func hexadecimalDigits(in pattern: String) -> Int? {
    guard pattern.hasPrefix("[0-9A-Fa-f]{"), pattern.hasSuffix("}") else { return nil }
    return Int(pattern.dropFirst(12).dropLast()).flatMap { 1...1000 ~= $0 ? $0 : nil }
  }
}
