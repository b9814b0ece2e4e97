extension String {
  /// The text, with scalars that disturb a terminal escaped as `\u{1b}`.
  package func printable(keepingLineFeeds: Bool) -> String {
    rewritten { keepingLineFeeds && $0 == "\n" ? "\n" : nil }
  }

  /// The text for elements and quoted attributes of HTML and XML.
  package var escapedForMarkup: String {
    rewritten { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default:
        [.unassigned, .privateUse].contains(scalar.properties.generalCategory)
          ? scalar.escaped : nil
      }
    }
  }

  /// Replaces scalars by the results of `form`, and others that disturb a terminal by their escapes.
  package func rewritten(
    escaping escape: (Unicode.Scalar) -> String = \.escaped, _ form: (Unicode.Scalar) -> String?
  ) -> String {
    var text = ""
    var filter = TerminalFilter()
    for scalar in unicodeScalars {
      let isDisturbing = filter.isDisturbing(scalar)
      if let other = form(scalar) {
        text += other
      } else if isDisturbing {
        text += escape(scalar)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

/// Finds the scalars of a text that disturb a terminal, in their order.
package struct TerminalFilter {
  /// The most combining marks on a letter: no language has more, and they are drawn over the lines above and below.
  private static let mostMarks = 8
  private var marks = 0

  package init() {}

  package mutating func isDisturbing(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else {
      marks = 0
      return scalar.controlsTerminal
    }
    let isMark = [.nonspacingMark, .spacingMark, .enclosingMark].contains(
      scalar.properties.generalCategory)
    marks = isMark ? marks + 1 : 0
    return marks > Self.mostMarks || scalar.controlsTerminal
  }
}

extension Unicode.Scalar {
  /// The scalar's escape in Swift: `\u{1b}`.
  package var escaped: String { "\\u{\(String(value, radix: 16))}" }

  /// Whether the scalar is a control character, a mark that changes the writing direction, a Unicode line end,
  /// invisible, such as a variation selector or a Hangul filler, or none at all, such as U+FFFE, which XML forbids.
  package var controlsTerminal: Bool {
    if isASCII { return !(" "..."~" ~= self) }
    return [.control, .format, .lineSeparator, .paragraphSeparator].contains(
      properties.generalCategory) || properties.isDefaultIgnorableCodePoint
      || properties.isNoncharacterCodePoint
  }
}

extension StringProtocol {
  /// Whether the text begins with the bytes of `prefix`.
  ///
  /// `hasPrefix` compares characters, as which equal texts may have other bytes: a path that begins with a slash and
  /// U+0301 does not begin with a slash, but is absolute.
  package func hasBytePrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  /// Whether the text ends with the bytes of `suffix`.
  package func hasByteSuffix(_ suffix: String) -> Bool {
    utf8.reversed().starts(with: suffix.utf8.reversed())
  }

  /// The text without its first bytes, as many as those of `prefix`.
  package func dropping(prefix: String) -> String {
    String(Substring(Substring(self).utf8.dropFirst(prefix.utf8.count)))
  }

  /// The text without its last bytes, as many as those of `suffix`.
  package func dropping(suffix: String) -> String {
    String(Substring(Substring(self).utf8.dropLast(suffix.utf8.count)))
  }
}

/// The minimum number of bytes to insert, delete or change to get from one text to the other (Levenshtein distance).
package func editDistance(_ text: some Collection<UInt8>, _ other: [UInt8]) -> Int {
  var row = Array(0...other.count)
  for (index, letter) in text.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in other.indices {
      let substituted = diagonal + (letter == other[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(substituted, row[column] + 1, row[column + 1] + 1)
    }
  }
  return row[other.count]
}
