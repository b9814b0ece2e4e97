package import Platform
import Glibc
package import SQLiteSwiftly
import Text

/// The reason why a run or command failed, or could not be skipped.
package struct IngestError: Error, Equatable, Sendable {
  package let kind: Kind
  /// The code, which the documentation explains; nil if the kind says enough.
  package let code: Code?
  /// The reason in a few words that name the cause; nil if the code or the kind says enough.
  package let headline: String?
  /// What to do first, as a sentence; nil if the message or the explanation of the code states it.
  package let firstStep: String?
  /// The likely cause, as part of a sentence; nil if unknown.
  package let cause: String?
  /// The step that failed after publishing, as part of a sentence; nil if nothing was published.
  package let undone: String?
  package let message: String

  package enum Kind: Equatable, Sendable {
    /// An option, or a file of options, is invalid.
    case usage
    case data
    case inputMissing
    /// The counts do not add up, or the written data is wrong.
    case fault
    /// The output cannot be created, or was not made by ingest.
    case output
    case inputOutput
    /// The connection was lost while the server published, so the result is unknown.
    case uncertain
    /// Another run, or another program, has locked a file.
    case locked
    case interrupted(signal: Int32)
  }

  package enum Code: Equatable, Sendable {
    /// A source file is the cause.
    case file(FileCode)
    /// Every file could be read, but nothing is published.
    case run(RunCode)
    /// The description is the cause; these codes are defined outside the pipeline.
    case description(String)

    package var file: FileCode? { if case .file(let code) = self { code } else { nil } }
    package var name: String {
      switch self {
      case .file(let code): code.rawValue
      case .run(let code): code.rawValue
      case .description(let name): name
      }
    }
  }

  package init(
    _ kind: Kind, code: Code? = nil, headline: String? = nil, firstStep: String? = nil,
    cause: String? = nil, undone: String? = nil, _ message: String
  ) {
    self.kind = kind
    self.code = code
    self.headline = headline
    self.firstStep = firstStep
    self.cause = cause
    self.undone = undone
    self.message = message
  }

  package static func noSpace(for path: String) -> String {
    "no space left on \(parentFolder(of: path))"
  }

  package init(_ error: SQLiteError, writing path: String) {
    let kind: Kind =
      switch error.code {
      case .full, .inputOutput, .outOfMemory, .readOnly, .corrupt, .notADatabase, .cannotOpen,
        .permissionDenied, .lockingProtocol, .abort:
        .inputOutput
      case .busy, .locked: .locked
      default: .fault
      }
    let advice =
      switch error.code {
      case .full:
        " Free space there, or in the folder of SQLite's temporary files, \(TemporaryFolders.names); "
          + "SQLITE_TMPDIR selects another folder."
      case .busy, .locked: " Another program is using the file; run again once it has finished."
      default: ""
      }
    // SQLite also reports this for a disk that cannot be read.
    let doubt = error.code == .corrupt ? " Check the disk and the memory of this machine." : ""
    let code = error.extendedCode
    self.init(
      kind, headline: error.code == .full ? Self.noSpace(for: path) : nil,
      "\(path): \(error.reason) (\(code.name), \(code.rawValue)).\(advice)\(doubt)")
  }
}

extension IngestError.Kind {
  /// The kind of a system failure: `kind` if the path or its permissions are the cause, and not the disk or the machine.
  package static func of(_ code: Int32, otherwise kind: Self) -> Self {
    let faultsOfTheMachine = [
      EIO, ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, ENOMEM, ENOBUFS, ENOLCK, ESTALE, ENXIO, ENODEV,
      ETIMEDOUT, EINTR,
    ]
    return faultsOfTheMachine.contains(code) ? .inputOutput : kind
  }
}

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

extension FileError {
  /// The reason why a file named by the operator cannot be read as a whole, as the end of a sentence.
  package func reason(mostBytes: Int) -> String {
    switch code {
    case EINVAL: "not a regular file"
    case EFBIG: "larger than \(mostBytes.grouped) bytes"
    default: message
    }
  }
}
