import Vocabulary
import SQLiteFormat
import Platform
import SQLiteSwiftly
import Text

extension TablePair {
  func addCauses(
    to change: inout CatalogChanges.Table, of rows: ChangedRows, after history: History,
    from old: Connection, to new: Connection
  ) throws(ComparisonError) {
    let changed = rows.columns.sorted { $0.key < $1.key }
    let candidates = changed.flatMap { place, found -> [(code: WarningCode, column: String)] in
      [(.columnConstant, columns[place])]
        + (found.encodedTwice > 0 ? [(.textEncodedTwice, columns[place])] : [])
    }
    try change.addCauses(after: history, among: columns, candidates) {
      columns, samples throws(ComparisonError) in
      try mapError(new.sums(of: columns, in: self, at: samples.map(\.key)), as: ComparisonError.new)
    } find: { change, code, column throws(ComparisonError) in
      let place = self.columns.firstIndex { haveSameBytes($0, column) }
      guard let found = place.flatMap({ rows.columns[$0] }) else {
        let samples = try mapError(
          old.samples(of: columns, in: self, at: rows.lost.json), as: ComparisonError.old)
        return .unusualChanges(change, since: history, samples)
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
    _ change: CatalogChanges.Table, after history: History, from old: Connection,
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
