package indirect enum PatternNode {
  case set(ScalarSet)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// A repetition; without a maximum if `most` is nil.
  case repetition(PatternNode, least: Int, most: Int?)

  private static var maximumGlobs: Int { 8 }
  private static var longestGlob: Int { 200 }

  /// Equivalent patterns of SQLite's `GLOB`: a text matches the expression if it matches one of
  /// them; nil if there are none.
  package var globs: [String]? {
    switch self {
    case .set(let set): return set.glob.map { [$0] }
    case .choice(let nodes): return Self.any(of: nodes.map(\.globs))
    case .sequence(let nodes): return Self.all(of: nodes.map(\.globs))
    case .repetition(let node, let least, let most):
      guard let most, most <= Self.longestGlob, most - least < Self.maximumGlobs else { return nil }
      let globs = node.globs
      return Self.any(
        of: (least...most).map { Self.all(of: [[String]?](repeating: globs, count: $0)) })
    }
  }

  private static func any(of globs: [[String]?]) -> [String]? {
    let all = globs.flatMap { $0 ?? [] }
    return globs.contains(nil) || all.count > maximumGlobs ? nil : all
  }

  private static func all(of globs: [[String]?]) -> [String]? {
    var all = [""]
    for globs in globs {
      guard let globs else { return nil }
      all = all.flatMap { start in globs.map { start + $0 } }
      guard all.count <= maximumGlobs, all.allSatisfy({ $0.utf8.count <= longestGlob }) else {
        return nil
      }
    }
    return all
  }
}

package struct PatternFault: Error {
  package let message: String
  /// Whether the pattern may be valid in another dialect of regular expressions.
  package var isOfOtherDialect = false
}

