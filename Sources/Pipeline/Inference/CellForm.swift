import Fields
import Text

/// What a cell of a sample looks like; it judges dialects, not types.
enum CellForm {
  case empty
  /// A word for a missing value, which fits any column.
  case missing
  /// A number, a date or a time, perhaps with a currency or a percent sign.
  case figure
  case text
  /// A text with a quote at one edge, or with a delimiter between two characters that are not blanks.
  case odd
  /// A text in quotes, which are those of another dialect.
  case quoted

  /// How well it suits a dialect; nil if it has no value.
  var points: Double? {
    switch self {
    case .empty, .missing: nil
    case .figure: 1
    case .text: 0.7
    case .odd, .quoted: 0.2
    }
  }

  private static let delimiters = Array(",;|^~\t\u{1}".utf8)

  init(_ cell: Span<UInt8>) {
    let start = cell.indices.first { !cell[$0].isBlank } ?? cell.count
    let end = cell.indices.last { !cell[$0].isBlank } ?? -1
    guard start <= end else {
      self = .empty
      return
    }
    if MissingWords.index(start..<end + 1, of: cell) != nil {
      self = .missing
    } else if Self.isFigure(cell.extracting(start...end)) {
      self = .figure
    } else {
      let quotes = [UInt8(ascii: "\""), UInt8(ascii: "'")]
      let isDivided = (start..<end).dropFirst().contains {
        Self.delimiters.contains(cell[$0]) && !cell[$0 - 1].isBlank && !cell[$0 + 1].isBlank
      }
      // At its beginning, it is that of a network path.
      let isEscaped = (start..<end).dropFirst().contains {
        cell[$0] == UInt8(ascii: "\\") && cell[$0 + 1] == UInt8(ascii: "\\")
      }
      let isDelimiter = start == end && Self.delimiters.contains(cell[start])
      if start < end, quotes.contains(cell[start]), cell[start] == cell[end] {
        self = .quoted
      } else if quotes.contains(cell[start]) || quotes.contains(cell[end]) || isDivided
        || isDelimiter || isEscaped
      {
        self = .odd
      } else {
        self = .text
      }
    }
  }

  private static func isFigure(_ text: Span<UInt8>) -> Bool {
    let signs = Array("+-$(".utf8)
    let start = text.indices.first { text[$0] < 0x80 && !signs.contains(text[$0]) } ?? text.count
    let ends = Array("%)".utf8)
    let end = text.indices.last { text[$0] < 0x80 && !ends.contains(text[$0]) } ?? -1
    guard start <= end, text[start].isDigit || text[start] == UInt8(ascii: ".") else {
      return false
    }
    let body = text.extracting(start...end)
    return body.matches(number) || body.matches(time)
  }

  private static let number = TextForms.pattern(
    #"[0-9]*[.,]?[0-9]*([eE][+\-]?[0-9]+)?|[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?|[0-9]{1,3}([. ][0-9]{3})+(,[0-9]*)?"#
  )
  private static let time = TextForms.pattern(
    #"[0-9]+([\-/.:][0-9]+)+([T ][0-9]+(:[0-9]+)+(\.[0-9]+)?)?( ?[AaPp][Mm]|Z|[+\-][0-9]{2}:?[0-9]{2})?|[0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{0,4}){3,7}"#
  )
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}
