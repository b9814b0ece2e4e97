/// The command line.
struct Arguments: Equatable {
  private(set) var asksForHelp = false
  /// With five, one figure in 250 is worse than all of a baseline by chance; with three, one in 20.
  private(set) var rounds = 5
  private(set) var rows = 1_500_000
  private(set) var jsonFile: String?
  private(set) var plotFile: String?
  private(set) var baselineFile: String?
  /// What to measure, in the order of the enumeration.
  private(set) var subjects = Subject.allCases

  static let usage = """
    Measure the speed of loading source files into a catalog, in total and by stage.

    usage: ingest-benchmark [--rounds N] [--rows N] [--subject NAME]...
                            [--json FILE] [--plot FILE.svg] [--baseline FILE.json]

      --rounds N       Rounds after the warm-up (default: 5)
      --rows N         Rows of inventory_parts; other tables in proportion (default: 1500000)
      --subject NAME   Measure only this subject; repeatable
      --json FILE      Also write the figures to FILE
      --plot FILE      Also write a plot to FILE, as SVG
      --baseline FILE  Report regressions since an earlier run, from the FILE of its --json
      -h, --help       Show this help

    Subjects:
    \(Subject.allCases.map { subject in
      "  \(subject.rawValue.padded(to: 11))\(subject.summary)"
    }.joined(separator: "\n"))

    The source files are generated for the run. The output has medians, with minimum and maximum in
    brackets. The ratio compares a figure with its reference, which is measured in the same rounds:
    2 means twice as good. The loaded data is checked. The comparison with the shell needs sqlite3
    and gunzip. Files in TMPDIR, or in /tmp, take about 1 GB.

    A regression is a figure whose best round is worse than the worst round of the baseline; if a
    figure has a ratio, the ratio counts. Missed bars and regressions are in the output and the JSON.
    They do not change the exit status, because times depend on the machine.

    """

  /// Reads the arguments after the command's name.
  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    var chosen: Set<Subject> = []
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let joined = parts.count > 1 ? String(parts[1]) : nil
      func value() throws(Failure) -> String {
        guard let value = joined ?? rest.popFirst(), !value.isEmpty else {
          throw Failure.usage("option '\(parts[0])' needs a value")
        }
        return value
      }
      switch parts[0] {
      case "--rounds": rounds = try Self.count(value(), for: "--rounds", in: 1...1000)
      case "--rows": rows = try Self.count(value(), for: "--rows", in: 100...10_000_000)
      case "--json": jsonFile = try value()
      case "--plot": plotFile = try value()
      case "--baseline": baselineFile = try value()
      case "--subject": chosen.insert(try Self.subject(value()))
      case "--help" where joined == nil, "-h" where joined == nil: asksForHelp = true
      default:
        let kind = argument.hasPrefix("-") ? "unknown option" : "unexpected argument"
        throw Failure.usage("\(kind) '\(argument)'")
      }
    }
    if !chosen.isEmpty { subjects = Subject.allCases.filter(chosen.contains) }
  }

  private static func count(
    _ text: String, for option: String, in range: ClosedRange<Int>
  ) throws(Failure) -> Int {
    guard let count = Int(text), range.contains(count) else {
      throw Failure.usage(
        "invalid value '\(text)' for \(option); expected \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return count
  }

  private static func subject(_ name: String) throws(Failure) -> Subject {
    guard let subject = Subject(rawValue: name) else {
      let names = Subject.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.usage("unknown subject '\(name)'; expected one of \(names)")
    }
    return subject
  }
}
