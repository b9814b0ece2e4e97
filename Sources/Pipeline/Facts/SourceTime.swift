import Files

/// When a source file was written, according to its gzip header or ZIP directory.
package enum SourceTime: Hashable, Sendable {
  /// Seconds since 1970 in UTC (gzip).
  case utc(Int)
  /// Seconds since 1970 by a clock whose time zone is unknown (ZIP).
  case local(Int)

  package var seconds: Int {
    switch self {
    case .utc(let seconds), .local(let seconds): seconds
    }
  }

  /// The time in ISO 8601, with a Z only in UTC.
  package var text: String {
    switch self {
    case .utc(let seconds): Files.utc(seconds)
    case .local(let seconds): zoneless(seconds)
    }
  }

  package var day: String { String(text.prefix(10)) }

  /// Whether both are by clocks that can be compared, and this one is earlier.
  package func isEarlier(than other: SourceTime) -> Bool {
    switch (self, other) {
    case (.utc(let first), .utc(let second)), (.local(let first), .local(let second)):
      first < second
    default: false
    }
  }

  /// The seconds from this time to `now`, in seconds since 1970; 0 for a time in the future.
  package func age(at now: Int) -> Int { max(now - seconds, 0) }
}

extension SourceCounts {
  /// When the file was written; nil if neither gzip nor ZIP states it.
  package var time: SourceTime? {
    if let stamp = gzip?.timeStamp { return .utc(Int(stamp)) }
    return zip?.localTime.map { .local($0) }
  }
}

extension TableCounts {
  /// The source file that was written last, without repairs; nil if no file states a time.
  package var newestSource: (file: String, time: SourceTime)? {
    sources.filter { !$0.isRepaired }.compactMap { source in
      source.time.map { (source.name, $0) }
    }.max { $0.1.seconds < $1.1.seconds }
  }
}

extension [TableCounts] {
  /// The date of the data: when the newest source file was written; nil if no file states a time.
  package var dataTime: SourceTime? {
    compactMap { $0.newestSource?.time }.max { $0.seconds < $1.seconds }
  }
}

/// A duration in days, or in hours below two days: `3 days`, `1 hour`.
package func words(forSeconds seconds: Int) -> String {
  seconds < 2 * 86_400 ? (seconds / 3600).of("hour") : (seconds / 86_400).of("day")
}
