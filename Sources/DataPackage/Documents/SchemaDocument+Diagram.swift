import Schema
import SQLiteSwiftly
import Text

extension SchemaDocument {
  /// An SVG diagram of the tables in `diagram`, in light or dark colors: columns, with keys in bold, and arrows to
  /// referenced tables.
  package var picture: String {
    let layout = DiagramLayout(diagram, of: schema.tables + schema.allDerivedTables)
    let derived = schema.allDerivedTables.map(\.name)
    let arrows = layout.boxes.flatMap { box in
      box.table.foreignKeys.compactMap { key in layout.arrow(key, from: box) }
    }
    let boxes = layout.boxes.map { $0.drawing(isDerived: derived.hasName($0.table.name)) }
    let (width, height) = (layout.width.written, layout.height.written)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img">
      <title>Tables and their references</title>
      <style>
      \(Self.style)
      </style>
      <defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" \
      orient="auto"><path d="M0 0.5L7 4L0 7.5Z" class="tip"/></marker></defs>
      <rect class="ground" width="\(width)" height="\(height)"/>
      \(arrows.joined(separator: "\n"))
      \(boxes.joined(separator: "\n"))
      </svg>
      """
  }

  private static let style = """
    text { font: 11px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328; }
    .name { font-weight: bold; fill: #ffffff; }
    .key { font-weight: bold; }
    .ground { fill: #ffffff; }
    .box { fill: #f6f8fa; stroke: #57606a; }
    .head { fill: #0550ae; }
    .derived .head { fill: #57606a; }
    .arrow { fill: none; stroke: #8250df; stroke-width: 1.2; }
    .tip { fill: #8250df; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .ground { fill: #0d1117; }
      .box { fill: #161b22; stroke: #8b949e; }
      .head { fill: #1f6feb; }
      .derived .head { fill: #6e7681; }
      .arrow { stroke: #d2a8ff; }
      .tip { fill: #d2a8ff; }
    }
    """
}

extension Double {
  /// With one decimal, or none for an integer.
  fileprivate var written: String {
    let tenths = Int((self * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
  }
}

/// The layout of a diagram, in its units.
struct DiagramLayout {
  static let letter = 6.7
  static let line = 17.0
  static let margin = 16.0
  private static let gutter = 56.0
  private static let gap = 26.0

  private(set) var boxes: [Box] = []
  private(set) var width = 0.0
  private(set) var height = 0.0

  struct Box {
    let table: TableDescription
    let column: Int
    let left: Double
    let top: Double
    let width: Double

    var right: Double { left + width }
    var height: Double { DiagramLayout.line * Double(table.columns.count + 1) + 6 }

    func middle(of column: String) -> Double {
      top + DiagramLayout.line * (Double(table.columnIndex(column) ?? -1) + 1.5) + 2
    }

    func drawing(isDerived: Bool) -> String {
      let lines = table.columns.map { column in
        let isKey = table.primaryKey.hasName(column.name)
        let mark = table.requires(column) ? "" : " ?"
        return """
          <text\(isKey ? " class=\"key\"" : "") x="\((left + 8).written)" \
          y="\((middle(of: column.name) + 4).written)">\(column.name.escapedForMarkup)\(mark)</text>
          """
      }
      return """
        <g\(isDerived ? " class=\"derived\"" : "")>
        <rect class="box" x="\(left.written)" y="\(top.written)" width="\(width.written)" \
        height="\(height.written)" rx="4"/>
        <path class="head" d="M\(left.written) \((top + 19).written)v-15a4 4 0 0 1 4 -4h\
        \((width - 8).written)a4 4 0 0 1 4 4v15z"/>
        <text class="name" x="\((left + 8).written)" y="\((top + 13.5).written)">\
        \(table.name.escapedForMarkup)</text>
        \(lines.joined(separator: "\n"))
        </g>
        """
    }
  }

  /// Lays out tables in columns, each from top to bottom.
  init(_ columns: [[String]], of tables: [TableDescription]) {
    let columns = columns.map { names in
      names.compactMap { name in tables.first { haveSameBytes($0.name, name) } }
    }
    var left = Self.margin + Self.gutter / 2
    for (index, column) in columns.enumerated() {
      let width = column.map(Self.width).max() ?? 0
      var top = Self.margin
      for table in column {
        boxes.append(Box(table: table, column: index, left: left, top: top, width: width))
        top += boxes[boxes.count - 1].height + Self.gap
      }
      height = max(height, top - Self.gap + Self.margin)
      left += width + Self.gutter
    }
    width = left - Self.gutter / 2 + Self.margin
  }

  /// The arrow of a foreign key; nil if its table is not in the diagram.
  func arrow(_ key: ForeignKeyDescription, from box: Box) -> String? {
    guard let parent = self.box(of: key.table) else { return nil }
    let start = box.middle(of: key.columns.first ?? "")
    let end = parent.middle(of: key.keyColumns.first ?? "")
    let path: [Double]
    if parent.column == box.column {
      // Around the box.
      let bend = box.right + 22
      path = [box.right, start, bend, start, bend, end, parent.right, end]
    } else {
      let leadsRight = parent.column > box.column
      let (from, to) = leadsRight ? (box.right, parent.left) : (box.left, parent.right)
      let middle = (from + to) / 2
      path = [from, start, middle, start, middle, end, to, end]
    }
    let points = path.map(\.written)
    return """
      <path class="arrow" marker-end="url(#head)" d="M\(points[0]) \(points[1])C\
      \(points[2...].joined(separator: " "))"/>
      """
  }

  func box(of name: String) -> Box? { boxes.first { haveSameBytes($0.table.name, name) } }

  private static func width(of table: TableDescription) -> Double {
    let names = table.columns.map { $0.name.escapedLength + 3 } + [table.name.escapedLength + 1]
    return Double(names.max() ?? 0) * letter + 12
  }
}

extension String {
  /// The number of letters shown, with those of escapes.
  fileprivate var escapedLength: Int { printable(keepingLineFeeds: false).count }
}
