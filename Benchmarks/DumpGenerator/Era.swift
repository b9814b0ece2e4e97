/// The format of a set of files, by its time.
public enum Era: String, CaseIterable, Sendable {
  /// The format since February 2025: CRLF, `True`/`False`, images, design ids, color statistics.
  case today
  /// The format of June 2020: LF, `t`/`f`, and the material of a part as a number.
  case june2020 = "2020"

  /// The line terminator.
  var lineEnd: String { self == .today ? "\r\n" : "\n" }

  /// The last year in which a set came out.
  var lastYear: Int { self == .today ? 2026 : 2020 }

  /// How the two truth values are spelled.
  func spelling(of flag: Bool) -> String {
    switch self {
    case .today: flag ? "True" : "False"
    case .june2020: flag ? "t" : "f"
    }
  }
}
