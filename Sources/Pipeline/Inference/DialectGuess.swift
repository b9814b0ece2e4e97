import CSV
import Schema
import SourceFiles
import Vocabulary

/// What the user says of the dialect of all files; nil is guessed.
package struct ToldDialect: Equatable, Sendable {
  /// The name of the encoding for iconv.
  package var encoding: String?
  package var delimiter: String?
  /// Empty for no quote.
  package var quote: String?
  package var escape: String?
  package var commentPrefix: String?
  /// Empty for no header.
  package var headerRows: [Int]?

  package init() {}
}

/// The dialect of a CSV file, guessed from its beginning: each possible one is tried, and the best one chosen.
struct DialectGuess {
  private(set) var dialect = SourceDescription.Dialect()
  /// The number of fields of the records; nil if it is that of the header.
  private(set) var fieldCount: Int?
  /// Whether the records begin with a field that the header does not name.
  private(set) var hasLabels = false
  /// Whether lines have different numbers of fields, as those of texts.
  private(set) var isProse = false
  private(set) var remarks: [DialectRemark] = []

  private static let delimiters = [
    ",", ";", "\t", "||", " | ", "|", "^", "~", "\u{1}", "::", ":", " ",
  ]
  /// Those that are also in texts and times.
  private static let commonDelimiters = [":", " "]
  private static let leastShare = 0.6
  private static let sampleBytes = 64 << 10
  /// One of this many lines has the delimiter.
  private static let linesOfDelimiter = 8
  /// The share of delimiters before a blank if blanks are not part of the fields, in percent.
  private static let shareOfBlanks = 80

  init(_ file: SourceFolder.File, _ told: ToldDialect) throws(IngestError) {
    var reader = try SourceReader(file)
    var bytes = [UInt8](repeating: 0, count: Self.sampleBytes)
    let count = try reader.read(bytes.count, into: &bytes)
    bytes.removeLast(bytes.count - count)
    self.init(beginningWith: bytes, isWhole: count < Self.sampleBytes, told)
  }

  /// Guesses the dialect of a whole file, or of one that begins with these bytes.
  init(beginningWith bytes: [UInt8], isWhole: Bool = true, _ told: ToldDialect = ToldDialect()) {
    var sample = bytes
    if sample.starts(with: [0xef, 0xbb, 0xbf]) { sample.removeFirst(3) }
    let hasLineFeeds = sample.contains(lineFeed)
    let lineEnd = hasLineFeeds ? lineFeed : carriageReturn
    if !isWhole, let end = sample.lastIndex(of: lineEnd) { sample.removeSubrange((end + 1)...) }
    var usual = SourceDescription.Dialect()
    if !hasLineFeeds, sample.contains(carriageReturn) { usual.lineTerminator = "\r" }
    usual.commentPrefix = told.commentPrefix
    if let quote = told.quote { usual.quote = quote.isEmpty ? nil : quote }
    if let escape = told.escape { usual.setEscape(escape) }
    let separator = Self.separatorLine(of: sample)
    let marks = Self.marks(
      in: sample, lineEnd, separator.map { [$0] } ?? told.delimiter.map { [$0] })
    guard var best = DialectTrial(usual, sample, isWhole: isWhole) else { return }
    let isAllFigures = best.width == 1 && best.isAllFigures
    for (delimiter, skipsSpace) in marks {
      usual.delimiter = delimiter
      usual.skipsInitialSpace = skipsSpace
      let isTold = told.delimiter != nil || separator != nil
      let isCommon = !isTold && Self.commonDelimiters.contains(delimiter)
      if isCommon, isAllFigures || best.width > 1 && best.isEven { continue }
      var isEnclosed = false
      for candidate in Self.candidates(usual, sample, told) {
        // Without a field in quotes, they are part of the text.
        guard candidate.quote != nil || told.quote != nil || !isEnclosed,
          let trial = DialectTrial(candidate, sample, isWhole: isWhole)
        else { continue }
        let isQuoted = trial.enclosed > trial.faulty
        if candidate.quote == "\"", isQuoted || trial.isTruncated && delimiter != "\t" {
          isEnclosed = true
        }
        guard candidate.quote != "'" || told.quote != nil || isQuoted else { continue }
        let isPlausible =
          !isCommon || trial.isEven && trial.width > 1 && trial.figureColumns > 1
        let isFirstTold = isTold && best.dialect.delimiter != delimiter
        // Of two that are equal, blanks are rather not part of the fields.
        let skips = candidate.skipsInitialSpace && best.dialect.delimiter == delimiter
        let isBetter = trial.score > best.score + (skips ? -1e-9 : 1e-9)
        if isPlausible, isFirstTold || isBetter { best = trial }
      }
    }
    dialect = best.dialect
    let search = HeaderSearch(best, hasSeparatorLine: separator != nil, told)
    isProse = best.width == 1 || best.share < Self.leastShare
    dialect.headerRows = search.headerRows
    dialect.commentRows = search.commentRows
    dialect.commentPrefix = search.commentPrefix ?? dialect.commentPrefix
    fieldCount = search.fieldCount
    hasLabels = search.hasLabels
    if best.width == 1, told.delimiter == nil, search.isDivisible { remarks.append(.singleField) }
    if told.quote == nil, let quote = dialect.quote.map({ $0 == "\"" ? nil : $0 }) ?? "" {
      remarks.append(.quote(quote))
    }
    if told.escape == nil, let escape = dialect.escape { remarks.append(.escape(escape)) }
    remarks += search.remarks
  }

