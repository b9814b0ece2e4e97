/// The positions of a description's columns in the rows of a result.
struct TableLayout {
  private let table: TableDescription
  /// The position in the row of each column, in the order of the description.
  private let order: [Int]
  private let places: [String: Int]
  private let sql: String

  /// The columns of the result must be those of `table`, in any order.
  init(
    of columns: [String], agreeingWith table: TableDescription, sql: String
  ) throws(SQLiteError) {
    self.table = table
    self.sql = sql
    var order: [Int] = []
    for column in table.columns {
      let places = columns.indices.filter { areSameName(columns[$0], column.name) }
      guard places.count == 1 else {
        let problem = places.isEmpty ? "is missing from the result" : "occurs twice in the result"
        throw SQLiteError(.misuse, "column \(column.name) of \(table.name) \(problem)", sql: sql)
      }
      order += places
    }
    if let extra = columns.indices.first(where: { !order.contains($0) }) {
      throw SQLiteError(
        .misuse,
        "column \(columns[extra]) of the result is not in the description of "
          + table.name, sql: sql)
    }
    self.order = order
    let names = table.columns.map(\.name)
    places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }

  func read(_ values: [SQLiteValue], number: Int) throws(SQLiteError) -> TableRow {
    for (column, place) in zip(table.columns, order) {
      let isUnconverted = column.type == .real && values[place].integerValue != nil
      guard isUnconverted || !column.accepts(values[place]) else { continue }
      throw SQLiteError(
        .mismatch,
        "row \(number), column \(column.name): expected \(column.phrase), "
          + "found \(values[place].phrase)", sql: sql)
    }
    return TableRow(places: places, values: order.map { values[$0] })
  }
}

extension ColumnDescription {
  fileprivate var phrase: String {
    let phrase =
      switch type {
      case .integer: StorageClass.integer.phrase
      case .real: StorageClass.real.phrase
      case .text: StorageClass.text.phrase
      case .blob: StorageClass.blob.phrase
      case .boolean: "0 or 1"
      }
    return isNullable ? phrase + " or NULL" : phrase
  }
}

extension SQLiteValue {
  fileprivate var phrase: String {
    if case .integer(let value) = self { "the integer \(value)" } else { storageClass.phrase }
  }
}
