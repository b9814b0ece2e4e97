package import Vocabulary
import Text

extension PublishingChoice {
  /// The mode and the reason, such as `merge, since the published tables can take the rows`.
  package var words: String { "\(mode.rawValue), since \(reason.words)" }

  var json: JSON { ["mode": JSON(mode.rawValue), "reason": JSON(reason.words)] }
}

extension PublishingChoice.Reason {
  fileprivate var words: String {
    switch self {
    case .requested: "--publish requests it"
    case .firstLoad: "the schema does not exist yet"
    case .previousKept: "--keep-previous keeps the published schema"
    case .distributed: "Citus distributes the tables"
    case .tablesFit(0): "the published tables can take the rows"
    case .tablesFit(let additions):
      "the published tables can take the rows; it keeps \(additions.of("object")) added by others"
    case .differs(let part):
      "the published schema differs in \(part.split(separator: "\n").joined(separator: " ").escapedForMessage)"
    }
  }
}
