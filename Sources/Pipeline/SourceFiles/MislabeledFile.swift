import Facts
import Files
import Glibc

/// What a file seems to be that is not what its name says, by its first bytes.
package enum MislabeledFile: Equatable {
  case compressed(StoredFormat)
  /// A page of a web server, or other text; with what it begins.
  case page(String)
  case text(String)

  private static let lookedAt = 512
  private static let shown = 40

  /// Looks at a file; nil if it cannot be read, or if nothing is known of what it begins with.
  package init?(at path: String) {
    let descriptor = openFile(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let bytes = try? descriptor.bytes(Self.lookedAt, at: 0) else { return nil }
    self.init(beginningWith: bytes)
  }

  package init?(beginningWith bytes: [UInt8]) {
    let format = StoredFormat.allCases.first { $0.firstBytes.map(bytes.starts) ?? false }
    if let format {
      self = .compressed(format)
    } else {
      let blanks: [UInt8] = [0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]
      let text = Array(bytes.drop { blanks.contains($0) })
      let start = Array(text.prefix { $0 != 0x0a && $0 != 0x0d }.prefix(Self.shown))
      let word = start.map { 0x41...0x5a ~= $0 ? $0 + 0x20 : $0 }
      let beginnings = ["<!doctype html", "<html", "<head", "<?xml", "<!--"]
      if beginnings.contains(where: { word.starts(with: $0.utf8) }) {
        self = .page(start.span.escapedForMessage)
      } else if !text.isEmpty, text.allSatisfy({ $0 >= 0x20 || blanks.contains($0) }) {
        self = .text(start.span.escapedForMessage)
      } else {
        return nil
      }
    }
  }

  /// What a plain file seems to be whose header is none, as a sentence after a blank; empty if nothing is known.
  package static func hint(on file: SourceFolder.File) -> String {
    guard file.format == .plain, let found = MislabeledFile(at: file.path) else { return "" }
    if case .text = found { return "" }
    return " By its first bytes \(found.advice(for: split(file.path).name))"
  }

  /// What it is, and what to do, in sentences.
  package func advice(for name: String) -> String {
    let plainName = Self.plainName(name)
    return switch self {
    case .compressed(let format): "this is \(format.words). Name it \(plainName)\(format.ending)."
    case .page(let start):
      "this is a page of a web server (it begins with \"\(start)\"), as one sends in place of a file. "
        + "Check the address, and download the file again."
    case .text(let start):
      "this is plain text (it begins with \"\(start)\"). If that is the dump, name it \(plainName); "
        + "otherwise download it again."
    }
  }

  /// The name that a dump has when it is not compressed.
  private static func plainName(_ name: String) -> String {
    if name.hasSuffix(".gz") { return String(name.dropLast(3)) }
    guard name.hasSuffix(".zip") else { return name }
    return name.hasSuffix(".csv.zip") ? String(name.dropLast(4)) : name.dropLast(4) + ".csv"
  }
}
