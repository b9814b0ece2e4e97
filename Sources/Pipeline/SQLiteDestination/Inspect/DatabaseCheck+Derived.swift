import SQLiteFormat
import SQLiteSwiftly
import Schema
import Text

/// A derived table, and a query for its expected rows.
struct ExpectedRows: Sendable {
  let table: TableDescription
  let query: SQL
  let origin: String

  init(_ table: TableDescription, _ query: SQL, from origin: String) {
    self.table = table
    self.query = query
    self.origin = origin
  }

  init(_ derived: DerivedTableDescription, from origin: String = "the query that fills it") {
    self.init(derived.table, derived.query, from: origin)
  }

  /// The positions of the key columns, or of all columns in a table without a key.
  var key: [Int] {
    table.primaryKey.isEmpty
      ? Array(table.columns.indices) : table.primaryKey.compactMap(table.columnIndex)
  }

  /// The positions of all columns, those of the key first.
  var order: [Int] { key + table.columns.indices.filter { !key.contains($0) } }

  var stored: SQL { sorted(from: "main.\(quoted(identifier: table.name))") }

  /// The expected rows, in the same order.
  var expected: SQL {
    let names = table.columns.map { quoted(identifier: $0.name) }
    return SQL(
      generated: """
        WITH expected (\(names.joined(separator: ", "))) AS (\(query.text))
        \(sorted(from: "expected").text)
        """)
  }

  private func sorted(from rows: String) -> SQL {
    let columns = order.map { quoted(identifier: table.columns[$0].name) }
    let places = (1...key.count).map(String.init).joined(separator: ", ")
    return SQL(
      generated: "SELECT \(columns.joined(separator: ", ")) FROM \(rows) ORDER BY \(places)")
  }

  func faults(of change: RowChange) -> [String] {
    let place = "\(table.name) (\(change.key.map(\.shownLiteral).joined(separator: ", ")))"
    return switch change.kind {
    case .added: ["\(place): missing, but expected from \(origin)"]
    case .removed: ["\(place): found, but not expected from \(origin)"]
    case .changed:
      change.fields.map { field in
        let column = table.columns[order[key.count + field.column]].name
        return "\(place), column \(column): expected \(field.after.shownLiteral), found "
          + field.before.shownLiteral
      }
    }
  }
}

extension DatabaseCheck {
  /// All derived tables but the statistics, those that take longest to compute first.
  var derivedRows: [ExpectedRows] {
    let queried = schema.derivedTables + (schema.statistics?.derivedTables ?? [])
    let unions = schema.keyUnions.map { union in
      ExpectedRows(union.derivedTable, from: union.members.map(\.table).joined(separator: " or "))
    }
    return queried.map { ExpectedRows($0) } + unions
  }

  /// The faults of all statistics, whose queries share temporary tables.
  func statisticsFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    guard let statistics = schema.statistics else { return [] }
    for (name, query) in statistics.shared {
      try connection.execute("CREATE TEMPORARY TABLE \(identifier: name) AS \(sql: query)")
    }
    var found: [String] = []
    for table in statistics.tables {
      found += try faults(of: ExpectedRows(table, from: statistics.source.name), on: connection)
    }
    return found
  }

  func faults(of rows: ExpectedRows, on connection: Connection) throws(SQLiteError) -> [String] {
    var faults: [String] = []
    let other = try DatabaseFile.openUntrusted(path)
    _ = try mapError(
      connection.rowDifferences(
        of: rows.expected, keyColumns: rows.key.count, from: other, asked: rows.stored
      ) { change in
        if faults.count < Self.maximumFaults { faults += rows.faults(of: change) }
      }, as: \ComparisonError.cause)
    try other.close()
    return faults
  }

  func searchFaults(
    ofFileOf bytes: Int, on connection: Connection
  ) throws(SQLiteError) -> [String] {
    guard let search = try connection.search(in: schema) else { return [] }
    let faults = try faults(
      of: ExpectedRows(
        search.entriesDescription, search.allEntries, from: "the query that fills it"),
      on: connection)
    do throws(SQLiteError) {
      try Connection.checkSearch(search, ofFileAt: path, of: bytes)
    } catch {
      // A damaged table may have a key twice, which its copy cannot.
      guard [.corrupt, .constraint, .full].contains(error.code) else { throw error }
      return faults + [
        "\(search.indexTable): does not match the words in the rows of \(search.entriesTable)"
      ]
    }
    return faults
  }
}

extension WorkLimit {
  /// More work than a sound database takes; malicious rows can refer to one another in enough ways to never end.
  static func deriving(fromFileOf bytes: Int) -> WorkLimit {
    WorkLimit(steps: 100_000_000 + 20 * bytes, pages: .max)
  }
}
