import Platform
import Inference
import IngestReport
import Text

extension Arguments {
  static func explainTask(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    guard let code = words.first else { return .explain(nil) }
    if ["-h", "--help"].contains(code) { return .help(.command(.explain)) }
    try require(words.count == 1, "'explain' takes one code, not \(words.count)")
    if let number = Int32(code) {
      if let status = ExitStatus(rawValue: number) { return .explainStatus(status) }
      throw UsageError(
        message: "unknown exit status \(number); 'ingest help status' lists all exit statuses"
      )
    }
    if let known = CodeExplanation.all.first(where: { $0.code == code }) { return .explain(known) }
    let suggestion = nearest(to: code, of: CodeExplanation.all.map(\.code))
    throw UsageError(
      message: "unknown code '\(code)'\(suggestion); 'ingest explain' lists all codes")
  }

  mutating func parseDiff(_ words: ArraySlice<String>) throws(UsageError) {
    let words = try CommandWords(
      words, of: .diff, operands: ["OLD and NEW, two databases", "NEW, the second database"])
    guard !words.has("--help") else { return task = .help(.command(.diff)) }
    try require(
      !words.has("--json") || !words.has("--keys"),
      "'--json' and '--keys' cannot be combined")
    let form = words.has("--json") ? DiffForm.json : words.has("--keys") ? .keys : .counts
    schema = SchemaChoice(named: words.value(of: "--schema"))
    try Self.requireFiles(words.operands, for: "diff")
    task = .diff(old: words.operands[0], new: words.operands[1], form)
  }

  mutating func parseCheck(_ words: ArraySlice<String>) throws(UsageError) {
    let words = try CommandWords(
      words, of: .check, operands: ["FILE, the database"])
    try Self.requireFiles(words.operands, for: "check")
    task = words.has("--help") ? .help(.command(.check)) : .check(words.operands[0])
    verbosity = words.has("--quiet") ? .quiet : .normal
    schema = SchemaChoice(named: words.value(of: "--schema"))
  }

  static func historyTask(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    let words = try CommandWords(words, of: .history, operands: ["FILE, the database"])
    guard !words.has("--help") else { return .help(.command(.history)) }
    try requireFiles(words.operands, for: "history")
    return .history(words.operands[0], isJSON: words.has("--json"))
  }

  private static func requireFiles(
    _ operands: [String], for command: String
  ) throws(UsageError) {
    let isServerAddress = { (operand: String) in
      switch MisreadPath(operand) {
      case .address, .connectionString: true
      case .prefixed, .memory, nil: ServerAddress.resembles(operand)
      }
    }
    for operand in operands where isServerAddress(operand) {
      #if PostgreSQL
        if ServerAddress.isAddress(operand) { continue }
        throw UsageError(
          message:
            "'\(command)' reads a file, or a PostgreSQL database by its address as in --out"
        )
      #else
        throw UsageError(
          message: "'\(command)' reads a file: this ingest was built without PostgreSQL")
      #endif
    }
  }

  static func describeTask(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    let words = try CommandWords(words, of: .describe, operands: [])
    guard !words.has("--help") else { return .help(.command(.describe)) }
    let forms = ["--source", "--rebrickable", "--gtfs"].filter(words.has)
    guard forms.count == 1 else {
      throw UsageError(
        message: "'describe' requires one of '--source DIR', '--rebrickable' and '--gtfs'"
          + (forms.isEmpty ? "" : ", not \(forms.count)"))
    }
    guard let source = words.value(of: "--source"), forms == ["--source"] else {
      return .describe(forms == ["--gtfs"] ? .gtfs : .rebrickable)
    }
    var options = InferenceOptions(source: source)
    options.excluded = words.values(of: "--exclude")
    options.isRecursive = words.has("--recursive")
    options.hasHeader = !words.has("--no-header")
    return .describe(
      .files(options, name: words.value(of: "--name"), isVerbose: words.has("--verbose")))
  }

  static func helpTask(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    guard let topic = words.first else { return .help(.everything) }
    try require(words.count == 1, "'help' takes one topic, not \(words.count)")
    if topic == "status" { return .help(.statuses) }
    if let command = CommandDescription.all.first(where: { $0.topic == topic }) {
      return .help(.command(command))
    }
    let options = CommandDescription.all.flatMap(\.options)
    if let option = options.first(where: { [$0.name, $0.short].contains(topic) }) {
      return .help(.option(option))
    }
    guard !topic.hasBytePrefix("-") else {
      throw UsageError(
        message: "unknown option '\(topic)'" + nearest(to: topic, of: options.map(\.name)))
    }
    let codes = CodeExplanation.all.map(\.code)
    guard Int32(topic) == nil, !codes.contains(topic) else { return try explainTask(words) }
    let topics = CommandDescription.all.map(\.topic) + ["status"]
    throw UsageError(
      message:
        "unknown topic '\(topic)'\(nearest(to: topic, of: topics + codes)); the topics are "
        + topics.joined(separator: ", ") + ", options, codes and exit statuses")
  }

  static func completionsTask(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    let words = try CommandWords(
      words, of: .completions, operands: ["a shell: bash, zsh or fish"])
    guard !words.has("--help") else { return .help(.command(.completions)) }
    guard let shell = Completions.Shell(rawValue: words.operands[0]) else {
      throw UsageError(
        message: "unknown shell '\(words.operands[0])': expected bash, zsh or fish")
    }
    return .completions(shell)
  }

  static func manualTask(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    let words = try CommandWords(words, of: .manual, operands: [])
    return words.has("--help") ? .help(.command(.manual)) : .manual
  }
}