  /// The delimiter in a first line such as `sep=;`, which Excel reads.
  private static func separatorLine(of sample: [UInt8]) -> String? {
    let line = sample.prefix { $0 != lineFeed && $0 != carriageReturn }
    let text = String(decoding: line.prefix(6), as: UTF8.self)
    guard text.lowercased().hasPrefix("sep="), line.count == 5 else { return nil }
    return String(text.dropFirst(4))
  }

  /// The delimiters that are in the sample, and whether blanks after each of them are no part of a field.
  private static func marks(
    in sample: [UInt8], _ lineEnd: UInt8, _ told: [String]?
  ) -> [(String, Bool)] {
    let lines = sample.count { $0 == lineEnd }
    return (told ?? delimiters).flatMap { text in
      let bytes = Array(text.utf8)
      var (count, blanks) = (0, 0)
      for index in sample.indices
      where sample[index] == bytes[0] && sample[index...].starts(with: bytes) {
        count += 1
        if sample[(index + bytes.count)...].first == UInt8(ascii: " ") { blanks += 1 }
      }
      guard told != nil || count > 0 && count * linesOfDelimiter >= lines else {
        return [(String, Bool)]()
      }
      let skips = !text.contains(" ") && blanks * 100 >= count * shareOfBlanks && blanks > 0
      return skips ? [(text, true), (text, false)] : [(text, false)]
    }
  }

  /// The dialects with one delimiter, the more usual ones first, and those without a quote last.
  private static func candidates(
    _ usual: SourceDescription.Dialect, _ sample: [UInt8], _ told: ToldDialect
  ) -> [SourceDescription.Dialect] {
    let quotes = told.quote.map { [$0] } ?? ["\"", "'", ""]
    return quotes.flatMap { quote in
      let mark = quote.isEmpty ? usual.delimiter : quote
      let isMet = sample.contains { $0 == mark.utf8.first }
      guard quote != "'" || told.quote != nil || isMet else { return [SourceDescription.Dialect]() }
      guard !quote.isEmpty || told.quote != nil || sample.contains(UInt8(ascii: "\"")) else {
        return []
      }
      var dialect = usual
      dialect.quote = quote.isEmpty ? nil : quote
      if let escape = told.escape {
        dialect.setEscape(escape)
        return [dialect]
      }
      let escaped = Array("\\\(mark)".utf8)
      let hasEscape = sample.indices.contains {
        sample[$0] == escaped[0] && sample[$0...].starts(with: escaped)
      }
      guard hasEscape else { return [dialect] }
      var escaping = dialect
      escaping.setEscape("\\")
      return [dialect, escaping]
    }
  }
}

extension SourceDescription.Dialect {
  /// Who writes backslashes before quotes, writes `\n` for a line feed.
  fileprivate mutating func setEscape(_ text: String) {
    escape = text.isEmpty ? nil : text
    decodesControls = text == "\\"
  }
}

private let lineFeed = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
