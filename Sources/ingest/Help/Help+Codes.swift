import IngestReport

extension Help {
  static func explanation(of code: CodeExplanation) -> String {
    var parts = [
      ("Meaning:", code.meaning), ("Example:", code.example), ("Usual cause:", code.cause),
      ("Remedy:", code.remedy),
    ]
    if let line = code.suppression {
      parts.append(("Suppressed by:", "a line in the file of --suppress, for example:\n\(line)"))
    }
    return "\(code.code) (\(consequence(of: code.level)))\n\n" + labeled(parts)
  }

  static func explanation(of status: ExitStatus) -> String {
    "exit status \(status.rawValue)\n\n"
      + labeled([("Meaning:", status.meaning), ("Remedy:", status.remedy)])
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

  /// The texts beside their labels; an example may have several lines.
  private static func labeled(_ parts: [(label: String, text: String)]) -> String {
    parts.map { label, text in
      let lines = text.split(separator: "\n").map(String.init)
      let first = lines[0].beside(label, column: 15)
      return ([first] + lines.dropFirst().map { String(repeating: " ", count: 15) + $0 })
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static func consequence(of level: CodeExplanation.Level) -> String {
    switch level {
    case .description: "invalid description; no data is read"
    case .file: "unusable file; nothing is published"
    case .run: "all files were read, but nothing is published"
    case .record: "rejected record"
    case .warning: "warning; all data is loaded"
    }
  }
}
