/// Describes an option; the source of the command-line parser, help, manual page and completions.
struct OptionDescription: Sendable {
  struct Value: Sendable {
    /// The kind of value, for completions.
    enum Kind: Equatable, Sendable {
      case file, folder
      /// One of these words, or the path of a file.
      case wordOrFile([String])
      /// One of these words, or the name of a table.
      case words([String], orTable: Bool = false)
      case text
    }

    /// The name shown in help: `DIR`.
    let placeholder: String
    let kind: Kind

    init(_ placeholder: String, _ kind: Kind) {
      self.placeholder = placeholder
      self.kind = kind
    }

    func isPath(_ value: String) -> Bool {
      switch kind {
      case .file, .folder: true
      case .wordOrFile(let words): !words.contains(value)
      case .words, .text: false
      }
    }
  }

  let name: String
  /// The short form, such as `-q`; nil if there is none.
  let short: String?
  let value: Value?
  let isRepeatable: Bool
  /// The short description, also used in completions.
  let summary: String
  let details: String
  /// Stores the value in the arguments; nil for an option that they read from `CommandWords`.
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

  /// The option with its placeholder: `-q, --quiet`, `--source DIR`.
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

struct OptionReader: Sendable {
  typealias Store =
    @Sendable (_ arguments: inout Arguments, _ value: String, _ tables: [String])
    throws(UsageError) -> Void

  let store: Store

  init(_ store: @escaping Store) { self.store = store }

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

  /// Reads a word of an enumeration.
  static func word<Value: RawRepresentable<String> & Sendable>(
    _ property: any WritableKeyPath<Arguments, Value> & Sendable, of option: String, _ words: String
  ) -> OptionReader {
    .value(property) { text throws(UsageError) in
      if let value = Value(rawValue: text) { return value }
      throw .invalidValue(text, of: option, expected: words)
    }
  }
}
