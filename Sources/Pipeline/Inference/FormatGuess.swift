import SourceFiles
import Vocabulary
import Text

/// The delimiter of a CSV file, guessed from its first lines.
struct DelimiterGuess {
  /// A comma, a semicolon, a tab or a pipe; a comma if none of them is there.
  let delimiter: String

  private static let delimiters = [",", ";", "\t", "|"]
  private static let sampleBytes = 64 << 10
  private static let lines = 20

  init(_ file: SourceFolder.File) throws(IngestError) {
    var reader = try SourceReader(file)
    var bytes = [UInt8](repeating: 0, count: Self.sampleBytes)
    let count = try reader.read(bytes.count, into: &bytes)
    self.init(beginningWith: bytes[..<count])
  }

  /// Chooses the delimiter that occurs as often as in the first line in the most lines.
  init(beginningWith bytes: ArraySlice<UInt8>) {
    var best = (delimiter: Self.delimiters[0], lines: 0, count: 0)
    for delimiter in Self.delimiters {
      let counts = Self.counts(of: delimiter.utf8.first ?? 0, in: bytes)
      guard let count = counts.first, count > 0 else { continue }
      let lines = counts.count { $0 == count }
      if (lines, count) > (best.lines, best.count) { best = (delimiter, lines, count) }
    }
    delimiter = best.delimiter
  }

  /// The occurrences of a byte outside quotes in each line; a truncated line is skipped unless it is the only one.
  private static func counts(of delimiter: UInt8, in bytes: ArraySlice<UInt8>) -> [Int] {
    var counts: [Int] = []
    var count = 0
    var isInsideQuotes = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): isInsideQuotes.toggle()
      case _ where isInsideQuotes: break
      case delimiter: count += 1
      case UInt8(ascii: "\n"):
        counts.append(count)
        count = 0
        if counts.count == lines { return counts }
      default: break
      }
    }
    return counts.isEmpty ? [count] : counts
  }
}
