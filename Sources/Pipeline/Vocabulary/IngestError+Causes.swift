package import Platform
import Glibc
import Text

/// Starts a thread of a run, as `Worker` does.
package func startWorker<Value: Sendable>(
  _ name: String, _ body: @escaping @Sendable () -> Value
) throws(IngestError) -> Worker<Value> {
  try mapError(Worker(name, body), as: { .threadNotStarted($0) })
}

// Like those for any error, but `describe` need not name the type.

package func mapError<Value: ~Copyable, Failure>(
  _ value: @autoclosure () throws(Failure) -> Value, as describe: (Failure) -> IngestError
) throws(IngestError) -> Value {
  do throws(Failure) { return try value() } catch { throw describe(error) }
}

package func mapError<Value: ~Copyable, Failure>(
  as describe: (Failure) -> IngestError, in body: () throws(Failure) -> Value
) throws(IngestError) -> Value {
  do throws(Failure) { return try body() } catch { throw describe(error) }
}

// The system and the inputs
extension IngestError {
  fileprivate static func threadNotStarted(_ error: ThreadError) -> IngestError {
    IngestError(
      .inputOutput,
      "cannot start the \(error.name) thread: \(FileError(code: error.code).message). "
        + "\(nothingPublished) Raise this user's process limit (ulimit -u), or free memory.")
  }

  /// The failure of a system call on a file, which is of the kind `otherwise` if the path or its permissions are
  /// to blame.
  package static func failed(
    _ failure: String, _ path: String, _ error: FileError, otherwise: Kind = .inputOutput,
    advice: String = ""
  ) -> IngestError {
    IngestError(
      .of(error.code, otherwise: otherwise),
      headline: [ENOSPC, EDQUOT].contains(error.code) ? noSpace(for: path) : nil,
      "\(path): \(failure) \(error.message).\(advice)")
  }

  package static func tablesIncomplete(_ output: String) -> IngestError {
    IngestError(.fault, "\(output): not all tables were written. \(nothingPublished)")
  }

  package static func unbalanced(_ imbalances: [String]) -> IngestError {
    IngestError(
      .fault, code: .run(.accountsUnbalanced),
      imbalances.joined(separator: "; ")
        + ". \(nothingPublished) Run again; if it fails again, report a bug in ingest.")
  }

  static func sqlFolderEmpty(_ path: String) -> IngestError {
    IngestError(.inputMissing, "\(path): no .sql file in this folder. Check --sql, or omit it.")
  }

  static func unreadable(
    _ path: String, _ contents: String, _ error: FileError, mostBytes: Int, option: String
  ) -> IngestError {
    IngestError(
      .of(error.code == EFBIG ? EINVAL : error.code, otherwise: .inputMissing),
      "\(path): cannot read the \(contents): \(error.reason(mostBytes: mostBytes)). Check \(option)."
    )
  }

  static func sqlNotText(_ path: String, line: Int, hasNUL: Bool) -> IngestError {
    IngestError(
      .data, code: .run(.sqlFailed),
      "\(path):\(line): \(hasNUL ? "contains a NUL byte" : "not valid UTF-8"). \(nothingPublished) "
        + "Save the file as UTF-8 text.")
  }

  static func suppressionInvalid(_ place: String, _ fault: String, _ advice: String) -> IngestError
  {
    IngestError(
      .usage, code: .run(.acceptanceInvalid), "\(place): \(fault). \(nothingPublished) \(advice)")
  }

  private static let nothingPublished = "Nothing was published."
}
