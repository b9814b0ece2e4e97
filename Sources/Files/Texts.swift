extension String {
  /// The text, with terminal control characters escaped as `\u{1b}`.
  package func printable(keepingLineFeeds: Bool) -> String {
    rewritten { scalar in
      scalar.controlsTerminal && !(keepingLineFeeds && scalar == "\n") ? scalar.escaped : nil
    }
  }

  /// Replaces scalars by the results of `form`, unless they are nil.
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
  /// The scalar's escape in Swift: `\u{1b}`.
  package var escaped: String { "\\u{\(String(value, radix: 16))}" }

  /// Whether the scalar is a control character, a mark that changes the writing direction, or a
  /// Unicode line end.
  package var controlsTerminal: Bool {
    if isASCII { return !(" "..."~" ~= self) }
    return [.control, .format, .lineSeparator, .paragraphSeparator].contains(
      properties.generalCategory)
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

/// The minimum number of bytes to insert, delete or change to get from one text to the other
/// (Levenshtein distance).
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
