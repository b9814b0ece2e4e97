import Vocabulary
import SQLiteFormat
import SQLiteSwiftly
import Text

extension TablePair {
  func addCauses(
    to change: inout DatabaseChanges.Table, of rows: ChangedRows, after history: History,
    from old: Connection, to new: Connection
  ) throws(ComparisonError) {
    let changed = rows.columns.sorted { $0.key < $1.key }
    let candidates = changed.flatMap { index, found -> [(code: WarningCode, column: String)] in
      [(.columnConstant, columns[index])]
        + (found.encodedTwice > 0 ? [(.textEncodedTwice, columns[index])] : [])
    }
    try change.addCauses(after: history, among: columns, candidates) {
      columns, samples throws(ComparisonError) in
      try mapError(new.sums(of: columns, in: self, at: samples.map(\.key)), as: ComparisonError.new)
    } find: { change, code, column throws(ComparisonError) in
      let index = self.columns.firstIndex { haveSameBytes($0, column) }
      guard let found = index.flatMap({ rows.columns[$0] }) else {
        let samples = try mapError(
          old.samples(of: columns, in: self, at: rows.lost.json), as: ComparisonError.old)
        let most = changed.sorted { $0.value.changed > $1.value.changed }
        return .unusualChanges(
          change, since: history, in: most.map { (columns[$0.key], $0.value.changed) },
          example: most.first?.value.first, samples)
      }
      if code == .columnConstant {
        return try constant(column, found, rows, change, after: history, from: old, to: new)
      }
      let samples = try mapError(
        new.samples(of: [column], in: self, at: found.samples.json), as: ComparisonError.new)
      return .encodedTwice(
        column, of: name, values: found.encodedTwice, example: found.example, since: history,
        samples)
    }
  }

  /// The cause if nearly all values of a column have become one.
  private func constant(
    _ column: String, _ found: ChangedRows.Column, _ rows: ChangedRows,
    _ change: DatabaseChanges.Table, after history: History, from old: Connection,
    to new: Connection
  ) throws(ComparisonError) -> History.Cause? {
    let value = found.candidate
    guard value != .null, found.margin > 0, change.rowsAfter != nil else { return nil }
    let query: SQL =
      "SELECT count(*) FROM main.\(identifier: name) WHERE \(identifier: column) = \(value)"
    let after = try mapError(as: ComparisonError.new) { () throws(SQLiteError) in
      Int(try new.value(of: query)?.integerValue ?? 0)
    }
    guard History.Cause.isConstant(after, of: change) else { return nil }
    let before = try mapError(as: ComparisonError.old) { () throws(SQLiteError) in
      Int(try old.value(of: query)?.integerValue ?? 0)
    }
    guard History.Cause.wasVaried(before, of: change) else { return nil }
    let samples = try mapError(
      new.samples(of: [column], in: self, at: rows.lost.json), as: ComparisonError.new)
    return .constant(
      column, of: change, value: String(value.literal.prefix(100)), rows: after, before: before,
      since: history, samples.filter { $0.sum == History.sum(of: value.literal) })
  }
}

extension Connection {
  fileprivate func samples(
    of columns: [String], in table: TablePair, at keys: [String]
  ) throws(SQLiteError) -> [History.Sample] {
    zip(keys, try sums(of: columns, in: table, at: keys)).compactMap { key, sum in
      sum.map { History.Sample(key: key, sum: $0) }
    }
  }

