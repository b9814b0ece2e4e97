import Vocabulary
import SQLiteSwiftly

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
}
