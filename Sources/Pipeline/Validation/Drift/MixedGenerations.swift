package import Facts
import Files

extension Warning {
  /// The seconds by which the dumps of one day may be apart: they are written within half a minute.
  private static let secondsOfOneGeneration = 3600

  /// The times of gzip are in UTC, those of ZIP archives in a time zone that is not known, so they are
  /// compared only with their like.
  package static func mixedGenerations(in accounts: [TableCounts]) -> Warning? {
    mixedGenerations(in: accounts, by: { $0.gzip?.timeStamp.map { Int($0) } }, shown: utc)
      ?? mixedGenerations(in: accounts, by: { $0.zip?.localTime }, shown: zoneless)
  }

  private static func mixedGenerations(
    in accounts: [TableCounts], by time: (SourceCounts) -> Int?, shown: (Int) -> String
  ) -> Warning? {
    let stamped = accounts.flatMap { account in
      account.sources.compactMap { source in
        time(source).map { (table: account.table, file: source.name, time: $0) }
      }
    }
    guard let oldest = stamped.min(by: { $0.time < $1.time }),
      let newest = stamped.max(by: { $0.time < $1.time }),
      newest.time - oldest.time > secondsOfOneGeneration
    else { return nil }
    let (first, last) = (shown(oldest.time), shown(newest.time))
    return Warning(
      file: oldest.file, code: .mixedGenerations, table: oldest.table,
      "compressed at \(first), but \(newest.file) at \(last): the dumps may not belong together; "
        + "download all of them again, at one time",
      facts: "\(first) to \(last)")
  }
}
