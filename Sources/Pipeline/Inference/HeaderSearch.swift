import CSV
import Schema
import SourceFiles
import Text

/// The rows of a sample that name the columns, and those before them.
struct HeaderSearch {
  private(set) var headerRows = [1]
  private(set) var commentRows: [Int] = []
  private(set) var commentPrefix: String?
  /// The number of fields of the records; nil if it is that of the header.
  private(set) var fieldCount: Int?
  private(set) var hasLabels = false
  private(set) var remarks: [DialectRemark] = []
  /// Whether a row may have several fields after all.
  var isDivisible: Bool {
    rows.contains { $0.cells.count > 1 || $0.forms.contains(.odd) || $0.forms.contains(.quoted) }
  }

  private let width: Int
  private var rows: [Row] = []
  /// Whether the values of each column are nearly all numbers or times.
  private var figures: [Bool] = []

  private struct Row {
    /// Its number, from 1; blank lines are rows, too.
    let number: Int
    let line: Int
    let cells: [[UInt8]]
    let forms: [CellForm]

    var filled: Int { forms.count { $0 != .empty } }
    var isComment: Bool { cells.first?.first == UInt8(ascii: "#") }
    /// The number of its fields, without empty ones at the end.
    var length: Int { (forms.lastIndex { $0 != .empty } ?? -1) + 1 }
  }

  private static let mostCells = 20_000
  private static let leastRows = 40
  /// The most rows before the header, and of a header.
  private static let mostTitles = 100
  private static let mostHeaderRows = 5

  init(
    _ trial: borrowing DialectTrial, hasSeparatorLine: Bool, _ stated: StatedDialect,
    allowsComments: Bool
  ) {
    width = trial.width
    readRows(of: trial)
    let start = firstRow(after: hasSeparatorLine ? 1 : 0)
    guard start < rows.count else { return }
    findFigures(after: start)
    var header = [start]
    if let named = stated.headerRows {
      header = rows.indices.filter { named.contains(rows[$0].number) }
      headerRows = named
    } else {
      let isRecord = isRecord(start)
      if let other = headerOfOtherWidth(before: start, isRecord) {
        header = [other]
      } else if isRecord {
        header = []
      } else {
        header = (start..<endOfHeader(from: start)).filter { rows[$0].filled > 0 }
      }
      headerRows = header.map { rows[$0].number }
    }
    if allowsComments { findComments(header) }
    findOtherTable(before: header.first ?? start)
    skipRows(before: header.first ?? start, isStated: stated.headerRows != nil)
    if let last = header.last { compareWidth(of: header.map { rows[$0] }, last + 1) }
  }

  private mutating func readRows(of trial: borrowing DialectTrial) {
    var cells = 0
    var (number, nextLine) = (0, 1)
    for record in trial.batch.records {
      // Blank lines are between the records.
      number += max(record.line - nextLine, 0) + 1
      nextLine = record.line + record.innerLineFeeds + 1
      guard record.faults.isEmpty else {
        let text = Array(trial.batch.bytes[record.bytes])
        rows.append(Row(number: number, line: record.line, cells: [text], forms: [.odd]))
        continue
      }
      let places = (0..<record.fieldCount).map { trial.batch.place($0, of: record) }
      let bytes = trial.batch.bytes.span
      rows.append(
        Row(
          number: number, line: record.line, cells: places.map { Array(trial.batch.bytes[$0]) },
          forms: places.map { CellForm(bytes.extracting($0)) }))
      cells += record.fieldCount
      if cells > Self.mostCells, rows.count >= Self.leastRows { return }
    }
  }

  /// The first row of the table, which is not a title: text in a single field, of two in the first.
  private func firstRow(after first: Int) -> Int {
    let filled = rows.filter { $0.cells.count == width && $0.filled > 0 }
    let isUsuallyFilled = filled.count { $0.filled > 1 } * 2 > filled.count
    let start = (first..<rows.count).prefix(Self.mostTitles).first { index in
      let row = rows[index]
      guard row.cells.count == width else { return false }
      let isText = width > 2 ? row.forms.contains(.text) : row.forms[0] == .text && isUsuallyFilled
      let isTitle = width > 1 && (row.filled == 0 || row.filled == 1 && isText)
      return
        !(isTitle && rows[(index + 1)...].contains { $0.cells.count == width && $0.filled > 1 })
    }
    return start ?? first
  }

  private mutating func findFigures(after start: Int) {
    // The first ones may be of the header.
    let below = rows.count - start > 3 * Self.mostHeaderRows ? Self.mostHeaderRows : 1
    let body = rows.dropFirst(start + below).filter {
      $0.cells.count == width && $0.cells != rows[start].cells
    }
    figures = (0..<width).map { column in
      let found = body.count { $0.forms[column] == .figure }
      let others = body.count { [.text, .odd, .quoted].contains($0.forms[column]) }
      return found > others && others <= max(1, found / 9)
    }
  }

  /// Whether a row is rather a record than a header: numbers above numbers, or texts that occur again below.
  private func isRecord(_ index: Int) -> Bool {
    let row = rows[index]
    guard row.cells.count == width else { return false }
    // Numbers may name groups of columns, above their names.
    let next = rows[index...].dropFirst().first
    if row.filled * 2 <= width, let next, next.filled > row.filled, !isRecord(index + 1) {
      return false
    }
    let typed = figures.indices.filter {
      figures[$0] && ![.empty, .missing].contains(row.forms[$0])
    }
    if !typed.isEmpty {
      return typed.allSatisfy { row.forms[$0] == .figure } && !isSeries(row, typed)
    }
    guard !figures.contains(true), width > 1 else { return false }
    let again = (0..<width).count { column in
      row.forms[column] == .text
        && rows[(index + 1)...].contains {
          $0.cells.count == width && $0.cells != row.cells && $0.cells[column] == row.cells[column]
        }
    }
    return again > 1 && again * 2 >= width
  }

