import SQLiteDestination
import Vocabulary
import SQLiteSwiftly
import Schema

/// Only the writing side of a run: rows are inserted into a new file.
struct WritingStage: ~Copyable {
  private var writer: DatabaseWriter

  /// Opens the empty file at `path` and creates the tables, without their secondary indexes.
  init(_ path: String, schema: SchemaDescription) throws(SQLiteError) {
    writer = try DatabaseWriter(path, schema: schema, recorder: RunRecorder { _ in })
  }

  /// The settings that the file is written with, as statements that make them anywhere else.
  borrowing func settings() throws(SQLiteError) -> [SQL] {
    let names = [
      "page_size", "journal_mode", "synchronous", "locking_mode", "cache_size", "temp_store",
      "foreign_keys",
    ]
    return try names.map { name throws(SQLiteError) in
      let rows = try writer.connection.query(SQL(generated: "PRAGMA \(name)"))
      let value =
        switch rows.first?.first {
        case .integer(let number): "\(number)"
        case .text(let word): word
        default: ""
        }
      return SQL(generated: "PRAGMA \(name) = \(value)")
    }
  }

  /// Inserts rows of the table at this place in the schema.
  mutating func insert(_ batch: borrowing RowBatch, table: Int) throws(SQLiteError) {
    try writer.insert(batch, table: table)
  }

  /// Ends a table: what was inserted is committed.
  mutating func end(table: Int) throws(SQLiteError) {
    try writer.end(table: table)
  }
}
