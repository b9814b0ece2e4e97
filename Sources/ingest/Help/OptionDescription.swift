/// All that there is to know of an option: the command line is read by it, and help, manual page and completions are
/// made of it.
struct OptionDescription: Sendable {
  struct Value: Sendable {
    /// What can be put in its place without knowing more, for completions.
    enum Kind: Equatable, Sendable {
      /// A path, of a file or of a folder.
      case file, folder
      /// One of these words, or else the path of a file.
      case wordOrFile([String])
      /// One of these words, or else the name of a table.
      case words([String], orTable: Bool = false)
      /// Something that only the operator knows.
      case text
    }

    /// How it is called: `DIR`.
    let placeholder: String
    let kind: Kind

    init(_ placeholder: String, _ kind: Kind) {
      self.placeholder = placeholder
      self.kind = kind
    }

    /// Whether a value names something in the file system.
    func isPath(_ value: String) -> Bool {
      switch kind {
      case .file, .folder: true
      case .wordOrFile(let words): !words.contains(value)
      case .words, .text: false
      }
    }
  }

  let name: String
  /// The short form, if there is one: `-q`.
  let short: String?
  let value: Value?
  let isRepeatable: Bool
  /// What it does, in a few words, for completions.
  let summary: String
  let details: String
  /// Takes it over into the arguments of a run; nil for an option of another command.
  let reader: OptionReader?

  init(
    _ name: String, short: String? = nil, takes value: Value? = nil, isRepeatable: Bool = false,
    _ summary: String, _ details: String = "", reads reader: OptionReader? = nil
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.isRepeatable = isRepeatable
    self.summary = summary
    self.details = details
    self.reader = reader
  }

  /// How it is written: `-q, --quiet`, `--source DIR`.
  var usage: String {
    (short.map { "\($0), " } ?? "") + name + (value.map { " \($0.placeholder)" } ?? "")
  }

  var text: String {
    "\(summary)." + (details.isEmpty ? "" : " \(details)")
      + (isRepeatable ? " May be repeated." : "")
  }
}

extension OptionDescription: Equatable {
  static func == (one: Self, other: Self) -> Bool {
    one.usage == other.usage && one.text == other.text
  }
}

/// What becomes of an option in the arguments of a run.
struct OptionReader: Sendable {
  typealias Read =
    @Sendable (_ arguments: inout Arguments, _ value: String, _ tables: [String])
    throws(UsageError) -> Void

  let read: Read

  init(_ read: @escaping Read) { self.read = read }

  static func set<Value: Sendable>(
    _ property: any WritableKeyPath<Arguments, Value> & Sendable, to value: Value
  ) -> OptionReader {
    OptionReader { arguments, _, _ in arguments[keyPath: property] = value }
  }

  static func value<Value>(
    _ property: any WritableKeyPath<Arguments, Value> & Sendable,
    _ convert: @escaping @Sendable (String) throws(UsageError) -> Value
  ) -> OptionReader {
    OptionReader { arguments, value, _ throws(UsageError) in
      arguments[keyPath: property] = try convert(value)
    }
  }
}