  /// Whether the numbers of a row name columns: years one after the other, or numbers from 0 after an empty field.
  private func isSeries(_ row: Row, _ typed: [Int]) -> Bool {
    let numbers = typed.map { Int(String(decoding: row.cells[$0], as: UTF8.self)) ?? -1 }
    guard numbers.count > 1, let first = numbers.first else { return false }
    let step = numbers[1] - first
    let isRegular = zip(numbers, numbers.dropFirst()).allSatisfy { $1 - $0 == step }
    let areYears = numbers.allSatisfy { (1800...2100).contains($0) } && step != 0
    return isRegular && (areYears || first == 0 && step == 1 && row.forms[0] == .empty)
  }

  /// The row before the first one of the table, if it is its header in spite of another number of fields.
  private func headerOfOtherWidth(before start: Int, _ isRecord: Bool) -> Int? {
    guard start > 0 else { return nil }
    let row = rows[start - 1]
    let isNames =
      row.cells.count != width && row.length * 2 >= width
      && row.forms.prefix(row.length).allSatisfy { $0 == .text }
    // Without numbers below it, the next row may be the header.
    let isAbove = isRecord || !figures.contains(true) && start == 1 && row.length > 1
    return isNames && isAbove ? start - 1 : nil
  }

  /// The end of a header of several rows: equal ones, those below merged cells, and units.
  private func endOfHeader(from start: Int) -> Int {
    var end = start + 1
    var isNamed = rows[start].forms.map { $0 != .empty }
    for index in start + 1..<min(start + Self.mostHeaderRows, max(rows.count - 1, start + 1)) {
      let row = rows[index]
      guard row.cells.count == width else { break }
      guard row.filled > 0 else { continue }
      let isContinued =
        row.cells == rows[start].cells || isSecond(row, index, isNamed)
        || rows[start].forms.contains(.figure) && end == start + 1 && !isRecord(index)
      guard isContinued else { break }
      for column in 0..<width where row.forms[column] != .empty { isNamed[column] = true }
      end = index + 1
    }
    return end
  }

  private func isSecond(_ row: Row, _ index: Int, _ isNamed: [Bool]) -> Bool {
    guard !row.forms.contains(.figure), !row.forms.contains(.missing) else { return false }
    let above = (0..<width).filter { figures[$0] && row.forms[$0] != .empty }
    guard !above.isEmpty else { return false }
    let isUnits = width > 1 && row.filled == width && !figures.contains(false)
    let hasFirst =
      rows.dropFirst(index + 1).count { $0.cells.count == width && $0.forms[0] == .empty } * 9
      < rows.count
    return isUnits || above.contains { !isNamed[$0] } || row.forms[0] == .empty && hasFirst
  }

  /// Lines that begin with `#`, if no record does.
  ///
  /// Those before the header are skipped by their numbers, since a later record may begin like them.
  private mutating func findComments(_ header: [Int]) {
    let comments = rows.indices.filter { rows[$0].isComment }
    guard let start = header.first, comments.contains(where: { $0 > start }),
      !comments.contains(start),
      comments.allSatisfy({ $0 < start || rows[$0].cells.count != width })
    else { return }
    commentPrefix = "#"
    remarks.append(.comments)
  }

  /// Reports rows that have the same number of several fields each, unlike those of the table below.
  private mutating func findOtherTable(before start: Int) {
    let pair = zip(rows[..<start], rows[..<start].dropFirst()).first { first, second in
      first.cells.count == second.cells.count && first.cells.count > 1
        && first.cells.count != width && first.filled > 1 && second.filled > 1
    }
    if let row = pair?.0 {
      remarks.append(.otherTable(fields: row.cells.count, firstLine: row.line))
    }
  }

  private mutating func skipRows(before start: Int, isStated: Bool) {
    let skipped = rows[..<start].filter { commentPrefix == nil || !$0.isComment }
    if headerRows.isEmpty { commentRows = skipped.map(\.number) }
    guard !isStated else { return }
    if headerRows.isEmpty {
      remarks.append(.noHeader(skipped: skipped.count))
    } else if skipped.isEmpty, headerRows.count == 1 {
      // The first row that is not a comment.
      headerRows = [1]
    } else {
      remarks.append(.header(rows: headerRows))
    }
  }

  /// Compares the number of names with that of the fields of all records, which may lack the first or the last name.
  private mutating func compareWidth(of header: [Row], _ start: Int) {
    let counts = header.map(\.cells.count)
    let length = header.map(\.length).max() ?? width
    guard !rows[start...].contains(where: { counts.contains($0.cells.count) }), length >= width - 1
    else { return }
    let body = rows.dropFirst(start).filter { $0.cells.count == width }
    let hasBlankEnd = body.allSatisfy { $0.forms[width - 1] == .empty }
    let isLabeled = length < width && !hasBlankEnd
    // Row labels differ.
    guard !isLabeled || Set(body.map { $0.cells[0] }).count == body.count else { return }
    hasLabels = isLabeled
    fieldCount = width
    if length != width { remarks.append(.fields(width, names: length)) }
  }
}
