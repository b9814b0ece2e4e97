import IngestPipeline

/// The command line, read after the conventions of GNU and of swift-argument-parser.
struct Arguments: Equatable {
  /// What the command is asked to do.
  enum Task: Equatable {
    case load, help, version
    /// Explains a code, or lists them all.
    case explain(CodeExplanation?)
  }

  /// How much it says.
  enum Verbosity: Equatable { case quiet, normal, verbose }

  /// Why a command line cannot be understood.
  struct UsageError: Error, Equatable { let message: String }

  private(set) var task = Task.load
  private(set) var verbosity = Verbosity.normal
  private(set) var source: String?
  private(set) var output: String?
  private(set) var rejectLimit = RejectLimit.records(0)
  private(set) var allowedMissing = AllowedMissing.tables([])

  private static let options = [
    "--source", "--out", "--max-rejects", "--allow-missing", "--quiet", "--verbose", "--help",
    "--version",
  ]

  /// Reads the arguments behind the command's name.
  ///
  /// - Parameters:
  ///   - arguments: the words of the command line.
  ///   - tables: the tables that can be named.
  /// - Throws: `UsageError` for the first word that cannot be understood.
  init(_ arguments: [String], tables: [String]) throws(UsageError) {
    var rest = arguments[...]
    if rest.first == "explain" {
      task = try Self.explaining(rest.dropFirst())
      return
    }
    while let argument = rest.popFirst() {
      guard argument.utf8.first == UInt8(ascii: "-"), argument != "-" else {
        throw UsageError(message: "unexpected argument '\(argument)'")
      }
      if argument == "--" {
        guard let next = rest.first else { break }
        throw UsageError(message: "unexpected argument '\(next)'")
      }
      try read(Option(argument), &rest, tables: tables)
    }
    guard task == .load else { return }
    guard source != nil else { throw UsageError(message: "missing option '--source DIR'") }
    guard output != nil else { throw UsageError(message: "missing option '--out FILE'") }
  }

  private static func explaining(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    guard let code = words.first else { return .explain(nil) }
    if ["-h", "--help"].contains(code) { return .help }
    guard words.count == 1 else {
      throw UsageError(message: "'explain' takes one code, but \(words.count) are given")
    }
    if let known = CodeExplanation.all.first(where: { $0.code == code }) { return .explain(known) }
    let suggestion = nearest(to: code, of: CodeExplanation.all.map(\.code))
    throw UsageError(
      message: "there is no code '\(code)'\(suggestion); 'ingest explain' lists them all")
  }

  /// A question whether the word that is most like another was meant, if any is like it.
  private static func nearest(to word: String, of words: [String]) -> String {
    let distances = words.map { (word: $0, distance: word.distance(to: $0)) }
    guard let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance <= 3
    else { return "" }
    return "; did you mean '\(nearest.word)'?"
  }

  /// An option, and the value that was joined to it by an equals sign.
  private struct Option {
    let name: String
    let joinedValue: String?

    init(_ argument: String) {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      name = String(parts[0])
      joinedValue = parts.count > 1 ? String(parts[1]) : nil
    }
  }

  private mutating func read(
    _ option: Option, _ rest: inout ArraySlice<String>, tables: [String]
  ) throws(UsageError) {
    switch option.name {
    case "--source": source = try Self.value(of: option, &rest)
    case "--out": output = try Self.value(of: option, &rest)
    case "--max-rejects":
      rejectLimit = try Self.rejectLimit(Self.value(of: option, &rest))
    case "--allow-missing":
      try allow(Self.value(of: option, &rest), tables: tables)
    default: try readFlag(option)
    }
  }

  private mutating func readFlag(_ option: Option) throws(UsageError) {
    switch option.name {
    case "--quiet", "-q": verbosity = .quiet
    case "--verbose", "-v": verbosity = .verbose
    case "--help", "-h": task = .help
    case "--version": task = .version
    default:
      let suggestion = Self.nearest(to: option.name, of: Self.options)
      throw UsageError(message: "unknown option '\(option.name)'\(suggestion)")
    }
    guard option.joinedValue == nil else {
      throw UsageError(message: "the option '\(option.name)' takes no value")
    }
  }

  private static func value(
    of option: Option, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    let value = option.joinedValue ?? rest.popFirst()
    guard let value, !value.isEmpty else {
      throw UsageError(message: "the option '\(option.name)' needs a value")
    }
    guard option.joinedValue != nil || !value.hasPrefix("--") else {
      throw UsageError(
        message: "the option '\(option.name)' needs a value, but '\(value)' follows; "
          + "write '\(option.name)=\(value)' if that is meant")
    }
    return value
  }

  private static func rejectLimit(_ text: String) throws(UsageError) -> RejectLimit {
    if text.hasSuffix("%"), let percent = Double(text.dropLast()), 0...100 ~= percent {
      return .percent(percent)
    }
    if let count = Int(text), count >= 0 { return .records(count) }
    throw UsageError(
      message: "'\(text)' is no limit for --max-rejects: give a number such as 20, "
        + "or a share of all records such as 0.1%")
  }

  private mutating func allow(_ name: String, tables: [String]) throws(UsageError) {
    guard name != "all" else { return allowedMissing = .all }
    guard tables.contains(name) else {
      throw UsageError(
        message: "there is no table '\(name)' for --allow-missing; the tables are "
          + tables.joined(separator: ", "))
    }
    if case .tables(let names) = allowedMissing { allowedMissing = .tables(names.union([name])) }
  }
}

extension String {
  /// The least number of letters that must be put in, taken out or changed to get `other`
  /// (Levenshtein's distance).
  fileprivate func distance(to other: String) -> Int {
    let other = Array(other.utf8)
    var row = Array(0...other.count)
    for (index, letter) in utf8.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let substituted = diagonal + (letter == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(substituted, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[other.count]
  }
}
