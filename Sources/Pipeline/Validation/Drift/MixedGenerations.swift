package import Facts

extension Warning {
  private typealias Stamped = (table: String, file: String, time: SourceTime)

  /// The most seconds between the source files of one day, which are written within half a minute.
  private static let mostSecondsApart = 3600

  /// A warning if source files are from different days.
  ///
  /// Gzip times are in UTC and ZIP times in an unknown time zone, so they are only compared with their own kind.
  package static func mixedGenerations(in tables: [TableCounts]) -> Warning? {
    let stamped: [Stamped] = tables.flatMap { counts in
      counts.sources.compactMap { source in
        source.time.map { (counts.table, source.name, $0) }
      }
    }
    return mixedGenerations(of: stamped.filter(\.time.isUTC))
      ?? mixedGenerations(of: stamped.filter { !$0.time.isUTC })
  }

  private static func mixedGenerations(of stamped: [Stamped]) -> Warning? {
    guard let oldest = stamped.min(by: { $0.time.isEarlier(than: $1.time) }),
      let newest = stamped.max(by: { $0.time.isEarlier(than: $1.time) }),
      newest.time.seconds - oldest.time.seconds > mostSecondsApart
    else { return nil }
    let (first, last) = (oldest.time.text, newest.time.text)
    return Warning(
      file: oldest.file, code: .mixedGenerations, table: oldest.table,
      "compressed at \(first), but \(newest.file) at \(last): the source files may be from different "
        + "days; download all of them again together",
      facts: "\(first) to \(last)")
  }
}
