import Vocabulary
import Text

/// A piece of a page; interpolated texts are escaped, so data cannot become markup.
struct HTML: ExpressibleByStringInterpolation {
  private(set) var text: String

  /// Creates a piece from markup, which is not escaped.
  init(_ text: String) { self.text = text }

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ text: String) { self.text += text.escapedForMarkup }

    /// A whole number, with its digits in groups of three.
    mutating func appendInterpolation(_ number: Int) { text += number.grouped }

    mutating func appendInterpolation(_ html: HTML) { text += html.text }

    mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { text += piece.text }
    }
  }

  static func + (first: HTML, second: HTML) -> HTML { "\(first)\(second)" }

  static let empty: HTML = ""
}
