import DumpGenerator

/// What a command line asks for.
enum Job: Equatable {
  case help
  case dumps(directory: String, rows: Int, seed: UInt64, era: Era, isCompressed: Bool)
  case fixtures(directory: String)

  static let usage = """
    Writes a made-up LEGO catalogue in the form of Rebrickable's CSV dumps.

    usage: generate-dumps --out DIR [--rows N] [--seed S] [--era today|2020] [--plain]
           generate-dumps --fixtures DIR

      --out DIR       write the twelve tables into this folder; it is created if need be,
                      and files of the same names are overwritten
      --rows N        rows of inventory_parts, the other tables in proportion (default: 1500000)
      --seed S        another number makes another catalogue (default: 1)
      --era ERA       the format of today, or that of June 2020 (default: today)
      --plain         write .csv rather than .csv.gz
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
      guard options.values.count == 1, !options.isPlain else {
        throw UsageError(message: "--fixtures goes with no other option")
      }
      self = .fixtures(directory: directory)
    } else {
      guard let directory = options.values["--out"] else {
        throw UsageError(message: "--out DIR is missing")
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
  /// The values of the options that have one, by name; of several the last one.
  private(set) var values: [String: String] = [:]

  private static let valued = ["--out", "--rows", "--seed", "--era", "--fixtures"]

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-h", "--help": asksForHelp = true
      case "--plain": isPlain = true
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

  func rows() throws(UsageError) -> Int {
    guard let text = values["--rows"] else { return 1_500_000 }
    let possible = DumpSet.possibleRows
    guard let rows = Int(text), possible.contains(rows) else {
      throw UsageError(
        message: "--rows is a number from \(possible.lowerBound) to \(possible.upperBound),"
          + " not \(text)")
    }
    return rows
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