/// Parses a regular expression of XML Schema (<https://www.w3.org/TR/xmlschema-2/#regexs>), and
/// common extensions: `^` and `$` around it, and groups that begin with `(?:`.
package struct PatternParser {
  private static let greatestCount = 10_000
  private static let deepest = 100
  private static let longest = 5_000

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  private init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  package static func parse(_ pattern: String) throws(PatternFault) -> PatternNode {
    guard pattern.utf8.count <= longest else {
      throw PatternFault(message: "has \(pattern.utf8.count) bytes, but the limit is \(longest)")
    }
    var parser = PatternParser(pattern)
    let node = try parser.choice()
    guard parser.next == nil else { throw parser.fault("has an unmatched )") }
    return node
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func fault(_ message: String, isOfOtherDialect: Bool = false) -> PatternFault {
    PatternFault(
      message: "\(message), at character \(min(position + 1, scalars.count))",
      isOfOtherDialect: isOfOtherDialect)
  }

  private mutating func consume() throws(PatternFault) -> Unicode.Scalar {
    guard let next else { throw fault("ends too early") }
    position += 1
    return next
  }

  private mutating func skip(_ text: String) -> Bool {
    let expected = Array(text.unicodeScalars)
    guard scalars[position...].starts(with: expected) else { return false }
    position += expected.count
    return true
  }

  private mutating func choice() throws(PatternFault) -> PatternNode {
    depth += 1
    guard depth < Self.deepest else { throw fault("has too many nested groups") }
    defer { depth -= 1 }
    var branches = [try branch()]
    while skip("|") { branches.append(try branch()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  /// Anchors are allowed only where they have no effect, because the whole text must match.
  private mutating func branch() throws(PatternFault) -> PatternNode {
    var pieces: [PatternNode] = []
    if depth == 1 { _ = skip("^") }
    while let next, next != "|", next != ")" {
      if depth == 1, next == "$", position + 1 == scalars.count || scalars[position + 1] == "|" {
        position += 1
        break
      }
      pieces.append(try quantified(try atom()))
    }
    return pieces.count == 1 ? pieces[0] : .sequence(pieces)
  }

  private mutating func atom() throws(PatternFault) -> PatternNode {
    switch try consume() {
    case "(":
      if skip("?"), !skip(":") {
        throw fault("has an unsupported group that begins with (?", isOfOtherDialect: true)
      }
      let node = try choice()
      guard skip(")") else { throw fault("has an unmatched (") }
      return node
    case "[": return .set(try characterClass())
    case ".": return .set(ScalarSet.lineEnds.inverted)
    case "\\": return .set(try escape())
    case let scalar where "?*+{}]^$".unicodeScalars.contains(scalar):
      position -= 1
      throw fault("has a misplaced \(scalar); write a literal one as \\\(scalar)")
    case let scalar: return .set(ScalarSet(scalar))
    }
  }

  private mutating func quantified(_ node: PatternNode) throws(PatternFault) -> PatternNode {
    var (least, most): (Int, Int?) = (0, nil)
    if skip("?") {
      most = 1
    } else if skip("+") {
      least = 1
    } else if skip("{") {
      least = try count() ?? 0
      most = skip(",") ? try count() : least
      guard skip("}") else { throw fault("has an unmatched {") }
      guard least <= most ?? least else {
        throw fault("repeats at least \(least) but at most \(most ?? 0) times")
      }
    } else if !skip("*") {
      return node
    }
    // Greedy and lazy repetitions match the same whole texts.
    _ = skip("?")
    return .repetition(node, least: least, most: most)
  }

  private mutating func count() throws(PatternFault) -> Int? {
    var value: Int?
    while let next, ScalarSet.digits.contains(next) {
      value = (value ?? 0) * 10 + Int(next.value - 0x30)
      guard value ?? 0 <= Self.greatestCount else {
        throw fault("repeats a part more than \(Self.greatestCount) times")
      }
      position += 1
    }
    return value
  }

  private mutating func characterClass() throws(PatternFault) -> ScalarSet {
    let isInverted = skip("^")
    var set = ScalarSet([])
    var isFirst = true
    while !skip("]") {
      if !isFirst, skip("-[") {
        let rest = (isInverted ? set.inverted : set).subtracting(try characterClass())
        guard skip("]") else { throw fault("has text after the subtraction of a class") }
        return rest
      }
      let start = position
      let member = try classMember()
      if skip("-") {
        if next == "]" || next == "[" {
          position -= next == "[" ? 1 : 0
          set = set.union(next == "[" ? member : member.union(ScalarSet("-")))
        } else {
          let end = try classMember()
          guard let low = member.single, let high = end.single, low <= high else {
            position = start
            throw fault("has a range whose end precedes its start")
          }
          set = set.union(ScalarSet([low...high]))
        }
      } else {
        set = set.union(member)
      }
      isFirst = false
    }
    guard !isFirst else { throw fault("has an empty class") }
    return isInverted ? set.inverted : set
  }

  private mutating func classMember() throws(PatternFault) -> ScalarSet {
    switch try consume() {
    case "\\": return try escape()
    case "[":
      position -= 1
      throw fault("has a [ within a class; write a literal one as \\[")
    case let scalar: return ScalarSet(scalar)
    }
  }

  private mutating func escape() throws(PatternFault) -> ScalarSet {
    switch try consume() {
    case "n": return ScalarSet("\n")
    case "r": return ScalarSet("\r")
    case "t": return ScalarSet("\t")
    case "d": return .digits
    case "D": return ScalarSet.digits.inverted
    case "s": return .blanks
    case "S": return ScalarSet.blanks.inverted
    case "w": return .word
    case "W": return ScalarSet.word.inverted
    case "i": return .nameStart
    case "I": return ScalarSet.nameStart.inverted
    case "c": return .name
    case "C": return ScalarSet.name.inverted
    case "p": return try category()
    case "P": return try category().inverted
    case let scalar where scalar.properties.isAlphabetic || ScalarSet.digits.contains(scalar):
      throw fault(
        "has the escape \\\(scalar), which XML Schema does not define", isOfOtherDialect: true)
    case let scalar: return ScalarSet(scalar)
    }
  }

  private mutating func category() throws(PatternFault) -> ScalarSet {
    guard skip("{"), let end = scalars[position...].firstIndex(of: "}") else {
      throw fault("has a category without braces")
    }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: scalars[position..<end])
    let set = name.count <= 2 && !name.isEmpty ? ScalarSet(category: String(name)) : ScalarSet([])
    guard !set.ranges.isEmpty else {
      throw fault("has the unknown category \(String(name))")
    }
    position = end + 1
    return set
  }
}

extension ScalarSet {
  func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } }

  fileprivate var single: UInt32? {
    ranges.count == 1 && ranges[0].count == 1 ? ranges[0].lowerBound : nil
  }

  /// The part of a `GLOB` for one of the scalars; nil for sets beyond ASCII or with special characters of `GLOB`.
  fileprivate var glob: String? {
    guard let last = ranges.last, last.upperBound < 0x80, ranges[0].lowerBound > 0 else {
      return nil
    }
    if ranges.count == 1, last.count == 1 {
      let text = Self.text(last.lowerBound)
      return ["*", "?", "["].contains(text) ? "[\(text)]" : text
    }
    guard subtracting(ScalarSet("[", "]", "^", "-")) == self else { return nil }
    return "["
      + ranges.map { range in
        range.count == 1
          ? Self.text(range.lowerBound)
          : Self.text(range.lowerBound) + "-" + Self.text(range.upperBound)
      }.joined() + "]"
  }

  private static func text(_ value: UInt32) -> String {
    Unicode.Scalar(value).map { String($0) } ?? ""
  }
}
