import IngestReport
import SQLiteSwiftly
import Vocabulary

enum HelpTopic: Equatable {
  case everything
  case command(CommandDescription)
  case option(OptionDescription)
  case statuses
}

enum Help {
  static let version = "ingest \(toolVersion) (SQLite \(SQLiteLibrary.version))"

  private static let column = 24

  static func text(on topic: HelpTopic) -> String {
    switch topic {
    case .everything: overview
    case .command(let command): text(on: command)
    case .option(let option): text(on: option)
    case .statuses: statuses
    }
  }

  private static var overview: String {
    let load = CommandDescription.load
    let commands = CommandDescription.all.dropFirst().map { command in
      "\(command.summary).".beside("  \(command.name)", column: 15)
    }
    return sections(
      [
        "\(load.summary).\n\nUsage: \(load.usage)\n       ingest COMMAND ...",
        paragraphs(load),
        "Commands:\n" + commands.joined(separator: "\n"),
      ] + load.groups.map(text(on:)) + [statuses, examples(of: [load, .repair, .diff])])
  }

  private static func text(on command: CommandDescription) -> String {
    sections(
      ["\(command.summary).\n\nUsage: \(command.usage)", paragraphs(command)]
        + command.groups.map(text(on:)) + [examples(of: [command])])
  }

  private static func text(on option: OptionDescription) -> String {
    "\(option.usage)\n\n\(option.text.wrapped(indentation: 2))"
  }

  private static func text(on group: OptionGroup) -> String {
    let lines = group.options.map { $0.text.beside("  \($0.usage)", column: column) }
    return "\(group.title):\n" + lines.joined(separator: "\n")
  }

  private static func paragraphs(_ command: CommandDescription) -> String {
    command.paragraphs.map { $0.wrapped(indentation: 0) }.joined(separator: "\n\n")
  }

  private static var statuses: String {
    let lines = ExitStatus.allCases.map { $0.summary.beside("  \($0.rawValue)", column: 7) }
    return "Exit status:\n" + lines.joined(separator: "\n") + "\n\n"
      + ("A dry run has the exit status of a real run, apart from failures that only building the database or "
      + "running custom SQL can show.").wrapped(indentation: 0)
  }

  private static func examples(of commands: [CommandDescription]) -> String {
    "Examples:\n" + commands.flatMap(\.examples).map { "  \($0)" }.joined(separator: "\n")
  }

  private static func sections(_ texts: [String]) -> String {
    texts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

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

extension String {
  /// The text in lines of at most 80 columns, indented by spaces; words are never broken.
  func wrapped(indentation: Int) -> String {
    let margin = String(repeating: " ", count: indentation)
    var (lines, line): ([String], String) = ([], margin)
    for word in split(separator: " ") {
      if line.count > indentation, line.count + 1 + word.count > 80 {
        lines.append(line)
        line = margin
      }
      line += (line.count > indentation ? " " : "") + word
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// The text beside an indented term, or below it if the term is too long for text that begins at
  /// `column`, counted from 0.
  func beside(_ term: String, column: Int) -> String {
    let text = wrapped(indentation: column)
    guard term.count < column else { return "\(term)\n\(text)" }
    return term + text.dropFirst(term.count)
  }
}
