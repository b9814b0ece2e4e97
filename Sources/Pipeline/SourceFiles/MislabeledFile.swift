import Vocabulary
import Platform
import Text

/// The probable contents of a file whose name is misleading, judged by its first bytes.
package enum MislabeledFile: Equatable {
  case compressed(StoredFormat)
  /// A web page, or other text, with its beginning.
  case page(String)
  case text(String)

  private static let examinedBytes = 512
  private static let shownBytes = 40

  /// Examines a file; nil if it cannot be read, or if its first bytes are not recognized.
  package init?(at path: String) {
    guard let bytes = try? FileReader(path: path).bytes(Self.examinedBytes, at: 0) else {
      return nil
    }
    self.init(beginningWith: bytes)
  }

  package init?(beginningWith bytes: [UInt8]) {
    let blanks: [UInt8] = [0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]
    let text = Array(bytes.drop { blanks.contains($0) })
    let start = Array(text.prefix { $0 != 0x0a && $0 != 0x0d }.prefix(Self.shownBytes))
    let word = start.map { 0x41...0x5a ~= $0 ? $0 + 0x20 : $0 }
    let beginnings = ["<!doctype html", "<html", "<head", "<?xml", "<!--"]
    let format = StoredFormat.allCases.first { $0.facts.firstBytes.map(bytes.starts) ?? false }
    if let format {
      self = .compressed(format)
    } else if beginnings.contains(where: { word.starts(with: $0.utf8) }) {
      self = .page(start.span.escapedForMessage)
    } else if !text.isEmpty, text.allSatisfy({ $0 >= 0x20 || blanks.contains($0) }) {
      self = .text(start.span.escapedForMessage)
    } else {
      return nil
    }
  }

  /// A sentence, after a space, about a plain file without a valid header; empty if its first bytes are not recognized.
  package static func hint(on file: SourceFolder.File) -> String {
    guard file.format == .plain, let contents = MislabeledFile(at: file.path) else { return "" }
    if case .text = contents { return "" }
    return " Judging by its first bytes, \(contents.advice(for: split(file.path).name))"
  }

  package func advice(for name: String) -> String {
    let plainName = Self.plainName(name)
    return switch self {
    case .compressed(let format):
      "this is \(format.facts.words). Rename it to \(plainName)\(format.ending)."
    case .page(let start):
      "this is a web page (it begins with \"\(start)\"), not the file itself. Check the address, and "
        + "download the file again."
    case .text(let start):
      "this is plain text (it begins with \"\(start)\"). If it is the source file, rename it "
        + "to \(plainName); otherwise download it again."
    }
  }

  private static func plainName(_ name: String) -> String {
    if name.hasByteSuffix(".gz") { return name.dropping(suffix: ".gz") }
    guard name.hasByteSuffix(".zip") else { return name }
    let base = name.dropping(suffix: ".zip")
    return base.hasByteSuffix(".csv") ? base : base + ".csv"
  }
}
