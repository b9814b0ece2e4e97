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
