import SQLiteSwiftly
import TestSupport

/// Changes to the rows of a table that random numbers decide on.
///
/// Its first column is an integer that no two rows share.
struct RandomChanges {
  let table: TableDescription
  let connection: Connection
  private var random: SeededGenerator

  init(_ table: TableDescription, _ connection: Connection, seed: UInt64) {
    self.table = table
    self.connection = connection
    random = SeededGenerator(seed: seed)
  }

  /// Makes some changes.
  mutating func make() throws {
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      switch Int.random(in: 0...9, using: &random) {
      case 0...1: try execute("DELETE FROM t WHERE \(someRows)")
      case 2...3: try insert()
      case 4: try rewrite()
      default: try update()
      }
    }
  }

  private func execute(_ text: String) throws { try connection.execute(SQL(generated: text)) }

  /// A condition that some rows have, sometimes all or none.
  private var someRows: String {
    mutating get {
      let modulus = [1, 2, 3, 10, 100][Int.random(in: 0..<5, using: &random)]
      let rest = Int.random(in: 0..<modulus, using: &random)
      let comparison = Bool.random(using: &random) ? "=" : ["<>", "<", ">"][rest % 3]
      return "abs(c0 / 3) % \(modulus) \(comparison) \(rest)"
    }
  }

  /// Inserts rows between the existing ones, or after all of them.
  private mutating func insert() throws {
    let distance = [1, 2, 1 << 20, -1 << 40][Int.random(in: 0..<4, using: &random)]
    let others = table.columns.dropFirst().map { quoted(identifier: $0.name) }
    let columns = (["c0 + \(distance)"] + others).joined(separator: ", ")
    // An integer key stays one, even near the ends of its range.
    let fits = "(typeof(c0) <> 'integer' OR typeof(c0 + \(distance)) = 'integer')"
    try execute("INSERT OR IGNORE INTO t SELECT \(columns) FROM t WHERE \(fits) AND \(someRows)")
  }

  /// Writes the file anew, sometimes with pages of another size.
  private mutating func rewrite() throws {
    let size = 512 << Int.random(in: 0...7, using: &random)
    if Bool.random(using: &random) { try execute("PRAGMA page_size = \(size)") }
    try connection.execute("VACUUM")
  }

  private mutating func update() throws {
    guard let column = table.columns.randomElement(using: &random) else { return }
    let name = quoted(identifier: column.name)
    var values = column.type == .text ? Self.texts : Self.integers
    if !table.requires(column) { values += ["NULL", "NULL"] }
    let isRowid = table.keyIsRowid && table.primaryKey[0] == column.name
    // A table that is not strict accepts values of any type, except as rowids.
    if !table.isStrict && !isRowid { values += Self.anything }
    let value = (values.randomElement(using: &random) ?? "?")
      .replacing("VALUE", with: name)
    try execute("UPDATE OR IGNORE t SET \(name) = \(value) WHERE \(someRows)")
  }

  private static let texts = [
    "''", "VALUE || 'x'", "substr(VALUE, 1, 3)", "'0' || VALUE", "VALUE || char(0)", "'same'",
    "VALUE || hex(zeroblob(400))", "VALUE || hex(randomblob(3))", "c0", "hex(zeroblob(40000))",
  ]

  private static let integers = [
    "~VALUE", "VALUE & 255", "VALUE >> 8", "VALUE | 1", "0", "1", "c0", "-9223372036854775808",
    "(c0 & 7) << 45",
  ]

  private static let anything = [
    "1.5", "VALUE + 0.25", "-1e300", "9007199254740993.0", "2.0", "c0 + 0.5", "x''", "x'00ff'",
    "CAST(VALUE AS BLOB)", "CAST(VALUE AS TEXT)", "'text'", "zeroblob(c0 & 4095)", "9e999",
  ]
}
