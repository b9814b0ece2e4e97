/// What is said of an option, once: help, manual page and completions are made of it.
struct OptionDescription: Equatable {
  /// What is written after an option.
  struct Value: Equatable {
    /// What can be put in its place without knowing more, for completions.
    enum Kind: Equatable {
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

    static func file(_ placeholder: String = "FILE") -> Value {
      Value(placeholder: placeholder, kind: .file)
    }
    static func folder(_ placeholder: String = "DIR") -> Value {
      Value(placeholder: placeholder, kind: .folder)
    }
    static func wordOrFile(_ words: [String], _ placeholder: String = "FILE") -> Value {
      Value(placeholder: placeholder, kind: .wordOrFile(words))
    }
    static func table(_ placeholder: String = "TABLE", or words: [String]) -> Value {
      Value(placeholder: placeholder, kind: .words(words, orTable: true))
    }
    static func words(_ placeholder: String, _ words: [String]) -> Value {
      Value(placeholder: placeholder, kind: .words(words))
    }
    static func text(_ placeholder: String) -> Value {
      Value(placeholder: placeholder, kind: .text)
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

  /// The name, with its two hyphens.
  let name: String
  /// The short form, if there is one: `-q`.
  let short: String?
  /// Its value; nil if it takes none.
  let value: Value?
  /// Whether it may be given more than once.
  let isRepeatable: Bool
  /// What it does, in a few words, for completions.
  let summary: String
  /// What else is to be known of it.
  let details: String

  init(
    _ name: String, short: String? = nil, takes value: Value? = nil, isRepeatable: Bool = false,
    _ summary: String, _ details: String = ""
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.isRepeatable = isRepeatable
    self.summary = summary
    self.details = details
  }

  /// How it is written: `-q, --quiet`, `--source DIR`.
  var usage: String {
    (short.map { "\($0), " } ?? "") + name + (value.map { " \($0.placeholder)" } ?? "")
  }

  /// All that is said of it, as sentences.
  var text: String {
    "\(summary)." + (details.isEmpty ? "" : " \(details)")
      + (isRepeatable ? " May be repeated." : "")
  }
}
