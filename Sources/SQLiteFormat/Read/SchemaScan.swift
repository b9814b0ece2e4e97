import Platform
package import SQLiteSwiftly
import Text

/// Checks the schema of a file of any origin before SQLite reads it.
///
/// SQLite parses every definition, keeps the result in memory, which can take ninety times the bytes
/// of the text, and queries the statistics.
package enum SchemaScan {
  private static let mostBytes = 1 << 20
  private static let mostObjects = 50_000
  /// The tables that `ANALYZE` creates, and the names that SQLite reads statistics from.
  private static let statistics = [
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
  ].map { Array($0.utf8) }
  /// The places of the name and the definition in a row of the schema.
  private static let (name, definition, columns) = (1, 4, 5)

  /// Throws if SQLite should not open the file, which must have no write-ahead log; the caller keeps the descriptor.
  package static func check(_ descriptor: Int32) throws(SQLiteError) {
    let fault: String?
    do throws(DatabaseError) {
      fault = try self.fault(in: descriptor)
    } catch {
      switch error {
      case .file(let error): throw SQLiteError(.inputOutput, error.message)
      case .damaged, .duplicate: fault = "its schema is damaged or larger than 1 MiB"
      }
    }
    if let fault { throw SQLiteError(.corrupt, fault) }
  }

  private static func fault(in descriptor: Int32) throws(DatabaseError) -> String? {
    let isDatabase = try mapError(DatabaseHeader(ofAny: descriptor) != nil, as: DatabaseError.file)
    // SQLite reports what is not a database.
    guard isDatabase else { return nil }
    let header = try mapError(DatabaseHeader(ofReadable: descriptor), as: DatabaseError.file)
    guard let header else { return "another program has changed its encoding" }
    var rows = try TreeCursor(
      descriptor, within: header, .rowids, root: 1, longestRecord: 2 * mostBytes)
    var values = RecordValues(count: columns)
    var (bytes, objects) = (0, 0)
    while try rows.next() {
      guard values.find(in: rows.record, of: rows.bytes) else { throw .damaged }
      bytes += rows.record.count
      objects += 1
      guard bytes <= mostBytes, objects <= mostObjects else {
        return "its schema is larger than 1 MiB, or has more than 50,000 objects"
      }
      if case .text(let name) = values.value(name, in: rows.bytes),
        name.hasNamePrefix("sqlite_stat")
      {
        guard case .text(let sql) = values.value(definition, in: rows.bytes),
          statistics.contains(Array(sql.utf8))
        else { return "its statistics are not those of SQLite" }
      }
    }
    return nil
  }
}
