import JSON
import SQLiteSwiftly
import Schema

// The values of constraints: JSON values, or strings in the format of the field. Each function adds a fault for an
// invalid value, and returns nil.
extension ConstraintReader {
  func integer(_ node: Node) -> Int64? {
    let integer =
      node.json.integer ?? node.json.text.flatMap { text in Int64(plain(text)) }
    if integer == nil { refuse(node, expected: "a 64-bit integer") }
    return integer
  }

  func real(_ node: Node) -> Double? {
    let digits: String? =
      if case .number(let digits) = node.json.value { digits } else { node.json.text.map(plain) }
    // Double would also read hexadecimal digits and words.
    let isDecimal = digits.map { $0.utf8.allSatisfy("+-0123456789.eE".utf8.contains) } ?? false
    let real = digits.flatMap { isDecimal ? Double($0) : nil }
    guard let real, real.isFinite else {
      refuse(node, expected: "a number")
      return nil
    }
    return real
  }

  func truth(_ node: Node) -> Bool? {
    let truth = node.json.truth ?? node.json.text.flatMap(truth(of:))
    if truth == nil {
      refuse(node, expected: "true or false, or a value of trueValues or falseValues")
    }
    return truth
  }

  func text(_ node: Node) -> String? {
    if let text = node.json.text { return text }
    // Every CSV field is text, and a field without a type accepts any text.
    if field.type == .any {
      if case .number(let digits) = node.json.value { return digits }
      if let truth = node.json.truth { return "\(truth)" }
    }
    refuse(node, expected: "a string")
    return nil
  }

  /// A date or a time in its stored form.
  func time(_ node: Node) -> String? {
    guard let form = field.type.timeForm else { return nil }
    var text = node.json.text
    if form == .year, case .number(let digits) = node.json.value { text = digits }
    var pattern: String?
    if case .time(let written) = field.format.spelling { pattern = written }
    let stored = text.flatMap { form.stored($0, pattern: pattern) }
    if stored == nil {
      refuse(
        node,
        expected: pattern.map { "a value such as \(form.example), or one in the format \($0)" }
          ?? "a value such as \(form.example)")
    }
    return stored
  }

  private func refuse(_ node: Node, expected: String) {
    findings.fault(
      .constraintInvalid, at: node,
      "\(node.json.shortened) is not a valid \(field.type.rawValue)", expected: expected)
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
