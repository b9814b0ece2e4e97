import IngestReport

extension Arguments {
  static func explaining(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    guard let code = words.first else { return .explain(nil) }
    if ["-h", "--help"].contains(code) { return .help(.command(.explain)) }
    try require(words.count == 1, "'explain' takes one code, but \(words.count) are given")
    if let number = Int32(code) {
      if let status = ExitStatus(rawValue: number) { return .explainStatus(status) }
      throw UsageError(
        message: "ingest has no exit status \(number); 'ingest help status' lists those that it has"
      )
    }
    if let known = CodeExplanation.all.first(where: { $0.code == code }) { return .explain(known) }
    let suggestion = nearest(to: code, of: CodeExplanation.all.map(\.code))
    throw UsageError(
      message: "there is no code '\(code)'\(suggestion); 'ingest explain' lists them all")
  }

  mutating func readDiff(_ words: ArraySlice<String>) throws(UsageError) {
    let words = try CommandWords(
      words, of: .diff, operands: ["OLD and NEW, the catalogs", "NEW, the other catalog"])
    guard !words.has("--help") else { return task = .help(.command(.diff)) }
    try require(
      !words.has("--json") || !words.has("--keys"),
      "'--json' has all keys, and cannot be given with '--keys'")
    let form = words.has("--json") ? DiffForm.json : words.has("--keys") ? .keys : .counts
    schema = SchemaChoice(named: words.value(of: "--schema"))
    try Self.check(words.operands, areFilesFor: "diff")
    task = .diff(old: words.operands[0], new: words.operands[1], form)
  }

  mutating func readCheck(_ words: ArraySlice<String>) throws(UsageError) {
    let words = try CommandWords(
      words, of: .check, operands: ["FILE, the catalog"])
    try Self.check(words.operands, areFilesFor: "check")
    task = words.has("--help") ? .help(.command(.check)) : .check(words.operands[0])
    verbosity = words.has("--quiet") ? .quiet : .normal
    schema = SchemaChoice(named: words.value(of: "--schema"))
  }

  private static func check(
    _ operands: [String], areFilesFor command: String
  ) throws(UsageError) {
    let isMistaken = { (operand: String) in
      switch MisreadPath(operand) {
      case .address, .connectionString: true
      case .prefixed, .memory, nil: ServerAddress.isLike(operand)
      }
    }
    guard operands.contains(where: isMistaken) else { return }
    throw UsageError(message: "'\(command)' is for files, not for a database of PostgreSQL")
  }

  static func describing(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    let words = try CommandWords(words, of: .describe, operands: [])
    guard !words.has("--help") else { return .help(.command(.describe)) }
    let forms = ["--source", "--rebrickable", "--gtfs"].filter(words.has)
    guard forms.count == 1 else {
      throw UsageError(
        message: "'describe' needs one of '--source DIR', '--rebrickable' and '--gtfs'"
          + (forms.isEmpty ? "" : ", but \(forms.count) are given"))
    }
    guard let source = words.value(of: "--source"), forms == ["--source"] else {
      return .describe(forms == ["--gtfs"] ? .gtfs : .rebrickable)
    }
    return .describe(.dumps(source, name: words.value(of: "--name")))
  }

  static func helping(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    guard let topic = words.first else { return .help(.everything) }
    try require(words.count == 1, "'help' takes one topic, but \(words.count) are given")
    if topic == "status" { return .help(.statuses) }
    if let command = CommandDescription.all.first(where: { $0.topic == topic }) {
      return .help(.command(command))
    }
    let options = CommandDescription.all.flatMap(\.options)
    if let option = options.first(where: { [$0.name, $0.short].contains(topic) }) {
      return .help(.option(option))
    }
    guard !topic.hasPrefix("-") else {
      throw UsageError(
        message: "there is no option '\(topic)'" + nearest(to: topic, of: options.map(\.name)))
    }
    let codes = CodeExplanation.all.map(\.code)
    guard Int32(topic) == nil, !codes.contains(topic) else { return try explaining(words) }
    let topics = CommandDescription.all.map(\.topic) + ["status"]
    throw UsageError(
      message:
        "there is no topic '\(topic)'\(nearest(to: topic, of: topics + codes)); the topics are "
        + topics.joined(separator: ", ") + ", options, codes and exit statuses")
  }

  static func completing(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    let words = try CommandWords(
      words, of: .completions, operands: ["a shell: bash, zsh or fish"])
    guard !words.has("--help") else { return .help(.command(.completions)) }
    guard let shell = Completions.Shell(rawValue: words.operands[0]) else {
      throw UsageError(
        message: "there are no completions for '\(words.operands[0])': give bash, zsh or fish")
    }
    return .completions(shell)
  }

  static func printingManual(_ words: ArraySlice<String>) throws(UsageError) -> Task {
    let words = try CommandWords(words, of: .manual, operands: [])
    return words.has("--help") ? .help(.command(.manual)) : .manual
  }
}
