import AllocationCounter
import RebrickableCatalog
import SQLiteSwiftly
import Schema

/// The pipeline's hot path, from gzip to tables, in a process of its own that counts allocations.
///
/// Indexes, statistics and verification are left out, for which SQLite allocates as it needs.
struct TableFilling {
  /// The first argument of a process that does this and nothing else.
  static let argument = "fill-the-tables"

  /// The calls that gave out memory, but for those of SQLite.
  let allocations: Int
  /// SQLite's.
  let allocationsOfSQLite: Int

  /// Fills the tables of a new file at `output` from the dumps of a folder.
  init(by executable: String, _ source: String, _ output: String) throws {
    let outcome = try ChildProcess.run(executable, [Self.argument, source, output])
    let numbers = try outcome.numbers(2, from: "the counting")
    let (all, sqlite) = (numbers[0], numbers[1])
    allocations = all - sqlite
    allocationsOfSQLite = sqlite
  }

  /// What that process does: loads, and tells all allocations and those of SQLite.
  static func run(_ arguments: some Collection<String>) throws {
    let arguments = Array(arguments)
    guard arguments.count == 2 else { throw Failure.usage("filling the tables needs two paths") }
    guard count_allocations_of_sqlite() else {
      throw Failure.fault("cannot count SQLite's allocations")
    }
    SQLiteLibrary.disableMemoryStatistics()
    try makeEmptyFile(arguments[1])
    let (all, sqlite) = (allocation_count(), allocation_count_of_sqlite())
    var writing = try WritingStage(arguments[1], schema: schema)
    var last = 0
    _ = try ReadingStage(schema, source: arguments[0]).run { batch, table throws(SQLiteError) in
      if table != last { try writing.end(table: last) }
      last = table
      try writing.insert(batch, table: table)
    }
    try writing.end(table: last)
    let counts = (allocation_count() - all, allocation_count_of_sqlite() - sqlite)
    try Output.results.write("\(counts.0) \(counts.1)")
  }

  /// The catalog without indexes other than those that the tables are ordered by.
  private static var schema: SchemaDescription {
    let whole = RebrickableCatalog.schema
    let tables = whole.tables.map { table in
      TableDescription(
        table.name, columns: table.columns, primaryKey: table.primaryKey,
        foreignKeys: table.foreignKeys)
    }
    return SchemaDescription(
      tables: tables, keyUnions: whole.keyUnions, applicationID: whole.applicationID,
      version: whole.version)
  }
}
