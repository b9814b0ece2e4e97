package import Vocabulary
package import CSV
package import Schema
import Text
import Platform

/// The CSV dialect of a source file, and the rows of its header.
package struct SourceLayout: Equatable, Sendable {
  package private(set) var dialect = Dialect.standard
  /// The number of header rows; 0 if there is none, and fields are in the order of the columns.
  package private(set) var headerRows = 1
  private(set) var headerJoin = " "
  /// The numbers of the rows that are neither header nor records.
  private(set) var passedRows: [Int] = []
  /// The end of a record; nil for LF and CRLF.
  private var terminator: [UInt8]?

  /// RFC 4180 with a header.
  package static let usual = SourceLayout()

  private init() {}

  /// Rows before the last header row are skipped; a header in the first row may come after blank rows and comments.
  package init(of source: SourceDescription) throws(IngestError) {
    let described = source.dialect
    guard described != SourceDescription.Dialect() else { return }
    dialect = try mapError(
      Dialect(
        delimiter: described.delimiter, terminator: described.lineTerminator,
        quote: described.quote, doublesQuotes: described.doublesQuotes, escape: described.escape,
        decodesControls: described.decodesControls, comment: described.commentPrefix,
        skipsInitialSpace: described.skipsInitialSpace),
      as: { (error: DialectError) in
        IngestError(
          .data,
          "\(source.table): invalid CSV dialect: \(error.message). \(IngestError.nothingRead)")
      })
    let named = described.headerRows + described.commentRows
    guard named.allSatisfy({ 1...Self.mostRows ~= $0 }) else {
      throw IngestError(
        .data,
        "\(source.table): header or comment rows \(named.map(String.init).joined(separator: ", ")); expected "
          + "numbers from 1 to \(Self.mostRows.grouped). \(IngestError.nothingRead)")
    }
    let comments = Set(described.commentRows)
    let header = Set(described.headerRows)
    headerRows = header.isEmpty ? 0 : max(header.subtracting(comments).count, 1)
    headerJoin = described.headerJoin
    let before = Set(1..<(header.max() ?? 1)).subtracting(header)
    passedRows = comments.union(before).sorted()
    let ends = described.lineTerminator.map { Array($0.utf8) }
    terminator = ends == Array("\r\n".utf8) || ends == Array("\n".utf8) ? nil : ends
  }

  private static let mostRows = 1_000_000

  /// The layout of a file with the same header and some of the records, and nothing else.
  package var ofRecordsAlone: SourceLayout {
    var layout = self
    layout.passedRows = []
    return layout
  }

  /// The line end to append after a record, or its last bytes, before the next record; empty if it has one.
  package func lineEnd(after bytes: Span<UInt8>) -> [UInt8] {
    guard let terminator else {
      let last = bytes.isEmpty ? nil : bytes[bytes.count - 1]
      guard last != UInt8(ascii: "\n") else { return [] }
      // After a lone line feed, a carriage return that was the record's fault would become part of its line end.
      return Array((last == UInt8(ascii: "\r") ? "\r\n" : "\n").utf8)
    }
    return bytes.count > contentCount(of: bytes) ? [] : terminator
  }

  /// The number of bytes of a record before its line end; a lone carriage return is part of the record, and a fault.
  package func contentCount(of bytes: Span<UInt8>) -> Int {
    guard let terminator else {
      guard bytes.count > 0, bytes[bytes.count - 1] == UInt8(ascii: "\n") else {
        return bytes.count
      }
      let hasReturn = bytes.count > 1 && bytes[bytes.count - 2] == UInt8(ascii: "\r")
      return bytes.count - (hasReturn ? 2 : 1)
    }
    let start = bytes.count - terminator.count
    let isEnded =
      start >= 0 && terminator.indices.allSatisfy { terminator[$0] == bytes[start + $0] }
    return isEnded ? start : bytes.count
  }

  var headerAdvice: String {
    self == .usual
      ? "Lines must end in LF or CRLF, and the first line must name the columns."
      : "Check whether the file matches its description: delimiter, quotes, line ends and header rows."
  }
}

