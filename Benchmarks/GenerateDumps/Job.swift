import DumpGenerator

/// A job from the command line.
enum Job: Equatable {
  case help
  case dumps(directory: String, rows: Int, seed: UInt64, era: Era, isCompressed: Bool)
  case fixtures(directory: String)
  case feed(directory: String, stopTimes: Int, badRecords: Int, seed: UInt64)

  static let usage = """
    Write an artificial LEGO catalog in the format of Rebrickable's CSV dumps, or an artificial
    timetable in the format of a GTFS feed.

    usage: generate-dumps --out DIR [--rows N] [--seed S] [--era today|2020] [--plain]
           generate-dumps --gtfs --out DIR [--stop-times N] [--bad-records N] [--seed S]
           generate-dumps --fixtures DIR

      --out DIR       Write the twelve tables into DIR. It is created if missing; existing files
                      of the same names are overwritten.
      --rows N        Rows of inventory_parts; other tables in proportion (default: 1500000)
      --seed S        Random seed (default: 1)
      --era ERA       Format: current, or of June 2020 (default: today)
      --plain         Write .csv instead of .csv.gz
      --gtfs          Write the ten files of a GTFS feed instead, as .txt
      --stop-times N  Rows of stop_times; other files in proportion (default: 1000000)
      --bad-records N Additional invalid rows of stop_times (default: 0)
      --fixtures DIR  Write the project's fixtures: two small sets, and one set per fault
      -h, --help      Show this help

    The same options always write the same bytes.

    """
}

/// An invalid command line.
struct UsageError: Error, Equatable {
  let message: String
}

extension Job {
  /// Reads a command line, without the command's own name.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    let options = try Options(Array(arguments))
    if options.asksForHelp {
      self = .help
    } else if let directory = options.values["--fixtures"] {
      guard options.values.count == 1, !options.isPlain, !options.isFeed else {
        throw UsageError(message: "--fixtures cannot be combined with other options")
      }
      self = .fixtures(directory: directory)
    } else {
      guard let directory = options.values["--out"] else {
        throw UsageError(message: "missing option --out DIR")
      }
      try options.checkKind()
      guard !options.isFeed else {
        self = .feed(
          directory: directory, stopTimes: try options.stopTimes(),
          badRecords: try options.badRecords(), seed: try options.seed())
        return
      }
      self = .dumps(
        directory: directory, rows: try options.rows(), seed: try options.seed(),
        era: try options.era(), isCompressed: !options.isPlain)
    }
  }
}

/// The options of the command line.
private struct Options {
  private(set) var asksForHelp = false
  private(set) var isPlain = false
  private(set) var isFeed = false
  /// Option values by name; the last one counts.
  private(set) var values: [String: String] = [:]

  private static let valued =
    ["--out", "--seed", "--fixtures"] + ofCatalog + ofFeed
  private static let ofCatalog = ["--rows", "--era"]
  private static let ofFeed = ["--stop-times", "--bad-records"]

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-h", "--help": asksForHelp = true
      case "--plain": isPlain = true
      case "--gtfs": isFeed = true
      default: try readValue(argument, &rest)
      }
    }
  }

  /// Reads `--name value` or `--name=value`.
  private mutating func readValue(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let pieces = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(pieces[0])
    guard Self.valued.contains(name) else {
      throw UsageError(
        message: argument.hasPrefix("-")
          ? "unknown option \(argument)" : "unexpected argument \(argument)")
    }
    guard let value = pieces.count == 2 ? String(pieces[1]) : rest.popFirst(), !value.isEmpty else {
      throw UsageError(message: "\(name) needs a value")
    }
    values[name] = value
  }

  /// Throws for an option of the catalog with a feed, or vice versa.
  func checkKind() throws(UsageError) {
    let foreign =
      isFeed
      ? Self.ofCatalog.filter { values[$0] != nil } + (isPlain ? ["--plain"] : [])
      : Self.ofFeed.filter { values[$0] != nil }
    guard let name = foreign.first else { return }
    throw UsageError(
      message: isFeed ? "--gtfs cannot be combined with \(name)" : "\(name) requires --gtfs")
  }

  func rows() throws(UsageError) -> Int {
    try number("--rows", 1_500_000, DumpSet.possibleRows)
  }

  func stopTimes() throws(UsageError) -> Int {
    try number("--stop-times", 1_000_000, TransitFeed.possibleStopTimes)
  }

  func badRecords() throws(UsageError) -> Int {
    try number("--bad-records", 0, 0...TransitFeed.possibleStopTimes.upperBound)
  }

  private func number(
    _ name: String, _ usual: Int, _ possible: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    guard let text = values[name] else { return usual }
    guard let number = Int(text), possible.contains(number) else {
      throw UsageError(
        message: "invalid value \(text) for \(name); expected \(possible.lowerBound) to "
          + "\(possible.upperBound)")
    }
    return number
  }

  func seed() throws(UsageError) -> UInt64 {
    guard let text = values["--seed"] else { return 1 }
    guard let seed = UInt64(text) else {
      throw UsageError(message: "invalid value \(text) for --seed; expected 0 to \(UInt64.max)")
    }
    return seed
  }

  func era() throws(UsageError) -> Era {
    guard let text = values["--era"] else { return .today }
    guard let era = Era(rawValue: text) else {
      let names = Era.allCases.map(\.rawValue).joined(separator: " or ")
      throw UsageError(message: "invalid value \(text) for --era; expected \(names)")
    }
    return era
  }
}
