import Facts
import Files
import SourceFiles
import Validation

/// The encoding of a text file: that of its byte order mark, or UTF-8 if it is valid, or else a guess.
struct EncodingGuess {
  /// The name of the encoding for iconv; nil for UTF-8.
  private(set) var name: String?
  /// Why the encoding may be another one, with a sample of the text; nil if it is certain.
  private(set) var doubt: String?

  private static let blockBytes = 256 << 10
  private static let sampleBytes = 12
  private static let marks: [(bytes: [UInt8], name: String)] = [
    ([0xff, 0xfe, 0, 0], "utf-32"), ([0, 0, 0xfe, 0xff], "utf-32"),
    ([0xff, 0xfe], "utf-16"), ([0xfe, 0xff], "utf-16"),
  ]
  /// Windows-1252 does not have these bytes.
  private static let controls: Set<UInt8> = [0x81, 0x8d, 0x8f, 0x90, 0x9d]

  /// Reads the whole file.
  init(_ file: SourceFolder.File) throws(IngestError) {
    var reader = try SourceReader(file)
    var block = [UInt8](repeating: 0, count: Self.blockBytes)
    var scan = UTF8Scan()
    var hasControls = false
    var sample: [UInt8] = []
    var (offset, count) = (0, 0)
    repeat {
      count = try reader.read(block.count, into: &block)
      if offset == 0, let mark = Self.marks.first(where: { block[..<count].starts(with: $0.bytes) })
      {
        name = mark.name
        return
      }
      offset += count
      let first = scan.read(block.span.extracting(0..<count))
      if let first, sample.isEmpty {
        sample = Self.sample(around: first, of: block.span.extracting(0..<count))
      }
      hasControls = hasControls || block[..<count].contains { Self.controls.contains($0) }
    } while count == block.count
    if scan.finish() { sample = Array(block[..<count].suffix(Self.sampleBytes)) }
    // A few invalid bytes among many characters are damage.
    guard scan.invalid > scan.characters else { return }
    let guess = hasControls ? "iso-8859-1" : "windows-1252"
    name = guess
    doubt =
      "the file is not UTF-8; its encoding may be \(guess), so that it contains "
      + "\(Self.text(sample, in: guess).quotedForMessage). If that is wrong, correct encoding in the "
      + "description"
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

/// Counts the characters of a text beyond ASCII, and the bytes that are not valid UTF-8 (RFC 3629).
private struct UTF8Scan {
  private(set) var characters = 0
  private(set) var invalid = 0
  /// The number of bytes that the current character still needs, and the range of the next one.
  private var missing = 0
  private var next: ClosedRange<UInt8> = 0x80...0xbf

  /// Reads more of the text; returns the place of the first invalid byte.
  mutating func read(_ bytes: Span<UInt8>) -> Int? {
    var first: Int?
    for index in bytes.indices {
      let byte = bytes[index]
      if byte < 0x80, missing == 0 { continue }
      let before = invalid
      read(byte)
      if invalid > before, first == nil { first = index }
    }
    return first
  }

  /// Counts a character that is incomplete at the end; returns whether it is the first invalid one.
  mutating func finish() -> Bool {
    guard missing > 0 else { return false }
    invalid += 1
    return invalid == 1
  }

  private mutating func read(_ byte: UInt8) {
    if missing > 0, next ~= byte {
      missing -= 1
      next = 0x80...0xbf
      if missing == 0 { characters += 1 }
      return
    }
    if missing > 0 { invalid += 1 }
    next = 0x80...0xbf
    switch byte {
    case ..<0x80: missing = 0
    case 0xc2...0xdf: missing = 1
    case 0xe0...0xef:
      missing = 2
      if byte == 0xe0 { next = 0xa0...0xbf }
      if byte == 0xed { next = 0x80...0x9f }
    case 0xf0...0xf4:
      missing = 3
      if byte == 0xf0 { next = 0x90...0xbf }
      if byte == 0xf4 { next = 0x80...0x8f }
    default:
      missing = 0
      invalid += 1
    }
  }
}
