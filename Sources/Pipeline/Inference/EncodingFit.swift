import Glibc
import Text

/// How well an encoding fits the words of a text.
///
/// The costs approximate negative logarithms of probabilities, in hundredths. Letters of a language cost little; other
/// characters, and patterns that no language has, such as a capital letter after a small one, cost more.
struct EncodingFit {
  let encoding: String
  /// The words, each with a line feed.
  let text: String
  private let cost: Int
  /// Not if most characters are unusual in the language.
  let isPlausible: Bool

  private static let closeCost = 400
  private static let asciiCost = 400
  private static let sampleCharacters = 24
  /// A text has a lower cost per byte beyond ASCII, unless it has only a few of them.
  private static let highestCost = 650
  private static let fewBytes = 20

  /// The encodings in which all words can be read, the best first.
  static func all(of words: [UInt8]) -> [EncodingFit] {
    candidates.compactMap { EncodingFit(words, $0, $1, rarity: $2) }.sorted { $0.cost < $1.cost }
  }

  private init?(_ words: [UInt8], _ encoding: String, _ languages: [String], rarity: Int) {
    guard let text = TextDecoder.text(of: words, in: encoding),
      let patternCost = Self.patternCost(of: text.unicodeScalars)
    else { return nil }
    self.text = text
    self.encoding = encoding
    var counts: [Unicode.Scalar: Int] = [:]
    for scalar in text.unicodeScalars where !scalar.isASCII { counts[scalar, default: 0] += 1 }
    let letterCost = languages.map { Self.cost(of: counts, in: $0) }.min() ?? 0
    cost = rarity * 100 + patternCost + letterCost
    let ascii = words.count { $0 < 0x80 }
    let others = words.count - ascii
    isPlausible =
      others < Self.fewBytes || cost - ascii * Self.asciiCost <= others * Self.highestCost
  }

  var sample: EncodingSample {
    let word = text.prefix { $0 != "\n" }.prefix(Self.sampleCharacters)
    return EncodingSample(encoding: encoding, text: String(word))
  }

  /// Whether it is nearly as good as the best one.
  func isClose(to best: EncodingFit) -> Bool { cost < best.cost + Self.closeCost }

  private static func cost(of counts: [Unicode.Scalar: Int], in language: String) -> Int {
    let letters = language.unicodeScalars.enumerated().map { ($1, $0) }
    let ranks = [Unicode.Scalar: Int](uniqueKeysWithValues: letters)
    return counts.reduce(0) { sum, scalar in
      let small = scalar.key.properties.lowercaseMapping.unicodeScalars.first ?? scalar.key
      let known = ranks[small].map { Int(100 * (1 + log(Double($0 + 2)))) }
      return sum + scalar.value * (known ?? scalar.key.unusualCost)
    }
  }

  /// The cost of ASCII and of unusual sequences; nil if a character is not one of a text.
  private static func patternCost(of text: String.UnicodeScalarView) -> Int? {
    var cost = 0
    var (before, previous) = (LetterCase.none, LetterCase.none)
    var last: Unicode.Scalar = "\n"
    for scalar in text {
      guard let letter = LetterCase(scalar) else { return nil }
      // A character of two bytes may replace an ASCII one.
      if scalar.isASCII { cost += asciiCost }
      switch letter {
      case .capital where previous == .small && !(scalar.isASCII && last.isASCII):
        cost += scalar.isASCII ? 300 : 600
      case .capital where !scalar.isASCII: cost += 150
      case .small where previous == .capital && before == .capital && !last.isASCII: cost += 400
      default: break
      }
      if letter != .none {
        let isMixed = scalar.isASCII != last.isASCII && !(scalar.isLatin && last.isLatin)
        if previous != .none, isMixed { cost += 500 }
        let isCut = previous == .none && !last.isASCII && !last.connectsLetters
        if before != .none, isCut { cost += 400 }
      }
      (before, previous, last) = (previous, letter, scalar)
    }
    return cost
  }
}

private enum LetterCase {
  case none, small, capital, other

  /// Fails for a control character beyond ASCII and for one without a meaning in Unicode.
  init?(_ scalar: Unicode.Scalar) {
    switch scalar.properties.generalCategory {
    case .control where !scalar.isASCII: return nil
    case .privateUse, .unassigned: return nil
    case .uppercaseLetter, .titlecaseLetter: self = .capital
    case .lowercaseLetter: self = .small
    case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark: self = .other
    default: self = .none
    }
  }
}

extension Unicode.Scalar {
  private static let symbols = Set(
    "’‘“”„–—…«»°§€·•™®©¡¿º£½²³µ±´\u{a0}・、。「」ー々".unicodeScalars)

  fileprivate var isLatin: Bool { value < 0x250 }

  fileprivate var connectsLetters: Bool { "’·–—・ー々".unicodeScalars.contains(self) }

  /// The cost where it is not a usual character of the language.
  fileprivate var unusualCost: Int {
    switch value {
    // Japanese in characters of half width.
    case 0xff61...0xff9f: 500
    case _ where Self.symbols.contains(self): 600
    default: 900
    }
  }
}

extension TextDecoder {
  /// The text of bytes in an encoding; nil if it does not have all of them.
  fileprivate static func text(of bytes: [UInt8], in encoding: String) -> String? {
    guard let decoder = TextDecoder(of: encoding) else { return nil }
    var text = [UInt8](repeating: 0, count: bytes.count * 4 + longestCharacter)
    var room = text.mutableSpan
    let (read, written) = decoder.decode(bytes.span, into: &room)
    return read == bytes.count ? String(decoding: text[..<written], as: UTF8.self) : nil
  }
}
