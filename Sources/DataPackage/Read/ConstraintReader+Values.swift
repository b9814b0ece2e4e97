import JSON
import SQLiteSwiftly
import Schema

// The values of constraints: as JSON has them, or as texts that are written like the values of the field. Each function
// answers nil for what is not such a value, which is then a fault.
extension ConstraintReader {
  func integer(_ node: Node) -> Int64? {
    let integer =
      node.json.integer ?? node.json.text.flatMap { text in Int64(plain(text)) }
    if integer == nil { refuse(node, expected: "a whole number of 64 bits") }
    return integer
  }

  func real(_ node: Node) -> Double? {
    let digits: String? =
      if case .number(let digits) = node.json.value { digits } else { node.json.text.map(plain) }
    // Double would read hexadecimal digits and words as well.
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
    if truth == nil { refuse(node, expected: "true or false, or a text for one of them") }
    return truth
  }

  func text(_ node: Node) -> String? {
    if let text = node.json.text { return text }
    // CSV has nothing but texts, and a field of no type takes all of them.
    if field.type == .any {
      if case .number(let digits) = node.json.value { return digits }
      if let truth = node.json.truth { return "\(truth)" }
    }
    refuse(node, expected: "a text")
    return nil
  }

  /// A date or a time as it is stored.
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
        expected: pattern.map { "\(form.example), or a text written as \($0)" }
          ?? "such as \(form.example)")
    }
    return stored
  }

  private func refuse(_ node: Node, expected: String) {
    findings.fault(
      .constraintInvalid, at: node,
      "\(node.json.shortened) is no value of the type \(field.type.rawValue)", expected: expected)
  }

  /// The number without what separates its digits, and with a point.
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
