package import Platform
import Glibc
import Text

/// Starts a thread of a run, as `Worker` does.
package func startWorker<Value: Sendable>(
  _ name: String, _ body: @escaping @Sendable () -> Value
) throws(IngestError) -> Worker<Value> {
  do throws(ThreadError) {
    return try Worker(name, body)
  } catch {
    throw .threadNotStarted(error)
  }
}

/// Returns a value, or throws the error that `describe` makes of a failure of the system.
package func reporting<Value: ~Copyable>(
  _ value: @autoclosure () throws(FileError) -> Value, as describe: (FileError) -> IngestError
) throws(IngestError) -> Value {
  do throws(FileError) {
    return try value()
  } catch {
    throw describe(error)
  }
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

  static func nameReserved(_ name: String, prefix: String) -> IngestError {
    IngestError(
      .fault,
      "The schema has a table or view \(name); names that begin with \(prefix) are reserved for the "
        + "provenance of the database. \(nothingPublished)")
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
      .data, runCode: .sqlFailed,
      "\(path):\(line): \(hasNUL ? "contains a NUL byte" : "not valid UTF-8"). \(nothingPublished) "
        + "Save the file as UTF-8 text.")
  }

  static func suppressionInvalid(_ place: String, _ fault: String, _ advice: String) -> IngestError
  {
    IngestError(
      .usage, runCode: .acceptanceInvalid, "\(place): \(fault). \(nothingPublished) \(advice)")
  }

  private static let nothingPublished = "Nothing was published."
}

// Conditions of publishing
extension IngestError {
  package static func unbalanced(_ imbalances: [String]) -> IngestError {
    IngestError(
      .fault, runCode: .accountsUnbalanced,
      imbalances.joined(separator: "; ")
        + ". \(nothingPublished) Run again; if it fails again, report a bug in ingest.")
  }

  static func sourcesOlder(
    _ file: String, _ time: SourceTime, previous: PreviousRun.Source
  ) -> IngestError {
    IngestError(
      .data, runCode: .sourcesOlder,
      "\(file): written at \(time.text), but \(previous.file) of the previous database at "
        + "\(previous.time.text). \(nothingPublished) Download the source files again, or run once with "
        + "--allow-older to publish these.")
  }

  /// Too many records are rejected; `isFew` if they are few enough to publish without them.
  static func rejectsOverLimit(
    _ excesses: [String], _ cause: LikelyCause?, orphans: Int, isFew: Bool
  ) -> IngestError {
    let remedy =
      cause.map {
        "; \(orphans.grouped) of them have no parent, \($0.words). \(nothingPublished) \($0.remedy), and "
          + "run again. If that does not help, fix the records."
      }
      ?? ". \(nothingPublished) Fix the source files"
      + (isFew ? ", or raise the limit to publish without these records." : ".")
    return IngestError(
      .data, runCode: .rejectsOverLimit, headline: cause?.headline,
      firstStep: cause.map { "\($0.remedy)." }, cause: cause?.words,
      excesses.joined(separator: "; ") + remedy)
  }

  static func schemaDrift(_ drift: [Warning]) -> IngestError {
    IngestError(
      .data, runCode: .schemaDrift,
      "schema drift, which --strict-schema does not allow: \(drift.summary). \(nothingPublished) "
        + "Suppress the warnings (--suppress FILE), or omit the option.")
  }

  /// Tables have lost too many rows; `missing` are those without a source file, `kept` is nil in a dry run.
  static func catalogShrunk(
    _ losses: [String], _ summaries: [String], missing: [String],
    _ kept: Result<String, IngestError>?, remedies: [String]
  ) -> IngestError {
    IngestError(
      .data, runCode: .catalogShrunk,
      headline: missing.isEmpty ? summaries.joined(separator: "; ") : nil,
      firstStep: remedies.first,
      cause: missing.isEmpty
        ? nil : "because of missing source files: \(missing.joined(separator: ", "))",
      "\(losses.joined(separator: "; ")). \(fate(kept)). \(remedies.joined(separator: " "))")
  }

  package static func catalogChanged(
    _ excesses: [PercentLimits.Excess], _ kept: Result<String, IngestError>?
  ) -> IngestError {
    IngestError(
      .data, runCode: .catalogChanged,
      headline: excesses.map(\.summary).joined(separator: "; "),
      "\(excesses.map(\.sentence).joined(separator: "; ")). \(fate(kept)). Compare the source "
        + "files with those of the day before; see 'ingest explain catalog-changed'.")
  }

  /// What became of a refused database, as a sentence without its end; `kept` is nil in a dry run.
  private static func fate(_ kept: Result<String, IngestError>?) -> String {
    switch kept {
    case .success(let path): "\(nothingPublished) The refused database was kept as \(path)"
    case .failure(let error):
      "\(nothingPublished) The refused database could not be kept: \(error.message)"
    case nil: "Nothing would be published"
    }
  }
}