  /// The checksums of the values in the rows with these keys; nil for a key that the table lacks.
  fileprivate func sums(
    of columns: [String], in table: TablePair, at keys: [String]
  ) throws(SQLiteError) -> [String?] {
    guard !table.key.isEmpty, !keys.isEmpty else { return [] }
    let isSame = table.key.enumerated().map { place, name in
      "stored.\(quoted(identifier: name)) = json_extract(sample.value, '$[\(place)]')"
    }.joined(separator: " AND ")
    let values = columns.map { "quote(stored.\(quoted(identifier: $0)))" }
    let parts = SQL(
      generated: """
        SELECT CASE WHEN stored.\(quoted(identifier: table.key[0])) IS NOT NULL
          THEN \((values.isEmpty ? ["''"] : values).joined(separator: " || ',' || ")) END
        FROM main.\(quoted(identifier: table.name)) AS stored
        """)
    var sums: [String?] = []
    // A text may be as long as a row.
    try forEachRow(
      of: """
        SELECT (\(sql: parts) WHERE \(sql: SQL(generated: isSame)))
        FROM json_each(\("[" + keys.joined(separator: ",") + "]")) AS sample ORDER BY sample.key
        """
    ) { row throws(SQLiteError) in sums.append(try row.text(at: 0).map(History.sum)) }
    return sums
  }
}

/// What the changed rows of one table have in common, collected during a comparison.
struct ChangedRows {
  struct Column {
    var changed = 0
    /// The first changed value: `"#N/A" for "Plate"`.
    var first = ""
    /// The most common new value if it makes up more than half of all (Boyer and Moore, 1981), and its margin.
    var candidate = SQLiteValue.null
    var margin = 0
    var encodedTwice = 0
    var example = ""
    var samples = KeySamples()
  }

  private(set) var lost = KeySamples()
  private(set) var columns: [Int: Column] = [:]

  mutating func add(_ change: RowChange) {
    guard change.kind != .added else { return }
    lost.add(key: change.key)
    for field in change.fields {
      columns[field.column, default: Column()].add(field, of: change.key)
    }
  }
}

extension ChangedRows.Column {
  fileprivate mutating func add(_ field: RowChange.Field, of key: [SQLiteValue]) {
    if changed == 0 { first = "\(field.after.quoted) for \(field.before.quoted)" }
    changed += 1
    if margin == 0 { candidate = field.after }
    margin += candidate == field.after ? 1 : -1
    guard case .text(let before) = field.before, case .text(let after) = field.after,
      after.utf8.count > before.utf8.count, after.isEncodedTwice(of: before)
    else { return }
    if encodedTwice == 0 { example = "\(after.quotedForMessage) for \(before.quotedForMessage)" }
    encodedTwice += 1
    samples.add(key: key)
  }
}

extension SQLiteValue {
  /// The value as shown in messages.
  fileprivate var quoted: String { textValue?.quotedForMessage ?? String(literal.prefix(100)) }
}

typealias KeySamples = EvenSample<[SQLiteValue]>

extension EvenSample<[SQLiteValue]> {
  private static let longestKey = 200

  init() { self.init(most: History.Cause.mostSamples) }

  /// Adds a key, without its values if they are long.
  mutating func add(key: [SQLiteValue]) {
    add(key.allSatisfy { $0.textValue?.utf8.count ?? 0 <= Self.longestKey } ? key : [.null])
  }

  /// The keys as arrays in JSON, without those that have none or are long.
  var json: [String] {
    elements.compactMap { key in
      let values = key.compactMap { value -> JSON? in
        switch value {
        case .integer(let number): JSON(Int(number))
        case .text(let text): JSON(text)
        case .real, .blob, .null: nil
        }
      }
      guard values.count == key.count else { return nil }
      let text = JSON(values).written(as: .line)
      return text.utf8.count <= Self.longestKey ? text : nil
    }
  }
}

extension String {
  /// Whether its characters are the bytes of `text` in UTF-8, in ISO 8859-1 or Windows-1252.
  fileprivate func isEncodedTwice(of text: String) -> Bool {
    var bytes = text.utf8.makeIterator()
    for scalar in unicodeScalars {
      guard let byte = bytes.next() else { return false }
      let isByte =
        scalar.value == UInt32(byte)
        || (0x80...0x9f ~= byte && scalar.value == Self.windows1252[Int(byte) - 0x80])
      guard isByte else { return false }
    }
    return bytes.next() == nil
  }

  /// The characters of the bytes 80 to 9F
  /// (<https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1252.TXT>); 0 for none.
  private static let windows1252: [UInt32] = [
    0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc,
    0x2122, 0x0161, 0x203a, 0x0153, 0, 0x017e, 0x0178,
  ]
}
