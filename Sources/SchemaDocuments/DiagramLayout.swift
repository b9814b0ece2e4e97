import SQLiteSwiftly

/// The layout of a diagram, in its units.
struct DiagramLayout {
  static let letter = 6.7
  static let line = 17.0
  static let margin = 16.0
  private static let gutter = 56.0
  private static let gap = 26.0

  /// The tables with their positions.
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

  func box(of name: String) -> Box? { boxes.first { haveSameBytes($0.table.name, name) } }

  private static func width(of table: TableDescription) -> Double {
    let names = table.columns.map { $0.name.count + 3 } + [table.name.count + 1]
    return Double(names.max() ?? 0) * letter + 12
  }
}
