import Vocabulary
import Text

extension IngestError {
  /// A failure after the database was published; `undone` is a clause, and `advice` a sentence.
  func afterPublishing(undone: String, _ advice: String) -> IngestError {
    IngestError(
      kind, code: code?.file.map { .file($0) }, undone: undone,
      "\(message) The database was published. \(advice)")
  }

  static func headerMismatch(
    _ path: String, line: Int, _ names: [String], first: String, _ expected: [String]
  ) -> IngestError {
    func quoted(_ names: [String]) -> String { names.joined(separator: ",").quotedForMessage }
    return IngestError(
      .data, code: .file(.headerMismatch),
      "\(path): line \(line): the header is \(quoted(names)), but that of \(first) is \(quoted(expected)). All "
        + "files of a table need the same columns in the same order.")
  }
}
