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

    mutating func appendInterpolation(_ html: HTML?) { text += html?.text ?? "" }

    /// A piece that appears only on a condition.
    mutating func appendInterpolation(if condition: Bool, _ html: @autoclosure () -> HTML) {
      if condition { text += html().text }
    }

    mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { text += piece.text }
    }
  }
}

/// A table that scrolls separately on narrow screens; the caption is for screen readers.
func scrollingTable(
  _ caption: String, head: [(String, String)], rows: [HTML], foot: HTML = ""
) -> HTML {
  let head = head.map { title, style -> HTML in
    let attribute: HTML = style.isEmpty ? "" : " class=\"\(style)\""
    return "<th scope=\"col\"\(attribute)>\(title)</th>"
  }
  return """
    <div class="scroll" role="region" aria-label="\(caption)" tabindex="0">
    <table>
    <caption class="hidden">\(caption)</caption>
    <thead><tr>\(head)</tr></thead>
    <tbody>
    \(rows)</tbody>
    \(foot)</table>
    </div>
    """
}

/// A name that may break after underscores.
func breakable(_ name: String) -> HTML {
  let parts = ("\(name)" as HTML).text.split(separator: "_", omittingEmptySubsequences: false)
  return HTML(parts.joined(separator: "_<wbr>"))
}

/// A cell with a number, which is pale if it is 0 or unknown, and further classes after a space.
func cell(_ number: Int?, _ style: String = "") -> HTML {
  let mood = (number ?? 0) == 0 ? " muted" : ""
  return "<td class=\"number\(mood)\(style)\">\(number?.grouped ?? "–")</td>"
}
