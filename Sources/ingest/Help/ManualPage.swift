import Vocabulary
import Text

/// The manual page, in man(7) macros for groff and mandoc.
enum ManualPage {
  static var text: String {
    let load = CommandDescription.load
    let statuses = ExitStatus.allCases.map { term("\($0.rawValue)", "\($0.meaning) \($0.remedy)") }
    let commands = CommandDescription.all
    let parts: [[String]] = [
      [".TH INGEST 1 \"\" \"ingest \(toolVersion)\" \"User Commands\""],
      [".SH NAME", "ingest \\- \(escaped(load.summary.lowercasedFirst))", synopsis],
      [".SH DESCRIPTION", paragraphs(load)], [".SH COMMANDS"], commands.dropFirst().map(section),
      [".SH OPTIONS"], load.groups.map(subsection), [".SH EXIT STATUS"], statuses,
      [".SH FILES"], files.map(term),
      [".SH EXAMPLES", ".nf"], commands.flatMap(\.examples).map(escaped), [".fi"],
      [".SH SEE ALSO\n.BR sqlite3 (1)"],
    ]
    return parts.joined().joined(separator: "\n")
  }

  private static let files = [
    ("FILE.rejects", "Rejected records, one file per table, with their positions and reasons."),
    ("FILE.rejects.previous", "Rejected records of an earlier run."),
    (
      "FILE.refused",
      "A database that was not published because it lost too many rows. The next run that publishes "
        + "removes it."
    ),
  ]

  private static var synopsis: String {
    ".SH SYNOPSIS\n"
      + CommandDescription.all.map { ".B ingest\n\(escaped(String($0.usage.dropFirst(7))))" }
      .joined(separator: "\n.br\n")
  }

  private static func section(of command: CommandDescription) -> String {
    let options = command.options
    return term(command.usage, "\(command.summary). \(command.paragraphs.joined(separator: " "))")
      + (options.isEmpty
        ? ""
        : "\n.RS\n" + options.map { term($0.usage, $0.text) }.joined(separator: "\n") + "\n.RE")
  }

  private static func subsection(of group: OptionGroup) -> String {
    ".SS \(escaped(group.title))\n"
      + group.options.map { term($0.usage, $0.text) }.joined(separator: "\n")
  }

  private static func paragraphs(_ command: CommandDescription) -> String {
    command.paragraphs.map { filled($0) }.joined(separator: "\n.PP\n")
  }

  private static func term(_ term: String, _ text: String) -> String {
    ".TP\n.B \(escaped(term))\n\(filled(text))"
  }

  /// The text with the special characters of roff escaped.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("'", with: "\\(aq")
  }

  /// The text as lines that roff fills.
  private static func filled(_ text: String) -> String {
    escaped(text).wrapped(indentation: 0).split(separator: "\n")
      .map { $0.hasPrefix(".") ? "\\&\($0)" : String($0) }.joined(separator: "\n")
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
