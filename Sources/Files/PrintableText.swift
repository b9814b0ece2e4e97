extension String {
  /// The text, with what would control a terminal as `\u{1b}`.
  package func printable(keepingLineFeeds: Bool) -> String {
    rewritten { scalar in
      scalar.controlsTerminal && !(keepingLineFeeds && scalar == "\n") ? scalar.escaped : nil
    }
  }

  /// The text with some scalars in another form; those stay as they are for which `form` gives nil.
  package func rewritten(_ form: (Unicode.Scalar) -> String?) -> String {
    guard unicodeScalars.contains(where: { form($0) != nil }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if let other = form(scalar) {
        text += other
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// The scalar by its number, as Swift writes it: `\u{1b}`.
  package var escaped: String { "\\u{\(String(value, radix: 16))}" }

  /// Whether the scalar does more than appear: controls, the marks that change the direction of writing, and line
  /// ends of Unicode's own.
  package var controlsTerminal: Bool {
    if isASCII { return !(" "..."~" ~= self) }
    return [.control, .format, .lineSeparator, .paragraphSeparator].contains(
      properties.generalCategory)
  }
}
