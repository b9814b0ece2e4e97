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
    Measures how fast dumps become a catalog, and where the time goes.

    usage: ingest-benchmark [--rounds N] [--rows N] [--subject NAME]...
                            [--json FILE] [--plot FILE.svg] [--baseline FILE.json]

      --rounds N       rounds that count (default: 5)
      --rows N         rows of inventory_parts in the dumps, the other tables in proportion
                       (default: 1500000)
      --subject NAME   measure only this one; repeatable
      --json FILE      write the figures there, too
      --plot FILE      write a picture of them there, as SVG
      --baseline FILE  name the figures that fell since an earlier run, which --json wrote
      -h, --help       show this text

    Subjects:
    \(Subject.allCases.map { subject in
      "  \(subject.rawValue.padded(to: 11))\(subject.summary)"
    }.joined(separator: "\n"))

    The dumps are made for the run. It prints medians, in brackets the least and the greatest, and
    beside a figure its ratio to what was measured in turn with it, round by round: how many times as
    good it is. What each side loaded is checked. The comparison with the shell needs sqlite3 and
    gunzip. Files are made in TMPDIR, else in /tmp, and take about a gigabyte.

    A figure fell if its best round is worse than the worst one of the baseline; of a figure with a
    ratio, that is the ratio. That a bar is missed or a figure fell does not change the exit status,
    since times depend on the machine: it stands in the output and in the JSON.

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
          throw Failure.usage("the option '\(parts[0])' needs a value")
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
        "\(option) is a number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
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
