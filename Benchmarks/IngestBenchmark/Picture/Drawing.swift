/// SVG that is put together element by element (<https://www.w3.org/TR/SVG11/>).
struct Drawing {
  private var elements: [String] = []

  /// How a text stands to its point.
  enum Anchor: String {
    case start, middle, end
  }

  mutating func line(
    _ from: (x: Double, y: Double), _ to: (x: Double, y: Double), _ style: String
  ) {
    elements.append(
      "<line x1=\"\(from.x.svg)\" y1=\"\(from.y.svg)\" x2=\"\(to.x.svg)\" y2=\"\(to.y.svg)\" "
        + "class=\"\(style)\"/>")
  }

  mutating func circle(_ center: (x: Double, y: Double), _ style: String) {
    elements.append(
      "<circle cx=\"\(center.x.svg)\" cy=\"\(center.y.svg)\" r=\"4\" class=\"\(style)\"/>")
  }

  mutating func rectangle(
    _ corner: (x: Double, y: Double), width: Double, height: Double, _ style: String
  ) {
    elements.append(
      "<rect x=\"\(corner.x.svg)\" y=\"\(corner.y.svg)\" width=\"\(width.svg)\" "
        + "height=\"\(height.svg)\" class=\"\(style)\"/>")
  }

  mutating func text(
    _ text: String, at point: (x: Double, y: Double), _ anchor: Anchor = .start,
    style: String = "", isUpright: Bool = false
  ) {
    let turn = isUpright ? " transform=\"rotate(-90 \(point.x.svg) \(point.y.svg))\"" : ""
    elements.append(
      "<text x=\"\(point.x.svg)\" y=\"\(point.y.svg)\" text-anchor=\"\(anchor.rawValue)\" "
        + "class=\"\(style)\"\(turn)>\(text.escapedForXML)</text>")
  }

  /// The whole file, whose colors follow the reader's preference for light or dark.
  func svg(width: Double, height: Double, title: String) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width.svg) \(height.svg)" \
    width="\(width.svg)" height="\(height.svg)" role="img">
    <title>\(title.escapedForXML)</title>
    <style>
    .ground { fill: #ffffff }
    text { font: 12px sans-serif; fill: #24292f }
    .title { font: bold 14px sans-serif }
    .axis { stroke: #57606a } .grid { stroke: #d0d7de } .guide { stroke: #8c959f; \
    stroke-dasharray: 5 4 }
    .a { stroke: #0969da; fill: #0969da } .b { stroke: #bc4c00; fill: #bc4c00 }
    .c { stroke: #1a7f37; fill: #1a7f37 } .d { stroke: #8250df; fill: #8250df }
    line.a, line.b, line.c, line.d { stroke-width: 2 }
    @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 }
    text { fill: #e6edf3 }
    .axis { stroke: #8b949e } .grid { stroke: #30363d } .guide { stroke: #6e7681 }
    .a { stroke: #58a6ff; fill: #58a6ff } .b { stroke: #f0883e; fill: #f0883e }
    .c { stroke: #3fb950; fill: #3fb950 } .d { stroke: #bc8cff; fill: #bc8cff }
    }
    </style>
    <rect class="ground" width="100%" height="100%"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }
}

extension Double {
  /// The number with as many digits as can be seen.
  fileprivate var svg: String { rounded(decimals: 1) }
}

extension String {
  fileprivate var escapedForXML: String {
    map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      default: String(character)
      }
    }.joined()
  }
}
