import Vocabulary
import Platform
import Text

/// A file of options for `@FILE`, with one option and its value per line.
///
/// Blank lines and lines that begin with `#` are ignored. Values need no quotes. Paths are relative to the file's
/// folder, so the current folder does not matter.
struct ResponseFile {
  private static let mostBytes = 1 << 20

  /// The options, each with its value after an equals sign.
  private(set) var lines: [(word: String, place: CommandWords.Place?)] = []

  init(_ path: String) throws(UsageError) {
    try require(!path.isEmpty, "'@' requires the name of a file with options")
    let bytes = try mapError(
      contentsOfFile(path, mostBytes: Self.mostBytes),
      as: { (error: FileError) in
        let reason = error.reason(mostBytes: Self.mostBytes)
        return UsageError(
          message: "\(path): cannot read the options: \(reason). Check the name after '@'.")
      })
    let texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in texts.enumerated() {
      let place = "\(path):\(index + 1)"
      guard let whole = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
        throw UsageError(message: "\(place): not valid UTF-8; save the file as UTF-8")
      }
      // Some editors add a byte order mark, others carriage returns.
      let text = whole.trimmed(of: index == 0 ? "\u{feff} \t\r" : " \t\r")
      guard !text.isEmpty, !text.hasBytePrefix("#") else { continue }
      lines.append((try Self.option(text, place, split(path).folder), place))
    }
  }

  private static func option(
    _ text: String, _ place: String, _ folder: String
  ) throws(UsageError) -> String {
    guard text.hasBytePrefix("-") else {
      let hint = text.hasBytePrefix("@") ? "a file of options cannot include another one; " : ""
      throw UsageError(
        message:
          "\(place): '\(text)' is not an option: \(hint)expected an option with its value, such as "
          + "'--source dumps', or a comment that begins with '#'")
    }
    let end = text.firstIndex { " \t=".contains($0) } ?? text.endIndex
    let name = String(text[..<end])
    guard end < text.endIndex else { return name }
    let value = String(text[text.index(after: end)...]).trimmed(of: " \t")
    if let quote = value.first, "\"'".contains(quote), value.last == quote {
      throw UsageError(
        message:
          "\(place): remove the quotes around the value of '\(name)': they would be part of it")
    }
    if value.contains(" #") {
      throw UsageError(
        message: "\(place): put the comment on a separate line: "
          + "otherwise the value of '\(name)' is '\(value)'")
    }
    let option = CommandDescription.load.options.first { $0.name == name }
    guard option?.value?.isPath(value) == true, isRelative(value) else { return "\(name)=\(value)" }
    return "\(name)=\(folder)\(value)"
  }

  /// Whether a value is a relative path, and not standard output, a server or an invalid path.
  private static func isRelative(_ value: String) -> Bool {
    !value.isEmpty && !value.hasBytePrefix("/") && value != "-" && !value.hasByteSuffix(":-")
      && MisreadPath(value) == nil
  }
}
