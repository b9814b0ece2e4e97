import IngestReport

extension Help {
  static func explanation(of code: CodeExplanation) -> String {
    let parts =
      [
        ("Meaning:", code.meaning), ("Example:", code.example), ("Usual cause:", code.cause),
        ("Remedy:", code.remedy),
      ]
      + (code.suppression.map {
        [
          (
            "Accepted by:",
            "a line in the file of --suppress, as the warning shows it, such as:\n\($0)"
          )
        ]
      } ?? [])
    return "\(code.code) (\(consequence(of: code.level)))\n\n" + labelled(parts)
  }

  static func explanation(of status: ExitStatus) -> String {
    "exit status \(status.rawValue)\n\n"
      + labelled([("Meaning:", status.meaning), ("Remedy:", status.remedy)])
  }

  static var codes: String {
    let width = CodeExplanation.all.map(\.code.count).max() ?? 0
    let levels = CodeExplanation.Level.allCases.map { level in
      let lines = CodeExplanation.all.filter { $0.level == level }.map { code in
        code.meaning.beside("  \(code.code)", column: width + 4)
      }
      return ([consequence(of: level) + ":"] + lines).joined(separator: "\n")
    }
    return levels.joined(separator: "\n\n")
  }

  /// Texts, each beside its label; an example may have lines of its own.
  private static func labelled(_ parts: [(label: String, text: String)]) -> String {
    parts.map { label, text in
      let lines = text.split(separator: "\n").map(String.init)
      let first = lines[0].beside(label, column: 13)
      return ([first] + lines.dropFirst().map { String(repeating: " ", count: 13) + $0 })
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static func consequence(of level: CodeExplanation.Level) -> String {
    switch level {
    case .description: "a description cannot be used, and no data is read"
    case .file: "a file cannot be used, and nothing is published"
    case .run: "every file could be read, and nothing is published"
    case .record: "a record is rejected"
    case .warning: "a warning; all is loaded"
    }
  }
}
