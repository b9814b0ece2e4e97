import ReferenceLoops
import SQLiteSwiftly

/// The reference's side of a comparison: loops in C on a database of their own.
@safe final class ReferenceDatabase {
  private var handle: OpaquePointer?

  /// Makes a database, and runs `setup` on it.
  init(_ path: String, setup: String) throws {
    try check(unsafe reference_open(path, setup, &handle))
  }

  deinit { unsafe reference_close(handle) }

  /// Prepares the statement of the loops that follow.
  func prepare(_ sql: SQL) throws { try check(unsafe reference_prepare(handle, sql.text)) }

  /// Inserts rows of integers, which stand one after the other.
  func insert(_ values: [Int64], columns: Int) throws {
    let code = unsafe values.withUnsafeBufferPointer { values in
      unsafe reference_insert_integers(
        handle, values.baseAddress, values.count / columns, Int32(columns))
    }
    try check(code)
  }

  /// Inserts parts, whose texts stand in `arena`, so many of them with each run of the statement.
  func insert(_ parts: [reference_part], arena: [UInt8], rowsPerStatement: Int = 1) throws {
    let code = unsafe parts.withUnsafeBufferPointer { parts in
      unsafe arena.withUnsafeBufferPointer { arena in
        unsafe reference_insert_parts(
          handle, parts.baseAddress, parts.count, arena.baseAddress, rowsPerStatement)
      }
    }
    try check(code)
  }

  /// Inserts parts from the virtual table, `rowsPerStatement` with each run of the statement.
  func insertFromTable(
    _ parts: [reference_part], arena: [UInt8], rowsPerStatement: Int
  ) throws {
    let code = unsafe parts.withUnsafeBufferPointer { parts in
      unsafe arena.withUnsafeBufferPointer { arena in
        unsafe reference_insert_parts_from_table(
          handle, parts.baseAddress, parts.count, arena.baseAddress, rowsPerStatement)
      }
    }
    try check(code)
  }

  /// Reads all rows of integers.
  func readIntegers(columns: Int) throws -> Sums {
    var sums = reference_sums()
    try check(unsafe reference_read_integers(handle, Int32(columns), &sums))
    return Sums(sums)
  }

  /// Reads all parts.
  func readParts() throws -> Sums {
    var sums = reference_sums()
    try check(unsafe reference_read_parts(handle, &sums))
    return Sums(sums)
  }

  /// Reads all parts into an array.
  func readPartModels() throws -> Sums {
    var sums = reference_sums()
    try check(unsafe reference_read_part_models(handle, &sums))
    return Sums(sums)
  }

  /// The sums that a query computes.
  func sums(_ query: SQL) throws -> Sums {
    var sums = reference_sums()
    try check(unsafe reference_query_sums(handle, query.text, &sums))
    return Sums(sums)
  }

  private func check(_ code: Int32) throws {
    guard code == 0 else {
      let message = unsafe String(cString: reference_message(handle))
      throw Failure.fault("the reference failed: \(message) (SQLite code \(code))")
    }
  }
}
