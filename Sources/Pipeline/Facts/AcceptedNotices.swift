import Files
import Glibc
import SQLiteSwiftly

/// The notices that an operator has acknowledged, as a file of `--accept` has them.
///
/// A line is the code of a notice, what it is said of, and after a colon what of it must not change:
/// `value-unknown part_relationships.rel_type: "X"`. Blank lines and those that begin with `#` are left out.
package struct AcceptedNotices: Sendable {
  private static let mostBytes = 1 << 20

  private static let shownCharacters = 1000

  package struct Line: Equatable, Sendable {
    /// Its number in the file, from 1.
    package let number: Int
    package let code: NoticeCode
    package let text: String
  }

  package let lines: [Line]
  package let path: String
  let file: CatalogOption.File

  package init(readingFrom path: String) throws(IngestError) {
    self.path = path
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try contentsOfFile(path, mostBytes: Self.mostBytes)
    } catch {
      let reason = error.reason(mostBytes: Self.mostBytes)
      throw IngestError(
        .of(error.code == EFBIG ? EINVAL : error.code, otherwise: .inputMissing),
        "\(path): the accepted notices cannot be read: \(reason). Check --accept.")
    }
    file = CatalogOption.File(path, bytes)
    var lines: [Line] = []
    let texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in texts.enumerated() {
      let place = "\(path):\(index + 1)"
      guard let whole = String(validating: bytes, as: UTF8.self) else {
        throw Self.invalid(place, "this is not UTF-8", "Save the file as UTF-8 text.")
      }
      // Some editors put a mark at the beginning, and others a carriage return at each end.
      let text = whole.trimmed(of: index == 0 ? "\u{feff} \t\r" : " \t\r")
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      lines.append(Line(number: index + 1, code: try Self.code(of: text, place), text: text))
    }
    self.lines = lines
  }

  private static func code(of text: String, _ place: String) throws(IngestError) -> NoticeCode {
    let words = text.split(separator: " ", maxSplits: 1)
    let expected = "Expected is a line as the notice shows it, such as: \(example)"
    guard let code = NoticeCode(rawValue: String(words[0])), code != .acceptanceUnused else {
      throw invalid(
        place,
        "\(String(words[0]).quotedForMessage) is not the code of a notice that can be accepted",
        "\(expected); 'ingest explain' lists the codes.")
    }
    guard words.count == 2 else {
      throw invalid(place, "\(code.rawValue) of which table, column or file is not said", expected)
    }
    return code
  }

  private static let example = "column-unknown parts.part_material"

  private static func invalid(_ place: String, _ what: String, _ advice: String) -> IngestError {
    IngestError(
      .usage, runCode: .acceptanceInvalid, "\(place): \(what). Nothing was published. \(advice)")
  }

  func accepts(_ notice: Notice) -> Bool {
    guard let acceptance = notice.acceptance else { return false }
    return lines.contains { haveSameBytes($0.text, acceptance) }
  }

  /// A notice for each line that has accepted nothing, if `isTold` says that notices of its code would have been
  /// reported by now; `told` are those that were not accepted.
  package func unused(
    _ accepted: [Notice], _ told: [Notice], isTold: (NoticeCode) -> Bool
  ) -> [Notice] {
    let used = accepted.compactMap(\.acceptance)
    return lines.filter { line in
      isTold(line.code) && !used.contains { haveSameBytes($0, line.text) }
    }.map { line in
      let now = told.first { $0.isSaidOfSame(as: line.text) }?.acceptance
      let advice =
        now.map { "put in its place, if that is right: \($0)" }
        ?? "take it out, since nothing is told any more that it is about"
      let text = String(line.text.prefix(Self.shownCharacters)).printable(keepingLineFeeds: false)
      return Notice(
        file: path, code: .acceptanceUnused,
        "line \(line.number) accepts nothing: \(text); \(advice)")
    }
  }
}

extension Notice {
  /// The line that accepts it until what it says changes; nil if it cannot be accepted.
  package var acceptance: String? {
    guard code != .acceptanceUnused else { return nil }
    let line = acceptedSubject + (facts.isEmpty ? "" : ": \(facts)")
    return line.printable(keepingLineFeeds: false)
  }

  /// The same, if it will be told of the next dumps, too; nil otherwise.
  package var standingAcceptance: String? { code.isStanding ? acceptance : nil }

  /// The code and what it is said of, as a line has it; of a file no more than its name, since its folder may be another one.
  private var acceptedSubject: String {
    let subject = table == nil ? split(file).name.escapedForMessage : subject
    return "\(code.rawValue) \(subject)".printable(keepingLineFeeds: false)
  }

  /// Whether a line accepts it, or did when it said something else.
  fileprivate func isSaidOfSame(as line: String) -> Bool {
    code != .acceptanceUnused
      && (haveSameBytes(line, acceptedSubject) || line.hasPrefix(acceptedSubject + ": "))
  }
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
