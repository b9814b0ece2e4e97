package import Facts
import Files

extension Warning {
  /// The most seconds between the source files of one day, which are written within half a minute.
  private static let mostSecondsApart = 3600

  /// A warning if source files are from different days.
  ///
  /// Gzip times are in UTC and ZIP times in an unknown time zone, so they are only compared with their own kind.
  package static func mixedGenerations(in tables: [TableCounts]) -> Warning? {
    mixedGenerations(in: tables, by: { $0.gzip?.timeStamp.map { Int($0) } }, shown: utc)
      ?? mixedGenerations(in: tables, by: { $0.zip?.localTime }, shown: zoneless)
  }

  private static func mixedGenerations(
    in tables: [TableCounts], by time: (SourceCounts) -> Int?, shown: (Int) -> String
  ) -> Warning? {
    let stamped = tables.flatMap { counts in
      counts.sources.compactMap { source in
        time(source).map { (table: counts.table, file: source.name, time: $0) }
      }
    }
    guard let oldest = stamped.min(by: { $0.time < $1.time }),
      let newest = stamped.max(by: { $0.time < $1.time }),
      newest.time - oldest.time > mostSecondsApart
    else { return nil }
    let (first, last) = (shown(oldest.time), shown(newest.time))
    return Warning(
      file: oldest.file, code: .mixedGenerations, table: oldest.table,
      "compressed at \(first), but \(newest.file) at \(last): the source files may be from different "
        + "days; download all of them again together",
      facts: "\(first) to \(last)")
  }
}
