import Platform
import SQLiteSwiftly
import Text

/// The warnings that an operator has acknowledged, read from the file of `--suppress`.
///
/// A line has the code of a warning, its subject, and after a colon the facts that must not change:
/// `value-unknown part_relationships.rel_type: "X"`. Blank lines and lines that begin with `#` are skipped.
package struct Suppressions: Sendable {
  private static let mostBytes = 1 << 20

  private static let shownCharacters = 1000

  package struct Line: Equatable, Sendable {
    package let number: Int
    package let code: WarningCode
    package let text: String
  }

  package let lines: [Line]
  package let path: String
  let file: StoredOption.File

  package init(readingFrom path: String) throws(IngestError) {
    self.path = path
    let bytes = try mapError(
      contentsOfFile(path, mostBytes: Self.mostBytes),
      as: {
        .unreadable(path, "suppressions", $0, mostBytes: Self.mostBytes, option: "--suppress")
      })
    file = StoredOption.File(path, bytes)
    var lines: [Line] = []
    let texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in texts.enumerated() {
      let place = "\(path):\(index + 1)"
      guard let whole = String(validating: bytes, as: UTF8.self) else {
        throw .suppressionInvalid(
          place, "the line is not valid UTF-8", "Save the file as UTF-8 text.")
      }
      // Some editors put a mark at the beginning, and others a carriage return at each end.
      let text = whole.trimmed(of: index == 0 ? "\u{feff} \t\r" : " \t\r")
      guard !text.isEmpty, !text.hasBytePrefix("#") else { continue }
      lines.append(Line(number: index + 1, code: try Self.code(of: text, place), text: text))
    }
    self.lines = lines
  }

  private static func code(of text: String, _ place: String) throws(IngestError) -> WarningCode {
    let words = text.split(separator: " ", maxSplits: 1)
    let expected = "Expected: a line as the warning shows it, such as: \(example)"
    guard let code = WarningCode(rawValue: String(words[0])), code != .acceptanceUnused else {
      throw .suppressionInvalid(
        place,
        "\(String(words[0]).quotedForMessage) is not the code of a warning that can be suppressed",
        "\(expected). 'ingest explain' lists the codes.")
    }
    guard words.count == 2 else {
      throw .suppressionInvalid(
        place, "\(code.rawValue) needs a table, column or file after it", expected)
    }
    return code
  }

  private static let example = "column-unknown parts.part_material"

  func suppresses(_ warning: Warning) -> Bool {
    guard let suppression = warning.suppression else { return false }
    return lines.contains { haveSameBytes($0.text, suppression) }
  }

  /// A warning for each line that has suppressed nothing, if all warnings of its code have been reported by now
  /// according to `isComplete`; `reported` are those that were not suppressed.
  package func unused(
    _ suppressed: [Warning], _ reported: [Warning], isComplete: (WarningCode) -> Bool
  ) -> [Warning] {
    let used = suppressed.compactMap(\.suppression)
    return lines.filter { line in
      isComplete(line.code) && !used.contains { haveSameBytes($0, line.text) }
    }.map { line in
      // A change that earlier versions reported of a table is now reported of its columns.
      let now =
        (reported.first { $0.hasSubject(of: line.text) }
        ?? reported.first { $0.code == line.code && $0.isOfTable(of: line.text) })?.suppression
      let advice =
        now.map { "if the warning is still harmless, replace the line with: \($0)" }
        ?? "remove it"
      let text = String(line.text.prefix(Self.shownCharacters)).printable(keepingLineFeeds: false)
      return Warning(
        file: path, code: .acceptanceUnused,
        "line \(line.number) matches no warning: \(text); \(advice)")
    }
  }
}

extension Warning {
  /// The line that suppresses it, if the warning will recur with the next source files; nil otherwise.
  package var suggestedSuppression: String? { code.recurs ? suppression : nil }
}

extension String {
  package func trimmed(of characters: String) -> String {
    let dropped = Array(characters.unicodeScalars)
    var scalars = unicodeScalars[...]
    while let first = scalars.first, dropped.contains(first) { scalars.removeFirst() }
    while let last = scalars.last, dropped.contains(last) { scalars.removeLast() }
    return String(scalars)
  }
}
