import Vocabulary
import Platform
import Glibc
import Text

extension IngestError {
  /// The repairs of a replay cannot be written, for the reason in `errno`.
  static func repairsNotWritable(_ path: String) -> IngestError {
    IngestError(
      .of(errno, otherwise: .output),
      "\(path): repairs cannot be written there: \(systemError()). Nothing was published. Choose another folder "
        + "with --write-repairs.")
  }

  /// A failure after the database was published; `undone` is a clause, and `advice` a sentence.
  func afterPublishing(undone: String, _ advice: String) -> IngestError {
    IngestError(
      kind, code: code, undone: undone, "\(message) The database was published. \(advice)")
  }

  static func headerMismatch(
    _ path: String, line: Int, _ names: [String], first: String, _ expected: [String]
  ) -> IngestError {
    func quoted(_ names: [String]) -> String { names.joined(separator: ",").quotedForMessage }
    return IngestError(
      .data, code: .headerMismatch,
      "\(path): line \(line): the header is \(quoted(names)), but that of \(first) is \(quoted(expected)). All "
        + "files of a table need the same columns in the same order.")
  }
}
