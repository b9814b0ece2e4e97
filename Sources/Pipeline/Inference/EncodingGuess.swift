import CSV
import Vocabulary
import SourceFiles
import Fields
import Text

/// The encoding of a text file: that of its byte order mark, or UTF-8 if it is valid, or else a guess.
struct EncodingGuess {
  /// The name of the encoding for iconv; nil for UTF-8.
  private(set) var name: String?
  /// Why the encoding may be another one; nil if it is certain.
  private(set) var doubt: Doubt?

  private static let blockBytes = 256 << 10
  private static let sampleBytes = 12
  /// Windows-1252 does not have these bytes.
  private static let controls: Set<UInt8> = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

  /// Reads the whole file.
  init(_ file: SourceFolder.File) throws(IngestError) {
    var reader = try SourceReader(file)
    var block = [UInt8](repeating: 0, count: Self.blockBytes)
    var text: [UInt8] = []
    var found = UTF8Count()
    var hasControls = false
    var sample: [UInt8] = []
    var (isFirst, isLast) = (true, false)
    while !isLast {
      let count = try reader.read(block.count, into: &block)
      isLast = count < block.count
      if isFirst, let encoding = Parser.encoding(markedBy: block[..<count]) {
        name = encoding.lowercased()
        return
      }
      isFirst = false
      text += block[..<count]
      hasControls = hasControls || block[..<count].contains { Self.controls.contains($0) }
      let (firstInvalid, incomplete) = found.add(text.span, isLast: isLast)
      if let firstInvalid, sample.isEmpty {
        sample = Self.sample(around: firstInvalid, of: text.span)
      }
      text.removeFirst(text.count - incomplete)
    }
    // A few invalid bytes among many characters are damage.
    guard found.invalid > found.characters else { return }
    let guess = hasControls ? "iso-8859-1" : "windows-1252"
    name = guess
    doubt = .guessedEncoding(guess, sample: Self.text(sample, in: guess))
  }

  private static func sample(around place: Int, of bytes: Span<UInt8>) -> [UInt8] {
    let near = max(place - sampleBytes, 0)..<min(place + sampleBytes, bytes.count)
    var (start, end) = (place, place + 1)
    while start > near.lowerBound, isLetter(bytes[start - 1]) { start -= 1 }
    while end < near.upperBound, isLetter(bytes[end]) { end += 1 }
    return (start..<end).map { bytes[$0] }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte > 0x7f || byte.isLetter }

  private static func text(_ bytes: [UInt8], in encoding: String) -> String {
    guard let decoder = TextDecoder(of: encoding) else { return "" }
    var text = [UInt8](repeating: 0, count: bytes.count * 4)
    var room = text.mutableSpan
    let count = decoder.decode(bytes.span, into: &room).written
    return String(decoding: text[..<count], as: UTF8.self)
  }
}

/// Counts the characters of a text beyond ASCII, and the parts that are not valid UTF-8.
private struct UTF8Count {
  private(set) var characters = 0
  private(set) var invalid = 0

  /// Adds a block of a text; returns the place of its first invalid byte, and the length of a character that the next
  /// block may complete.
  mutating func add(_ bytes: Span<UInt8>, isLast: Bool) -> (firstInvalid: Int?, incomplete: Int) {
    var firstInvalid: Int?
    var start = 0
    while start < bytes.count {
      var fault = bytes.count..<bytes.count
      do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: bytes.extracting(start..<bytes.count))
      } catch {
        fault = start + error.byteOffsets.lowerBound..<start + error.byteOffsets.upperBound
      }
      for offset in start..<fault.lowerBound where bytes[offset] >= 0xc0 { characters += 1 }
      if !isLast, fault.upperBound == bytes.count { return (firstInvalid, fault.count) }
      if !fault.isEmpty {
        invalid += 1
        firstInvalid = firstInvalid ?? fault.lowerBound
      }
      start = fault.upperBound
    }
    return (firstInvalid, 0)
  }
}
