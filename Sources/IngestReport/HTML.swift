import Facts
import Files

/// A piece of a page, into which texts go escaped: nothing that a dump holds becomes markup.
struct HTML: ExpressibleByStringInterpolation {
  private(set) var text: String

  /// A piece of the page that is not escaped.
  init(_ text: String) { self.text = text }

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ text: String) { self.text += text.escapedForHTML }

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

extension String {
  /// The text as HTML shows it, in elements and in quoted attributes alike.
  ///
  /// What cannot be seen, or changes the direction of what is beside it, appears as `\u{202e}`.
  fileprivate var escapedForHTML: String {
    rewritten { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
          scalar.escaped
        default: nil
        }
      }
    }
  }
}
