import Inference
import IngestReport
import Text

enum MetadataForm: Equatable {
  case dictionary
  case diagram
  case datasette(database: String)
}

extension Arguments {
  /// The task of a command that is not a run.
  static func task(_ words: CommandWords) throws(UsageError) -> Task {
    let (command, operands) = (words.command, words.operands)
    if command == .help { return try helpTask(operands) }
    if command == .explain { return try explainTask(operands) }
    try require(
      operands.count == command.operandNames.count,
      "'\(command.name)' requires \(command.operandNames[operands.count])")
    switch command {
    case .describe: return try describeTask(words)
    case .metadata: return try metadataTask(words)
    case .completions: return try completionsTask(operands[0])
    case .manual: return .manual
    case .diff:
      try require(
        !words.has("--json") || !words.has("--keys"),
        "'--json' and '--keys' cannot be combined")
      try requireDatabases(words)
      let form = words.has("--json") ? DiffForm.json : words.has("--keys") ? .keys : .counts
      return .diff(old: operands[0], new: operands[1], form)
    case .check:
      try requireDatabases(words)
      return .check(operands[0])
    default:
      try requireDatabases(words)
      return .history(operands[0], isJSON: words.has("--json"))
    }
  }

  private static func explainTask(_ words: [String]) throws(UsageError) -> Task {
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

  private static func requireDatabases(_ words: CommandWords) throws(UsageError) {
    let isServerAddress = { (operand: String) in
      switch MisreadPath(operand) {
      case .address, .connectionString: true
      case .prefixed, .memory, nil: ServerAddress.resembles(operand)
      }
    }
    for operand in words.operands where isServerAddress(operand) {
      #if PostgreSQL
        if ServerAddress.isAddress(operand) { continue }
        throw UsageError(
          message:
            "'\(words.command.name)' reads a file, or a PostgreSQL database by its address as in --out"
        )
      #else
        throw UsageError(
          message: "'\(words.command.name)' reads a file: this ingest was built without PostgreSQL")
      #endif
    }
  }

  /// The one option of several that the command has.
  private static func form(
    _ options: [String], _ words: CommandWords, _ list: String
  ) throws(UsageError) -> String {
    let forms = options.filter(words.has)
    try require(
      forms.count == 1,
      "'\(words.command.name)' requires one of \(list)"
        + (forms.isEmpty ? "" : ", not \(forms.count)"))
    return forms[0]
  }

  private static func describeTask(_ words: CommandWords) throws(UsageError) -> Task {
    let form = try form(
      ["--source", "--rebrickable", "--gtfs"], words,
      "'--source DIR', '--rebrickable' and '--gtfs'")
    guard let source = words.value(of: "--source"), form == "--source" else {
      return .describe(form == "--gtfs" ? .gtfs : .rebrickable)
    }
    var options = InferenceOptions(source: source)
    options.excluded = words.values(of: "--exclude")
    options.isRecursive = words.has("--recursive")
    options.stated = try statedDialect(words)
    return .describe(
      .files(options, name: words.value(of: "--name"), isVerbose: words.has("--verbose")))
  }

  private static func statedDialect(_ words: CommandWords) throws(UsageError) -> StatedDialect {
    var stated = StatedDialect()
    if let encoding = words.value(of: "--encoding") {
      stated.encoding = TextDecoder.knownName(of: encoding)
      guard stated.encoding != nil else {
        throw .invalidValue(encoding, of: "--encoding", expected: "a name that iconv -l lists")
      }
    }
    stated.delimiter = words.value(of: "--delimiter").map { $0 == "\\t" ? "\t" : $0 }
    stated.quote = words.value(of: "--quote").map { $0 == "none" ? "" : $0 }
    stated.escape = words.value(of: "--escape").map { $0 == "none" ? "" : $0 }
    stated.commentPrefix = words.value(of: "--comment")
    if let rows = words.value(of: "--header-rows") {
      let numbers = rows.split(separator: ",").compactMap { Int($0) }.filter { $0 > 0 }
      try require(
        !numbers.isEmpty && numbers.count == rows.count { $0 == "," } + 1,
        "invalid value '\(rows)' for '--header-rows': expected row numbers, such as 3 or 1,2")
      try require(!words.has("--no-header"), "'--header-rows' cannot be used with '--no-header'")
      stated.headerRows = numbers
    } else if words.has("--no-header") {
      stated.headerRows = []
    }
    return stated
  }

  private static func metadataTask(_ words: CommandWords) throws(UsageError) -> Task {
    let form = try form(
      ["--datasette", "--dictionary", "--diagram"], words,
      "'--datasette', '--dictionary' and '--diagram'")
    let database = words.value(of: "--database")
    try require(database == nil || form == "--datasette", "'--database' requires '--datasette'")
    return switch form {
    case "--dictionary": .metadata(.dictionary)
    case "--diagram": .metadata(.diagram)
    default: .metadata(.datasette(database: database ?? "catalog"))
    }
  }

  private static func helpTask(_ words: [String]) throws(UsageError) -> Task {
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

  private static func completionsTask(_ shell: String) throws(UsageError) -> Task {
    guard let known = Completions.Shell(rawValue: shell) else {
      throw UsageError(message: "unknown shell '\(shell)': expected bash, zsh or fish")
    }
    return .completions(known)
  }
}
