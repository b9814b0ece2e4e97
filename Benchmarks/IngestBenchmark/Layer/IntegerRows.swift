import DumpGenerator
import SQLiteSwiftly

/// Rows of ten integers, from small ones to those that need all 64 bits.
struct IntegerRows {
  static let columns = 10
  private static let names = (0..<columns).map { "c\($0)" }

  static let table = TableDescription(
    "numbers", columns: names.map { ColumnDescription($0, .integer) }, primaryKey: ["c0"])
  // Not the description's own definition: without a key and checks, SQLite itself has least to do,
  // and what is around it shows most.
  static let creation = SQL(
    generated: "CREATE TABLE numbers (\(names.map { "\($0) INTEGER" }.joined(separator: ", ")))")
  static let insertion = SQL(
    generated: "INSERT INTO numbers VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))")
  static let selection = SQL(
    generated: "SELECT \(names.joined(separator: ", ")) FROM numbers")
  static let sums = SQL(
    generated: "SELECT count(*), sum(\(names.joined(separator: " + "))), 0 FROM numbers")

  /// The integers, row by row.
  let values: [Int64]

  init(count: Int) {
    var random = SplitMix64(seed: 0)
    values = (0..<count * Self.columns).map { _ in
      // 41 bits at most, so that no sum overflows.
      let bits = Int.random(in: 1...41, using: &random)
      return Int64.random(in: 0..<1 << bits, using: &random)
    }
  }

  /// What must be found in the table.
  var expected: Sums {
    Sums(rows: Int64(values.count / Self.columns), integers: values.reduce(0, +))
  }

  /// The rows as an `InsertStatement` takes them.
  func made() -> [[SQLiteValue]] {
    stride(from: 0, to: values.count, by: Self.columns).map { start in
      values[start..<start + Self.columns].map { .integer($0) }
    }
  }
}
