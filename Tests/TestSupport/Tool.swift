package import Testing

/// A program that some tests need beside Swift, SQLite and what every Debian has.
package enum Tool: String, CaseIterable, Sendable {
  case python
  /// Python's `jsonschema`, which validates reports.
  case jsonschema
  /// The shell of SQLite.
  case sqlite3
  case strace
  /// `script`, which runs a command on a terminal of its own.
  case script

  /// Where Debian has Python; another one may lack `jsonschema`.
  package static let pythonPath = "/usr/bin/python3"

  /// The Debian package that has it.
  package var package: String {
    switch self {
    case .python: "python3"
    case .jsonschema: "python3-jsonschema"
    case .sqlite3: "sqlite3"
    case .strace: "strace"
    case .script: "bsdutils"
    }
  }

  /// A shell command that succeeds if the tool works.
  private var trial: String {
    switch self {
    case .python: "\(Self.pythonPath) -c ''"
    case .jsonschema: "\(Self.pythonPath) -c 'from jsonschema import Draft202012Validator'"
    case .sqlite3: "sqlite3 -version"
    case .strace: "strace -o /dev/null true"
    case .script: "script -qec true /dev/null"
    }
  }

  package var isThere: Bool { Self.present.contains(self) }

  private static let present = Set(
    allCases.filter { (try? ChildProcess("/bin/sh", ["-c", $0.trial]).run().status) == 0 })
}

extension Trait where Self == ConditionTrait {
  /// Skips a test if a tool is missing, and names it.
  ///
  /// `.ci/run` fails on such a skip.
  package static func needs(_ tools: Tool...) -> Self {
    let missing = tools.filter { !$0.isThere }
    let words = missing.map { "\($0.rawValue) (Debian: \($0.package))" }.joined(separator: ", ")
    return .enabled(if: missing.isEmpty, "missing tool: \(words)")
  }
}