/// The probable contents of a file whose name is misleading, judged by its first bytes.
package enum MislabeledFile: Equatable {
  case compressed(StoredFormat)
  /// A web page, or other text, with its beginning.
  case page(String)
  case text(String)
  /// A file that Git LFS puts in place of a large one.
  case pointer

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
    } else if start.starts(with: "version https://git-lfs".utf8) {
      self = .pointer
    } else if beginnings.contains(where: { word.starts(with: $0.utf8) }) {
      self = .page(start.span.escapedForMessage)
    } else if !text.isEmpty, text.allSatisfy({ $0 >= 0x20 || blanks.contains($0) }) {
      self = .text(start.span.escapedForMessage)
    } else {
      return nil
    }
  }

  /// A sentence, after a space, about a file without a valid header; empty if its first bytes are not recognized.
  package static func hint(on file: SourceFolder.File) -> String {
    advice(on: file).map { " Judging by its first bytes, \($0)" } ?? ""
  }

  /// What a file is by its first bytes, decompressed, and what to do; nil if it may be a CSV file.
  package static func advice(on file: SourceFolder.File) -> String? {
    var stored = file
    stored.encoding = nil
    var bytes = [UInt8](repeating: 0, count: examinedBytes)
    guard var reader = try? SourceReader(stored),
      let count = try? reader.read(examinedBytes, into: &bytes)
    else { return nil }
    switch MislabeledFile(beginningWith: Array(bytes[..<count])) {
    case nil, .text: return nil
    case .compressed(let format) where file.format != .plain:
      return "it contains \(format.facts.words) instead of text. Decompress it once."
    case .some(let contents): return contents.advice(for: split(file.path).name)
    }
  }

  package func advice(for name: String) -> String {
    let plainName = Self.plainName(name)
    return switch self {
    case .compressed(let format):
      "this is \(format.facts.words). Rename it to \(plainName)\(format.ending)."
    case .page(let start):
      "this is a web page (it begins with \"\(start)\"), not the file itself. Check the address, and "
        + "download the file again."
    case .pointer:
      "this is a pointer of Git LFS, not the file itself. Fetch the file with git lfs pull."
    case .text(let start):
      "this is plain text (it begins with \"\(start)\"). If it is the source file, rename it "
        + "to \(plainName); otherwise download it again."
    }
  }

  private static func plainName(_ name: String) -> String {
    let lowercased = name.lowercased()
    if lowercased.hasByteSuffix(".gz") { return name.dropping(suffix: ".gz") }
    guard lowercased.hasByteSuffix(".zip") else { return name }
    let base = name.dropping(suffix: ".zip")
    return base.hasByteSuffix(".csv") ? base : base + ".csv"
  }
}

extension SourceFolder {
  /// The most folders that are searched.
  private static let mostFolders = 100
  /// The hints shown in full; the others are probably alike.
  private static let shownHints = 4

  /// Hints on missing source files: sentences, each with a space after it.
  static func hints(
    for missing: [(source: SourceDescription, name: String)], among stored: [File], in path: String,
    _ sources: [SourceDescription]
  ) -> String {
    let hints = missing.flatMap { source, expected in
      let plain = source.place == .named ? source.table + source.ending : expected
      return stored.filter { $0.name.lowercased().hasBytePrefix(plain) }.map { hint(on: $0, plain) }
    }
    guard hints.isEmpty else {
      let others = hints.count - shownHints
      return hints.prefix(shownHints).joined()
        + (others > 0 ? "\(others.of("more file")) like this. " : "")
    }
    // The source is probably wrong only if all source files are missing.
    return missing.count == sources.count ? otherSource(stored, in: path, sources) : ""
  }

  private static func hint(on file: File, _ plain: String) -> String {
    let name = file.name.lowercased()
    let shown = file.name.escapedForMessage
    let unfinished = [".part", ".partial", ".crdownload", ".download", ".filepart", ".tmp"]
    if unfinished.contains(where: name.hasByteSuffix) {
      return "\(shown) is an incomplete download: wait for it to finish, or download it again. "
    }
    if file.archive != nil, StoredFormat(ofName: name) != .plain {
      return
        "Found \(shown), but in an archive the file must be named \(plain): unpack the archive, and "
        + "pass its folder to --source. "
    }
    if let format = StoredFormat.unsupported(ofName: name) {
      return
        "Found \(shown), but \(format) is not supported: decompress it, or compress it with gzip. "
    }
    let expected =
      [plain, plain + ".zip"].first { $0 == name } ?? plain + (file.archive == nil ? ".gz" : "")
    return "Found \(shown): if this is the file, rename it to \(expected). "
  }

  /// A hint on an archive in the folder, or on a folder one level down or up.
  static func otherSource(
    _ stored: [File], in path: String, _ sources: [SourceDescription]
  ) -> String {
    guard !stored.contains(where: { $0.archive != nil }) else { return "" }
    if let archive = stored.first(where: { $0.name.lowercased().hasByteSuffix(".zip") }) {
      return "If this archive contains the source files, use it: --source "
        + "\(archive.path.escapedForMessage). "
    }
    let names = stored.map(\.name).filter { !$0.hasBytePrefix(".") }
    let base = path.hasByteSuffix("/") ? path : path + "/"
    let folders = (names.prefix(mostFolders) + [".."]).map { base + $0 }
    let other = folders.first { folder in
      let entries = (try? folderEntries(folder)) ?? []
      return sources.contains { source in
        endings(of: source, isArchive: false).contains { entries.contains(source.table + $0) }
      }
    }
    return other.map { "Found source files in \($0.escapedForMessage): is this the folder? " } ?? ""
  }
}
