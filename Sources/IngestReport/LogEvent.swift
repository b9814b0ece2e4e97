import Platform
import Text
package import Glibc

/// An event in the log of a run: a line of text for people, or of JSON for programs.
package struct LogEvent: Sendable {
  /// The severity, with the numbers of syslog(3).
  package enum Level: Int, CaseIterable, Sendable {
    case error = 3
    case warning = 4
    case info = 6
  }

  enum Kind: String, CaseIterable {
    case waiting, changed, distributed, reject
    case moreRejects = "more_rejects"
    case warning, table, stage, failure, end
  }

  package let level: Level
  /// The line for people: the place and the message.
  package let text: String
  private let fields: [String: JSON]

  /// Creates an event from the fields that have a value; the text is the place, the message and the advice.
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

  /// The line for programs, a JSON object; see `log.schema.json`.
  ///
  /// Fields that do not apply are omitted. `run` is the same for all events of a run, and differs between runs.
  package func json(of run: String, at time: timespec = currentTime()) -> String {
    JSON(fields.merging(["run": JSON(run), "time": JSON(utc(time))]) { $1 }).line
  }
}

extension JSON {
  /// The value on the one line of a record for programs.
  var line: String { written(as: .record) }
}
