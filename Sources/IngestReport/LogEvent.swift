import Quarantine
import Validation
import Files
import JSON
package import Glibc

/// One thing that is told of a run: a line of text for people, or one of JSON for programs.
package struct LogEvent: Sendable {
  /// How much it matters, by the numbers of syslog(3).
  package enum Level: Int, CaseIterable, Sendable {
    case error = 3
    case warning = 4
    case info = 6
  }

  /// What it is that is told.
  enum Kind: String, CaseIterable {
    case waiting, changed, reject
    case moreRejects = "more_rejects"
    case warning, table, stage, failure, end
  }

  package let level: Level
  /// The line for people, with the place in front of the message.
  package let text: String
  private let fields: [String: JSON]

  /// Makes an event of what has a value in `fields`; people get the place in front of the message, and advice after it.
  init(
    _ kind: Kind, _ level: Level, at place: String?, message: String, advice: String = "",
    _ fields: [String: JSON?] = [:]
  ) {
    self.level = level
    text = (place.map { $0 + ": " } ?? "") + message + advice
    self.fields = fields.compactMapValues(\.self).merging([
      "event": JSON(kind.rawValue), "level": JSON("\(level)"), "message": JSON(message),
    ]) { $1 }
  }

  /// The line for programs, as `log.schema.json` describes it: an object without what does not apply.
  ///
  /// All events of a run have `run` in common, and those of other runs do not.
  package func json(of run: String, at time: timespec = currentTime()) -> String {
    JSON(fields.merging(["run": JSON(run), "time": JSON(utc(time))]) { $1 }).line
  }
}

extension JSON {
  /// The value on the one line of a record for programs.
  var line: String { written(as: .record) }
}
