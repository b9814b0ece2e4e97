import CSV
import Fields
import SourceFiles
import Text
import Vocabulary

/// The encoding of a text file: that of its byte order mark, or UTF-8 if it is valid, or else what the user stated, or a
/// guess.
struct EncodingGuess {
  /// The name of the encoding for iconv; nil for UTF-8.
  private(set) var name: String?
  /// Why the encoding may be another one; nil if it is certain.
  private(set) var doubt: Doubt?

  private static let blockBytes = 256 << 10

  /// Reads the whole file, at most twice.
  init(_ file: SourceFolder.File, stated: String? = nil) throws(IngestError) {
    var found = UTF8Count()
    var text: [UInt8] = []
    var isFirst = true
    try Self.forEachBlock(of: file) { block, isLast in
      if isFirst, let encoding = Parser.encoding(markedBy: block) { name = encoding.lowercased() }
      isFirst = false
      text += block
      text.removeFirst(text.count - found.add(text.span, isLast: isLast))
      return name == nil
    }
    // A few invalid bytes among many characters are damage.
    guard name == nil, found.invalid > found.characters || stated != nil && found.characters == 0
    else { return }
    if let stated {
      name = stated
      return
    }
    var words = SampledWords()
    try Self.forEachBlock(of: file) { block, isLast in
      words.add(block, isLast: isLast)
      return true
    }
    let fits = EncodingFit.all(of: words.bytes)
    guard let best = fits.first, best.isPlausible, !words.bytes.isEmpty else {
      throw IngestError(
        .data, code: .file(.encodingUnsupported),
        "\(file.path): not UTF-8, and no known encoding fits the text. Pass its encoding to --encoding, or convert "
          + "the file to UTF-8.")
    }
    name = best.encoding
    let other = fits.first { $0.text != best.text && $0.isClose(to: best) }
    doubt = .guessedEncoding(best.sample, orElse: other?.sample)
  }

  /// Calls `body` with each block and whether it is the last, until it returns false.
  private static func forEachBlock(
    of file: SourceFolder.File, _ body: (ArraySlice<UInt8>, Bool) -> Bool
  ) throws(IngestError) {
    var reader = try SourceReader(file)
    var block = [UInt8](repeating: 0, count: blockBytes)
    var isLast = false
    while !isLast {
      let count = try reader.read(block.count, into: &block)
      isLast = count < block.count
      guard body(block[..<count], isLast) else { return }
    }
  }
}

/// Counts the characters of a text beyond ASCII, and the parts that are not valid UTF-8.
private struct UTF8Count {
  private(set) var characters = 0
  private(set) var invalid = 0

  /// Adds a block of a text; returns the length of a character that the next block may complete.
  mutating func add(_ bytes: Span<UInt8>, isLast: Bool) -> Int {
    var start = 0
    while start < bytes.count {
      var fault = bytes.count..<bytes.count
      do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: bytes.extracting(start..<bytes.count))
      } catch {
        fault = start + error.byteOffsets.lowerBound..<start + error.byteOffsets.upperBound
      }
      for offset in start..<fault.lowerBound where bytes[offset] >= 0xc0 { characters += 1 }
      if !isLast, fault.upperBound == bytes.count { return fault.count }
      if !fault.isEmpty { invalid += 1 }
      start = fault.upperBound
    }
    return 0
  }
}

/// The first different words of a text that are not ASCII, and later ones with bytes that these do not have.
private struct SampledWords {
  /// The words, each with a line feed.
  private(set) var bytes: [UInt8] = []
  private var word: [UInt8] = []
  private var words: Set<[UInt8]> = []
  private var known: Set<UInt8> = []

  private static let mostBytes = 64 << 10

  mutating func add(_ block: ArraySlice<UInt8>, isLast: Bool) {
    for byte in block {
      // No supported encoding has such a byte within a character.
      if byte < 0x30 || 0x3a...0x3f ~= byte {
        endWord()
      } else if word.count < Self.mostBytes {
        word.append(byte)
      }
    }
    if isLast { endWord() }
  }

  private mutating func endWord() {
    defer { word.removeAll(keepingCapacity: true) }
    // A word that was cut may end within a character.
    guard word.count < Self.mostBytes, word.contains(where: { $0 > 0x7f }) else { return }
    let hasNews = !known.isSuperset(of: word)
    guard hasNews || bytes.count < Self.mostBytes, words.insert(word).inserted else { return }
    known.formUnion(word)
    bytes += word + [0x0a]
  }
}
