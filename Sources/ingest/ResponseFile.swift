import Facts
import Files
import Glibc

/// Options in a file, which the word `@FILE` stands for: one on a line, with its value behind it.
///
/// Blank lines and those that begin with `#` are left out. Nothing is quoted, since a line has one option. Paths are
/// relative to the file's own folder, so that it means the same wherever the command is started.
struct ResponseFile {
  private static let mostBytes = 1 << 20

  struct Line: Equatable {
    /// Where it is: `nightly.conf:3`.
    let place: String
    let words: [String]
  }

  let lines: [Line]

  init(_ path: String) throws(UsageError) {
    try require(!path.isEmpty, "'@' needs the name of a file with options behind it")
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try contentsOfFile(path, mostBytes: Self.mostBytes)
    } catch {
      let reason = error.reason(mostBytes: Self.mostBytes)
      throw UsageError(
        message: "\(path): the options cannot be read: \(reason). Check the name after '@'.")
    }
    var lines: [Line] = []
    let texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, bytes) in texts.enumerated() {
      let place = "\(path):\(index + 1)"
      guard let whole = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
        throw UsageError(message: "\(place): this is not UTF-8: save the file as such")
      }
      // Some editors put a mark at the beginning, and others a carriage return at each end.
      let text = whole.trimmed(of: index == 0 ? "\u{feff} \t\r" : " \t\r")
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      lines.append(Line(place: place, words: try Self.words(text, place, split(path).folder)))
    }
    self.lines = lines
  }

  private static func words(
    _ text: String, _ place: String, _ folder: String
  ) throws(UsageError) -> [String] {
    guard text.hasPrefix("-") else {
      let hint = text.hasPrefix("@") ? "a file of options cannot name another one; " : ""
      throw UsageError(
        message: "\(place): '\(text)' is no option: \(hint)give one with its value, such as "
          + "'--source dumps', or put '#' before a comment")
    }
    let end = text.firstIndex { " \t=".contains($0) } ?? text.endIndex
    let name = String(text[..<end])
    guard end < text.endIndex else { return [name] }
    let value = String(text[text.index(after: end)...]).trimmed(of: " \t")
    if let quote = value.first, "\"'".contains(quote), value.last == quote {
      throw UsageError(
        message: "\(place): the value of '\(name)' is in quotes, which would be a part of it: "
          + "leave them out, as a line has one option anyway")
    }
    if value.contains(" #") {
      throw UsageError(
        message: "\(place): '\(value)' would be the value of '\(name)': "
          + "put the comment on a line of its own")
    }
    let option = CommandDescription.load.options.first { $0.name == name }
    guard option?.value?.isPath(value) == true, isRelative(value) else {
      return ["\(name)=\(value)"]
    }
    return ["\(name)=\(folder)\(value)"]
  }

  /// Whether a value is a path that depends on a folder; standard output, a database, and what is refused as
  /// no path do not.
  private static func isRelative(_ value: String) -> Bool {
    !value.isEmpty && !value.hasPrefix("/") && value != "-" && !value.hasSuffix(":-")
      && MisreadPath(value) == nil
  }
}

extension Arguments {
  /// Reads the options of a file, each as if it stood on the command line.
  mutating func read(_ file: ResponseFile, tables: [String]) throws(UsageError) {
    for line in file.lines {
      do throws(UsageError) {
        var words = line.words[...]
        try readOption(&words, tables: tables)
      } catch {
        throw UsageError(message: "\(line.place): \(error.message)")
      }
    }
  }
}
