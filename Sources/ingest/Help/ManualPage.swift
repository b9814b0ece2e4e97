import Vocabulary
import Text

/// The manual page, in man(7) macros for groff and mandoc.
enum ManualPage {
  static var text: String {
    let load = CommandDescription.load
    var lines = [
      ".TH INGEST 1 \"\" \"ingest \(toolVersion)\" \"User Commands\"",
      ".SH NAME", "ingest \\- \(escaped(load.summary.lowercasedFirst))",
      synopsis,
      ".SH DESCRIPTION", paragraphs(load),
      ".SH COMMANDS",
    ]
    lines += CommandDescription.all.dropFirst().map { section(of: $0) }
    lines.append(".SH OPTIONS")
    lines += load.groups.map { subsection(of: $0) }
    lines.append(".SH EXIT STATUS")
    for status in ExitStatus.allCases {
      lines.append(term("\(status.rawValue)", "\(status.meaning) \(status.remedy)"))
    }
    lines.append(".SH FILES")
    lines += files.map { term($0, $1) }
    lines.append(".SH EXAMPLES")
    lines.append(".nf")
    lines += CommandDescription.all.flatMap { $0.examples }.map { escaped($0) }
    lines.append(".fi")
    lines.append(".SH SEE ALSO\n.BR sqlite3 (1)")
    return lines.joined(separator: "\n")
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
