extension PatternNode {
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

extension ScalarSet {
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
