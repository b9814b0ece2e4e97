import Platform

/// When a source file was written, according to its gzip header or ZIP directory.
package struct SourceTime: Hashable, Sendable {
  /// Seconds since 1970.
  package let seconds: Int
  /// True for a time of gzip; the time zone of a ZIP archive is unknown.
  package let isUTC: Bool

  /// The time in ISO 8601, with a Z only in UTC.
  package var text: String { isUTC ? utc(seconds) : zoneless(seconds) }

  package var day: String { String(text.prefix(10)) }

  /// Whether both are by clocks that can be compared, and this one is earlier.
  package func isEarlier(than other: SourceTime) -> Bool {
    isUTC == other.isUTC && seconds < other.seconds
  }

  /// The seconds from this time to `now`, in seconds since 1970; 0 for one that is later by up to a day, as in
  /// another time zone; nil for one in the future, from which no age follows.
  package func age(at now: Int) -> Int? { isFuture(at: now) ? nil : max(now - seconds, 0) }

  /// Whether the time is later than `now` by more than a day: the clock of the program that wrote the file was wrong.
  package func isFuture(at now: Int) -> Bool { seconds > now + 86_400 }
}

extension SourceTime {
  /// The time of gzip, else that of ZIP; nil if neither is known.
  init?(gzip: UInt32?, zip: Int?) {
    guard let seconds = gzip.map({ Int($0) }) ?? zip else { return nil }
    self.init(seconds: seconds, isUTC: gzip != nil)
  }
}

extension SourceCounts {
  /// When the file was written; nil if neither gzip nor ZIP states it.
  package var time: SourceTime? { SourceTime(gzip: gzip?.timeStamp, zip: zip?.localTime) }
}

extension TableCounts {
  /// The source file that was written last, without repairs; nil if no file states a time.
  package var newestSource: (file: String, time: SourceTime)? { stampedSources.newest }

  /// The same, without files that state a time in the future.
  func newestSource(at now: Int) -> (file: String, time: SourceTime)? {
    stampedSources.filter { !$0.time.isFuture(at: now) }.newest
  }

  fileprivate var stampedSources: [(file: String, time: SourceTime)] {
    sources.filter { !$0.isRepairs }.compactMap { source in source.time.map { (source.name, $0) } }
  }
}

extension [(file: String, time: SourceTime)] {
  fileprivate var newest: Element? { self.max { $0.time.seconds < $1.time.seconds } }
}

extension [TableCounts] {
  /// The date of the data: when the newest source file was written; nil if no file states a time.
  package var dataTime: SourceTime? {
    compactMap { $0.newestSource?.time }.max { $0.seconds < $1.seconds }
  }

  /// The date of the data, without files that state a time in the future.
  package func dataTime(at now: Int) -> SourceTime? {
    compactMap { $0.newestSource(at: now)?.time }.max { $0.seconds < $1.seconds }
  }

  /// The source files that state a time in the future.
  package func futureSources(at now: Int) -> [(file: String, time: SourceTime)] {
    flatMap(\.stampedSources).filter { $0.time.isFuture(at: now) }
  }
}
