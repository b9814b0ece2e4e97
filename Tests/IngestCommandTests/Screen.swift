/// A terminal's screen after some output, with the control codes that `ingest` uses.
struct Screen {
  /// The rows written to, without trailing blanks.
  private(set) var lines: [String] = []

  /// Writes a text whose lines end in LF.
  init(columns: Int, showing text: String) {
    var cells: [[Character]] = [[]]
    var (row, column) = (0, 0)
    var rest = Substring(text)
    while let character = rest.popFirst() {
      switch character {
      case "\r": column = 0
      case "\n":
        (row, column) = (row + 1, 0)
        if row == cells.count { cells.append([]) }
      case "\u{1b}":
        // The rest of the row, and the rows below.
        guard rest.hasPrefix("[J") else { continue }
        rest = rest.dropFirst(2)
        cells.removeSubrange((row + 1)...)
        cells[row] = Array(cells[row].prefix(column))
      default:
        if column == columns {
          (row, column) = (row + 1, 0)
          if row == cells.count { cells.append([]) }
        }
        while cells[row].count <= column { cells[row].append(" ") }
        cells[row][column] = character
        column += 1
      }
    }
    lines = cells.map { cells in
      String(cells[..<(cells.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0)])
    }
  }
}
