package struct CodeExplanation: Equatable, Sendable {
  /// The kind of a code, which determines its consequence; in the order of the page's sections.
  package enum Level: String, CaseIterable, Sendable {
    /// The description is invalid, and no source file is read.
    case description
    /// The run fails and publishes nothing.
    case file
    /// All files were read, but nothing is published.
    case run
    /// The record is not loaded; all others are.
    case record
    /// All data is loaded.
    case warning
  }

  package let code: String
  package let level: Level
  package fileprivate(set) var meaning = ""
  package fileprivate(set) var example = ""
  package fileprivate(set) var cause = ""
  /// The first step of the remedy: a line of its own.
  package fileprivate(set) var firstStep = ""
  package fileprivate(set) var remedy = ""
  /// A line that suppresses such a warning; nil for other codes, and for warnings that cannot be suppressed.
  package fileprivate(set) var suppression: String?

  /// The explanations of all codes, by level, parsed from the handbook's page `Codes`, their only source.
  package static let all = explanations(
    in: String(decoding: PackageResources.Codes_md, as: UTF8.self))

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
      firstStep = text
      remedy = text
    } else if let text = line.rest(after: "  "), !text.hasPrefix(" ") {
      remedy += " \(text)"
    } else if let text = line.rest(after: "- Suppressed by: `") {
      suppression = String(text.dropLast())
    } else if meaning.isEmpty {
      meaning = String(line)
    }
  }
}

extension CodeExplanation {
  package init?(of code: String) {
    guard let known = Self.all.first(where: { $0.code == code }) else { return nil }
    self = known
  }
}

extension Substring {
  fileprivate func rest(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
