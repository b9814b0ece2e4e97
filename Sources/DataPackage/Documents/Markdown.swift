import Platform
import Text

extension String {
  /// The text as Markdown that shows it: descriptions come from others, and cannot become headings, links or HTML.
  ///
  /// Only code between two backticks remains, in which nothing is markup.
  var escapedForMarkdown: String {
    let parts = onOneLine.unicodeScalars.split(separator: "`", omittingEmptySubsequences: false)
      .map { String($0) }
    var text = ""
    for (index, part) in parts.enumerated() {
      // The backticks before and after a part of code are pairs.
      let isCode = !index.isMultiple(of: 2) && index < parts.count - 1 && !part.isEmpty
      let isAfterCode = index.isMultiple(of: 2) && index > 0 && !parts[index - 1].isEmpty
      if isCode {
        text += "`\(part.withBarsEscaped)`"
      } else {
        text +=
          (index == 0 || isAfterCode ? "" : "\\`") + part.escapedOutsideCode(isAtStart: index == 0)
      }
    }
    return text
  }

  /// The text as code in Markdown, also in a cell of a table.
  var codeInMarkdown: String {
    let text = onOneLine.withBarsEscaped
    let runs = text.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count)
    let fence = String(repeating: "`", count: (runs.max() ?? 0) + 1)
    return runs.isEmpty ? fence + text + fence : "\(fence) \(text) \(fence)"
  }

  /// Even in code, a bar ends the cell of a table.
  private var withBarsEscaped: String { rewritten { $0 == "|" ? "\\|" : nil } }

  private var onOneLine: String {
    rewritten { ["\n", "\r", "\t"].contains($0) ? " " : nil }
  }

  /// An underscore inside a word is not markup.
  private func escapedOutsideCode(isAtStart: Bool) -> String {
    var text = ""
    let scalars = Array(unicodeScalars)
    func isInWord(_ index: Int) -> Bool {
      scalars.indices.contains(index)
        && (scalars[index].properties.isAlphabetic
          || "0"..."9" ~= scalars[index] || scalars[index] == "_")
    }
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\\", "*", "[", "]", "|", "~": text += "\\\(scalar)"
      case "_": text += isInWord(index - 1) && isInWord(index + 1) ? "_" : "\\_"
      // These mean something at the beginning of a line only.
      case "#", "-", "+", "=": text += isAtStart && index == 0 ? "\\\(scalar)" : "\(scalar)"
      // Links without brackets.
      case ":" where scalars[(index + 1)...].starts(with: ["/", "/"]): text += "&#58;"
      case "@" where isInWord(index - 1): text += "&#64;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
