/// What a code means, and what to do about it.
package struct CodeExplanation: Equatable, Sendable {
  /// What a code is said of, and with that what follows from it: the parts of the page, in its order.
  package enum Level: String, CaseIterable, Sendable {
    /// The description of the dumps cannot be used, and no dump is read.
    case description
    /// The run ends and publishes nothing.
    case file
    /// The run publishes nothing although every file could be read.
    case run
    /// The record is not loaded, everything else is.
    case record
    /// All is loaded; it may be worth a look.
    case warning
  }

  package let code: String
  package let level: Level
  /// What was found.
  package fileprivate(set) var meaning = ""
  /// What it looks like in a dump.
  package fileprivate(set) var example = ""
  /// Where it usually comes from.
  package fileprivate(set) var cause = ""
  /// What to do.
  package fileprivate(set) var remedy = ""
  /// A line that accepts such a warning; nil if the code is not that of a warning, or of one that cannot be
  /// accepted.
  package fileprivate(set) var suppression: String?

  /// The explanations of all codes, level by level, as the handbook's page `Codes` has them, which is the only place
  /// where they are written.
  package static let all = explanations(
    in: String(decoding: PackageResources.Codes_md, as: UTF8.self))

  package init?(of code: String) {
    guard let known = Self.all.first(where: { $0.code == code }) else { return nil }
    self = known
  }

  private init(code: String, level: Level) {
    self.code = code
    self.level = level
  }

  private static func explanations(in page: String) -> [CodeExplanation] {
    var levels = Level.allCases.makeIterator()
    var level = Level.description
    var all: [CodeExplanation] = []
    for line in page.split(separator: "\n") {
      if line.hasPrefix("## ") {
        level = levels.next() ?? level
      } else if let code = line.rest(after: "### ") {
        all.append(CodeExplanation(code: code, level: level))
      } else if !all.isEmpty {
        all[all.count - 1].add(line)
      }
    }
    return all
  }

  private mutating func add(_ line: Substring) {
    if let text = line.rest(after: "- Example: `") {
      example = String(text.dropLast())
    } else if let text = line.rest(after: "- Usual cause: ") {
      cause = text
    } else if let text = line.rest(after: "- Remedy: ") {
      remedy = text
    } else if let text = line.rest(after: "- Accepted by: `") {
      suppression = String(text.dropLast())
    } else if meaning.isEmpty {
      meaning = String(line)
    }
  }
}

extension Substring {
  fileprivate func rest(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
