#if PostgreSQL
  import SQLiteSwiftly
  import Patterns

  /// An XML Schema regular expression in the syntax of PostgreSQL
  /// (<https://www.postgresql.org/docs/current/functions-matching.html#POSIX-SYNTAX-DETAILS>).
  ///
  /// Each set of characters is written as ranges of code points, so that class names and the locale have no effect; the
  /// database must be in UTF-8.
  struct RegularExpression {
    /// The maximum number of repetitions (`DUPMAX` of the server).
    private static let maximumRepetitions = 255
    /// The maximum number of characters, with all repetitions expanded, and of ranges: the server would reject a larger
    /// expression as too complex at the first row.
    private static let maximumCharacters = 1_000
    private static let maximumRanges = 1_000

    /// The expression, which the whole text must match.
    let text: String

    /// Converts an expression; nil if it has faults, or if the server would reject it.
    init?(_ pattern: String) {
      guard let node = try? PatternParser.parse(pattern),
        Self.characters(in: node) <= Self.maximumCharacters,
        Self.ranges(in: node) <= Self.maximumRanges, let text = Self.text(of: node)
      else { return nil }
      self.text = "^(?:\(text))$"
    }

    private static func characters(in node: PatternNode) -> Int {
      switch node {
      case .set: 1
      case .sequence(let nodes), .choice(let nodes): nodes.map(characters).reduce(1, +)
      // Accepted patterns have few states, so this cannot overflow.
      case .repetition(let node, let least, let most):
        characters(in: node) * Swift.max(least, most ?? 1, 1)
      }
    }

    private static func ranges(in node: PatternNode) -> Int {
      switch node {
      case .set(let set): set.ranges.count
      case .sequence(let nodes), .choice(let nodes): nodes.map(ranges).reduce(0, +)
      case .repetition(let node, _, _): ranges(in: node)
      }
    }

    private static func text(of node: PatternNode) -> String? {
      switch node {
      case .set(let set): return text(of: set)
      case .sequence(let nodes): return texts(of: nodes)?.joined()
      case .choice(let nodes): return texts(of: nodes).map { "(?:\($0.joined(separator: "|")))" }
      case .repetition(let node, let least, let most):
        guard least <= maximumRepetitions, most ?? 0 <= maximumRepetitions else { return nil }
        return text(of: node).map { "(?:\($0)){\(least),\(most.map(String.init) ?? "")}" }
      }
    }

    private static func texts(of nodes: [PatternNode]) -> [String]? {
      let texts = nodes.compactMap(text)
      return texts.count == nodes.count ? texts : nil
    }

    /// A set in brackets, without NUL, which text never contains; nil if it is empty, which has no syntax.
    private static func text(of set: ScalarSet) -> String? {
      let ranges = set.ranges.filter { $0.upperBound > 0 }.map { range in
        range.count == 1
          ? escaped(range.lowerBound)
          : "\(escaped(max(range.lowerBound, 1)))-\(escaped(range.upperBound))"
      }
      return ranges.isEmpty ? nil : "[\(ranges.joined())]"
    }

    /// A code point: an ASCII letter or digit unchanged, any other by its number.
    private static func escaped(_ value: UInt32) -> String {
      if let byte = UInt8(exactly: value), byte < 0x80 {
        let scalar = Unicode.Scalar(byte)
        if scalar.properties.isAlphabetic || "0"..."9" ~= scalar { return String(scalar) }
      }
      let digits = String(value, radix: 16)
      return value > 0xffff
        ? "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
        : "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }
  }
#endif
