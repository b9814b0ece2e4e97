import CSV
import Schema
import SourceFiles
import Vocabulary

/// What the user says of the dialect of all files; nil is guessed.
package struct StatedDialect: Equatable, Sendable {
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
  let header: HeaderSearch?
  /// Whether lines have different numbers of fields, as those of texts.
  let isProse: Bool
  private(set) var remarks: [DialectRemark] = []

  private static let delimiters = [
    ",", ";", "\t", "||", " | ", "|", "^", "~", "\u{1}", "::", ":", " ",
  ]
  /// Those that are also in texts and times count less.
  static let weights = [",": 0.95, ":": 0.7, " ": 0.55]
  private static let weakWeight = 0.9
  private static let sampleBytes = 64 << 10
  private static let leastShare = 0.6

  init(
    _ file: SourceFolder.File, _ stated: StatedDialect, allowsComments: Bool = true
  ) throws(IngestError) {
    var reader = try SourceReader(file)
    var bytes = [UInt8](repeating: 0, count: Self.sampleBytes)
    let count = try reader.read(bytes.count, into: &bytes)
    bytes.removeLast(bytes.count - count)
    self.init(
      beginningWith: bytes, isWhole: count < Self.sampleBytes, stated,
      allowsComments: allowsComments)
  }

  /// Guesses the dialect of a whole file, or of one that begins with these bytes.
  init(
    beginningWith bytes: [UInt8], isWhole: Bool = true, _ stated: StatedDialect = StatedDialect(),
    allowsComments: Bool = true
  ) {
    var sample = bytes
    if sample.starts(with: [0xef, 0xbb, 0xbf]) { sample.removeFirst(3) }
    var usual = SourceDescription.Dialect()
    if Self.endsLinesWithReturn(sample) { usual.lineTerminator = "\r" }
    let lineEnd = (usual.lineTerminator ?? "\n").utf8.first
    if !isWhole, let end = sample.lastIndex(where: { $0 == lineEnd }) {
      sample.removeSubrange((end + 1)...)
    }
    usual.commentPrefix = stated.commentPrefix
    // Excel reads a first line such as `sep=;`.
    let first = String(decoding: sample.prefix { $0 != lineEnd && $0 != 0x0d }, as: UTF8.self)
    let hasSeparatorLine = first.count == 5 && first.lowercased().hasPrefix("sep=")
    var stated = stated
    if hasSeparatorLine, stated.delimiter == nil { stated.delimiter = String(first.suffix(1)) }
    let candidates = Self.candidates(usual, sample, stated)
    guard var best = DialectTrial(candidates.first ?? usual, sample, isWhole: isWhole) else {
      header = nil
      isProse = false
      return
    }
    // A delimiter that each record has as often.
    var divider = best.isEven && best.width > 1 ? best.dialect.delimiter : nil
    // In a truncated file, a quote is open at the end.
    var truncated: Set = [best.isTruncated ? best.dialect.delimiter : ""]
    for candidate in candidates.dropFirst() where !best.isClear {
      let isUnquoted = candidate.quote == nil && stated.quote == nil
      guard !isUnquoted || !truncated.contains(candidate.delimiter),
        let trial = DialectTrial(candidate, sample, isWhole: isWhole)
      else { continue }
      if trial.isTruncated { truncated.insert(candidate.delimiter) }
      if trial.isEven, trial.width > 1 { divider = divider ?? candidate.delimiter }
      let isWeak =
        stated.delimiter == nil && Self.weights[candidate.delimiter] ?? 1 < Self.weakWeight
      if trial.score > best.score + 1e-9, !isWeak || trial.isEven || trial.width > 2 {
        best = trial
      }
    }
    dialect = best.dialect
    let header = HeaderSearch(
      best, hasSeparatorLine: hasSeparatorLine, stated, allowsComments: allowsComments)
    self.header = header
    isProse = best.width == 1 || best.share < Self.leastShare
    dialect.headerRows = header.headerRows
    dialect.commentRows = header.commentRows
    dialect.commentPrefix = header.commentPrefix ?? dialect.commentPrefix
    // Times are figures, however many colons they have.
    if best.width == 1, best.score < 0.5, stated.delimiter == nil,
      divider != nil || header.isDivisible
    {
      remarks.append(.singleField(divider))
    }
    if stated.quote == nil, dialect.quote != "\"" { remarks.append(.quote(dialect.quote ?? "")) }
    if stated.escape == nil, let escape = dialect.escape { remarks.append(.escape(escape)) }
    remarks += header.remarks
  }

  /// Whether the first line ends with a carriage return alone, and most do.
  private static func endsLinesWithReturn(_ sample: [UInt8]) -> Bool {
    guard let first = sample.firstIndex(where: { $0 == 0x0d || $0 == 0x0a }), sample[first] == 0x0d
    else { return false }
    let ends = sample.indices.filter { sample[$0] == 0x0d }
    return ends.count { $0 + 1 < sample.count && sample[$0 + 1] == 0x0a } * 2 < ends.count
  }

  /// The dialects whose marks are in the sample, the more usual ones first, and those without a quote last.
  private static func candidates(
    _ usual: SourceDescription.Dialect, _ sample: [UInt8], _ stated: StatedDialect
  ) -> [SourceDescription.Dialect] {
    let sample = TextCounts(sample)
    let lines = sample.count(of: usual.lineTerminator ?? "\n")
    var all: [SourceDescription.Dialect] = []
    for delimiter in stated.delimiter.map({ [$0] }) ?? delimiters {
      let count = sample.count(of: delimiter)
      // A comma is the delimiter of a file without one.
      guard stated.delimiter != nil || delimiter == "," || count > 0 && count * 8 >= lines else {
        continue
      }
      let skips =
        count > 0 && !delimiter.contains(" ") && sample.count(of: delimiter + " ") * 2 >= count
      for skips in skips ? [true, false] : [false] {
        for quote in stated.quote.map({ [$0] }) ?? ["\"", "'", ""]
        where quote == "\"" || stated.quote != nil
          || sample.count(of: quote.isEmpty ? "\"" : quote) > 0
        {
          let escaped = "\\" + (quote.isEmpty ? delimiter : quote)
          for escape in stated.escape.map({ [$0] })
            ?? (sample.count(of: escaped) + sample.count(of: "\\\\") > 0 ? ["", "\\"] : [""])
          {
            var dialect = usual
            dialect.delimiter = delimiter
            dialect.skipsInitialSpace = skips
            dialect.quote = quote.isEmpty ? nil : quote
            dialect.escape = escape.isEmpty ? nil : escape
            // Who writes `\"` writes `\n` for a line feed.
            dialect.decodesControls = escape == "\\"
            all.append(dialect)
          }
        }
      }
    }
    return all
  }
}

/// How often texts are in a sample.
private struct TextCounts {
  private let bytes: [UInt8]
  private var counts = [Int](repeating: 0, count: 256)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    for byte in bytes { counts[Int(byte)] += 1 }
  }

  func count(of text: String) -> Int {
    let text = Array(text.utf8)
    guard text.count > 1, text.allSatisfy({ counts[Int($0)] > 0 }) else {
      return text.count == 1 ? counts[Int(text[0])] : 0
    }
    return bytes.indices.count {
      bytes[$0] == text[0] && bytes[$0...].prefix(text.count).elementsEqual(text)
    }
  }
}
