/// The command line.
struct Arguments: Equatable {
  private(set) var asksForHelp = false
  private(set) var rounds = 9
  private(set) var rows: Int?
  private(set) var jsonFile: String?
  /// What to measure, in the order of the enumeration.
  private(set) var subjects = Subject.allCases

  static let usage = """
    Measures the SQLite layer against loops in C that do the same work, in turn.

    usage: ingest-benchmark [--rounds N] [--rows N] [--subject NAME]... [--json FILE]

      --rounds N      rounds that count (default: 9); one more goes before
      --rows N        rows of every subject (default: what stands beside it)
      --subject NAME  measure only this one; repeatable
      --json FILE     write the figures there, too
      -h, --help      show this text

    Subjects:
    \(Subject.allCases.map { subject in
      "  \(subject.rawValue.padded(to: 16))\(subject.summary), \(subject.usualRows) rows"
    }.joined(separator: "\n"))

    It prints medians, in brackets the least and the greatest, and the ratios round by round. Times
    are processor times, which other programs lengthen less than those on the clock. All sides have
    the same rows, tables and settings, and what each loaded or read is checked. Files are made in
    TMPDIR, else in /tmp. No exit status depends on a time.

    """

  /// Reads the arguments behind the command's name.
  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    var chosen: Set<Subject> = []
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let joined = parts.count > 1 ? String(parts[1]) : nil
      func value() throws(Failure) -> String {
        guard let value = joined ?? rest.popFirst(), !value.isEmpty else {
          throw Failure.usage("the option '\(parts[0])' needs a value")
        }
        return value
      }
      switch parts[0] {
      case "--rounds": rounds = try Self.count(value(), for: "--rounds")
      case "--rows": rows = try Self.count(value(), for: "--rows")
      case "--json": jsonFile = try value()
      case "--subject": chosen.insert(try Self.subject(value()))
      case "--help" where joined == nil, "-h" where joined == nil: asksForHelp = true
      default:
        let kind = argument.hasPrefix("-") ? "unknown option" : "unexpected argument"
        throw Failure.usage("\(kind) '\(argument)'")
      }
    }
    if !chosen.isEmpty { subjects = Subject.allCases.filter(chosen.contains) }
  }

  private static func count(_ text: String, for option: String) throws(Failure) -> Int {
    guard let count = Int(text), 1...10_000_000 ~= count else {
      throw Failure.usage("\(option) is a number from 1 to 10000000, not '\(text)'")
    }
    return count
  }

  private static func subject(_ name: String) throws(Failure) -> Subject {
    guard let subject = Subject(rawValue: name) else {
      let names = Subject.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.usage("there is no subject '\(name)'; the subjects are \(names)")
    }
    return subject
  }
}
