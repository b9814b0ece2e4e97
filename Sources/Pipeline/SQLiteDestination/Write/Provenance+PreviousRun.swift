import Facts
import SQLiteSwiftly

extension Provenance {
  /// The columns of `ingest_sources` that `PreviousRun.Source` is made of, in its order.
  package static let previousColumns =
    "table_name, file_name, gzip_time_stamp, zip_local_time, records"

  /// The run that wrote a database, in which anybody may have stored anything; nil if it does not record one.
  static func previousRun(in connection: Connection) throws(SQLiteError) -> PreviousRun? {
    guard try isComplete(in: connection) else { return nil }
    let rows = try connection.query(
      SQL(generated: "SELECT \(previousColumns) FROM main.ingest_sources WHERE NOT is_repaired"))
    return PreviousRun(
      sources: rows.map { row in
        func integer(_ place: Int) -> Int? { row[place].integerValue.map { Int($0) } }
        return PreviousRun.Source(
          table: row[0].textValue ?? "", file: row[1].textValue ?? "", gzipTime: integer(2),
          zipTime: integer(3), records: max(integer(4) ?? 0, 0))
      })
  }
}
