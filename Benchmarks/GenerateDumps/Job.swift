import DumpGenerator

/// What a command line asks for.
enum Job: Equatable {
  case help
  case dumps(directory: String, rows: Int, seed: UInt64, era: Era, isCompressed: Bool)
  case fixtures(directory: String)
  case feed(directory: String, stopTimes: Int, badRecords: Int, seed: UInt64)

  static let usage = """
    Writes a made-up LEGO catalog in the form of Rebrickable's CSV dumps, or a made-up timetable
    in the form of a GTFS feed.

    usage: generate-dumps --out DIR [--rows N] [--seed S] [--era today|2020] [--plain]
           generate-dumps --gtfs --out DIR [--stop-times N] [--bad-records N] [--seed S]
           generate-dumps --fixtures DIR

      --out DIR       write the twelve tables into this folder; it is created if need be,
                      and files of the same names are overwritten
      --rows N        rows of inventory_parts, the other tables in proportion (default: 1500000)
      --seed S        another number makes another catalog (default: 1)
      --era ERA       the format of today, or that of June 2020 (default: today)
      --plain         write .csv rather than .csv.gz
      --gtfs          write the ten files of a feed instead, as .txt
      --stop-times N  rows of stop_times, the other files in proportion (default: 1000000)
      --bad-records N rows more of stop_times that are to be rejected (default: 0)
      --fixtures DIR  write the project's fixtures: two small sets, and one set per fault
      -h, --help      show this text

    Equal options give equal bytes.

    """
}

/// Why a command line cannot be understood.
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
        throw UsageError(message: "--fixtures goes with no other option")
      }
      self = .fixtures(directory: directory)
    } else {
      guard let directory = options.values["--out"] else {
        throw UsageError(message: "--out DIR is missing")
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

/// The options as they were written.
private struct Options {
  private(set) var asksForHelp = false
  private(set) var isPlain = false
  private(set) var isFeed = false
  /// The values of the options that have one, by name; of several the last one.
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
      default: try takeValued(argument, &rest)
      }
    }
  }

  /// Takes `--name value`, whose value is the next argument, or `--name=value`.
  private mutating func takeValued(
    _ argument: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let pieces = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(pieces[0])
    guard Self.valued.contains(name) else {
      throw UsageError(
        message: argument.hasPrefix("-")
          ? "there is no option \(argument)" : "unexpected argument \(argument)")
    }
    guard let value = pieces.count == 2 ? String(pieces[1]) : rest.popFirst(), !value.isEmpty else {
      throw UsageError(message: "\(name) needs a value")
    }
    values[name] = value
  }

  /// Throws if there is an option of the catalog for a feed, or the other way round.
  func checkKind() throws(UsageError) {
    let foreign =
      isFeed
      ? Self.ofCatalog.filter { values[$0] != nil } + (isPlain ? ["--plain"] : [])
      : Self.ofFeed.filter { values[$0] != nil }
    guard let name = foreign.first else { return }
    throw UsageError(message: isFeed ? "--gtfs does not go with \(name)" : "\(name) needs --gtfs")
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
        message: "\(name) is a number from \(possible.lowerBound) to \(possible.upperBound),"
          + " not \(text)")
    }
    return number
  }

  func seed() throws(UsageError) -> UInt64 {
    guard let text = values["--seed"] else { return 1 }
    guard let seed = UInt64(text) else {
      throw UsageError(message: "--seed is a number from 0 to \(UInt64.max), not \(text)")
    }
    return seed
  }

  func era() throws(UsageError) -> Era {
    guard let text = values["--era"] else { return .today }
    guard let era = Era(rawValue: text) else {
      let names = Era.allCases.map(\.rawValue).joined(separator: " or ")
      throw UsageError(message: "--era is \(names), not \(text)")
    }
    return era
  }
}
