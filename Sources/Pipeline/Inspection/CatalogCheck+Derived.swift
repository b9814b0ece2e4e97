import SQLiteDestination
import SQLiteFormat
import SQLiteSwiftly
import Schema

/// A derived table, and a query for its expected rows.
struct ExpectedRows: Sendable {
  let table: TableDescription
  let query: SQL
  let origin: String
  /// The expressions that are compared, one for each column.
  let columns: [String]

  init(
    _ table: TableDescription, _ query: SQL, from origin: String,
    as expression: (String) -> String = quoted(identifier:)
  ) {
    self.table = table
    self.query = query
    self.origin = origin
    columns = table.columns.map { expression($0.name) }
  }

  /// The positions of the key columns, or of all columns in a table without a key.
  var key: [Int] {
    table.primaryKey.isEmpty
      ? Array(table.columns.indices) : table.primaryKey.compactMap(table.columnIndex)
  }

  /// The positions of all columns, those of the key first.
  var order: [Int] { key + table.columns.indices.filter { !key.contains($0) } }

  var stored: SQL {
    sorted(order.map { columns[$0] }, from: "main.\(quoted(identifier: table.name))")
  }

  /// The expected rows, in the same order.
  var expected: SQL {
    let names = table.columns.map { quoted(identifier: $0.name) }
    let rows = sorted(order.map { names[$0] }, from: "expected")
    return SQL(
      generated: "WITH expected (\(names.joined(separator: ", "))) AS (\(query.text)) \(rows.text)")
  }

  private func sorted(_ columns: [String], from rows: String) -> SQL {
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

extension CatalogCheck {
  /// All derived tables, those that take longest to compute first.
  var derivedRows: [ExpectedRows] {
    let statistics = schema.aggregates.flatMap { aggregate in
      aggregate.queries.map { table, query in
        ExpectedRows(table, query, from: aggregate.source) {
          aggregate.comparable($0, of: table)
        }
      }
    }
    let unions = schema.keyUnions.map { union in
      ExpectedRows(
        union.table, union.derivedTable.query,
        from: union.members.map(\.table).joined(separator: " or "))
    }
    let others = schema.derivedTables + schema.aggregates.flatMap(\.derivedTables)
    return statistics
      + others.map { ExpectedRows($0.table, $0.query, from: "the query that fills it") }
      + unions
  }

  func faults(of rows: ExpectedRows, on connection: Connection) throws(SQLiteError) -> [String] {
    var faults: [String] = []
    let other = try CatalogFile.openUntrusted(path)
    do throws(ComparisonError) {
      _ = try connection.rowDifferences(
        of: rows.expected, keyColumns: rows.key.count, from: other, asked: rows.stored
      ) { change in
        if faults.count < Self.maximumFaults { faults += rows.faults(of: change) }
      }
    } catch {
      switch error {
      case .old(let error), .new(let error): throw error
      }
    }
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
