import SQLiteDestination
import SQLiteFormat
import SQLiteSwiftly
import Schema

/// A table that follows from others, and a query for the rows that it must have.
struct ExpectedRows: Sendable {
  let table: TableDescription
  /// The query, with a column for each of the table's.
  let query: SQL
  /// What has the rows, in words.
  let origin: String
  /// For each column, the expression by which it is compared.
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

  /// The places of the columns by which rows are told apart; those of all if there is no key.
  var key: [Int] {
    table.primaryKey.isEmpty
      ? Array(table.columns.indices) : table.primaryKey.compactMap(table.columnIndex)
  }

  /// The places of all columns, those of the key first.
  var order: [Int] { key + table.columns.indices.filter { !key.contains($0) } }

  /// The query for the rows that are there, sorted by the key.
  var stored: SQL {
    sorted(order.map { columns[$0] }, from: "main.\(quoted(identifier: table.name))")
  }

  /// The query for the rows that must be there, in the same order.
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

  /// What is wrong with a row, in words: a line, or one for each column.
  func faults(of change: RowChange) -> [String] {
    let place = "\(table.name) (\(change.key.map(\.literal).joined(separator: ", ")))"
    return switch change.kind {
    case .added: ["\(place): is missing, and expected since \(origin) has it"]
    case .removed: ["\(place): was found, and not expected since \(origin) does not have it"]
    case .changed:
      change.fields.map { field in
        let column = table.columns[order[key.count + field.column]].name
        return "\(place), column \(column): \(field.before.literal) was found, and expected is "
          + "\(field.after.literal)"
      }
    }
  }
}

extension CatalogCheck {
  /// All tables that follow from others, those that take longest to work out first.
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

  /// The rows of a derived table that do not follow from those of the others, and those that it lacks.
  func faults(of rows: ExpectedRows, on connection: Connection) throws(SQLiteError) -> [String] {
    var faults: [String] = []
    try Connection.reading(path) { other throws(SQLiteError) in
      do throws(ComparisonError) {
        _ = try connection.rowDifferences(
          of: rows.expected, keyColumns: rows.key.count, from: other, asked: rows.stored
        ) { change in
          if faults.count < Self.mostFaults { faults += rows.faults(of: change) }
        }
      } catch {
        switch error {
        case .old(let error), .new(let error): throw error
        }
      }
    }
    return faults
  }

  /// Whether the search has what is to be found, and its index the words of that.
  func searchFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    guard let search = try connection.search(in: schema) else { return [] }
    let faults = try faults(
      of: ExpectedRows(
        search.entriesDescription, search.allEntries, from: "the query that fills it"),
      on: connection)
    do throws(SQLiteError) {
      try Connection.checkSearch(search, ofFileAt: path)
    } catch {
      // What is damaged may have a key twice, which a copy cannot.
      guard error.code == .corrupt || error.code == .constraint else { throw error }
      return faults + [
        "\(search.indexTable): has not the words of the rows of \(search.entriesTable)"
      ]
    }
    return faults
  }
}

extension WorkLimit {
  /// More than it takes to work out the derived tables of a sound database of that many bytes.
  ///
  /// Rows that were made for it can lead to others in more ways than can be counted.
  static func deriving(fromFileOf bytes: Int) -> WorkLimit {
    WorkLimit(steps: 100_000_000 + 20 * bytes, pages: .max)
  }
}
