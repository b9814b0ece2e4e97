package import Vocabulary
import Platform
package import SQLiteSwiftly
import Text

extension IngestError {
  static func cannotBeOpened(_ path: String, _ error: FileError) -> IngestError {
    IngestError(
      .of(error.code, otherwise: .inputMissing),
      "\(path): cannot be opened: \(error.message). Check the path.")
  }

  static func cannotBeRead(_ path: String, _ error: FileError, advice: String = "") -> IngestError {
    IngestError(.inputOutput, "\(path): cannot be read: \(error.message).\(advice)")
  }

  /// `reason` is a clause such as "it is empty".
  static func notDatabase(_ path: String, _ reason: String) -> IngestError {
    IngestError(
      .data,
      "\(path): not a database made by ingest: \(reason). Use the file that ingest wrote to its --out."
    )
  }

  static func otherApplicationID(_ path: String, found: UInt32, expected: UInt32) -> IngestError {
    IngestError(
      .data,
      "\(path): expected a database with application_id 0x\(String(expected, radix: 16)), found "
        + "0x\(String(found, radix: 16)). If ingest made it from other source files, pass their description: "
        + "--schema FILE.")
  }

  static func writeAheadLog(_ path: String) -> IngestError {
    IngestError(
      .data,
      "\(path): the database uses a write-ahead log (WAL), so reading it would leave files beside it. Switch it "
        + "back with: sqlite3 \(path) 'PRAGMA journal_mode = DELETE'")
  }

  static func truncated(_ path: String, size: Int, expected: Int) -> IngestError {
    IngestError(
      .data,
      "\(path): truncated: it has \(size.of("byte")), but its header states \(expected.grouped). Copy the file "
        + "again, or load it again.")
  }

  static func otherSchemaVersion(_ path: String, _ summary: String, expected: Int32) -> IngestError
  {
    IngestError(
      .data,
      "\(path): the database has \(summary), but this ingest checks schema version \(expected). Check it with the "
        + "ingest that made it, or load it again.")
  }

  static func computedColumns(_ path: String, _ table: String) -> IngestError {
    IngestError(
      .data,
      "\(path): the table \(table.quotedForMessage) has columns that SQLite computes when it reads them, which no "
        + "run makes. Nothing was checked. Load the database again, or restore it from a backup.")
  }

  static func damagedTable(_ table: String, in old: String, or new: String) -> IngestError {
    IngestError(
      .data,
      "\(old) or \(new): the table \(table) is damaged: it has invalid or unsorted rows. Run 'ingest check' for "
        + "details.")
  }

  /// The failure of a statement on a database that is only read.
  package init(_ error: SQLiteError, reading path: String) {
    // SQLite reports some errors of the disk as damage.
    if error.code == .corrupt, let failure = readFailure(ofFileAt: path),
      Kind.of(failure.code, otherwise: .data) == .inputOutput
    {
      self = .cannotBeRead(path, failure, advice: " Check the disk.")
      return
    }
    let (kind, advice): (Kind, String) =
      switch error.code {
      case .corrupt, .notADatabase, .error, .interrupted, .tooBig, .mismatch:
        (.data, "The file is damaged: load it again, or restore it from a backup.")
      case .busy, .locked: (.locked, "Another program is writing to it. Try again later.")
      case .readOnly:
        (
          .data,
          "A program was killed while writing to it. Open it once with sqlite3 to recover it."
        )
      case .cannotOpen, .permissionDenied: (.inputMissing, "Check its permissions.")
      // SQLite ends the transaction after an error of the disk, also after one that it ignores, as in its statistics.
      case .inputOutput, .full, .abort: (.inputOutput, "Check the disk.")
      case .outOfMemory: (.inputOutput, "Check it with 'ingest check': it may be damaged.")
      default: (.fault, "Please report this as a bug in ingest.")
      }
    self.init(
      kind, "\(path): cannot be read: \(error.reason) (\(error.extendedCode.name)). \(advice)")
  }
}
