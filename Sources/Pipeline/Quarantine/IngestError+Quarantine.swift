import Platform
import Text
package import Vocabulary

// The rejects folder
extension IngestError {
  static func rejectsFailed(
    _ path: String, _ step: String, _ error: FileError = .last, _ advice: String = ""
  ) -> IngestError {
    failed("cannot be \(step):", path, error, otherwise: .output, advice: advice)
  }

  static func rejectsLocked(_ path: String) -> IngestError {
    IngestError(
      .locked,
      "\(path): another run is using this folder; try again once it has finished, or wait with --wait "
        + "SECONDS.")
  }

  static let elsewhere = "Move it away, or choose another folder with --rejects."

  /// The file at `path` has another header than `other`, the file or the records that it is compared with.
  static func headerDiffers(_ path: String, from other: String) -> IngestError {
    IngestError(
      .data,
      "\(path): the header differs from that of \(other), so the records cannot be kept together. "
        + "Restore the first line.")
  }
}

// Edited records
extension IngestError {
  static func editsTooLarge(_ path: String) -> IngestError {
    IngestError(
      .data,
      "\(path): the edited records have more than \(RepairFile.mostBytes.grouped) bytes, the limit of a file of "
        + "repairs. Nothing was saved. Copy the records to add to TABLE.add.csv, and the originals to "
        + "TABLE.leave-out.csv, or correct the source file.")
  }

  /// Some records are too long for repairs.
  package static func editsTooLong(_ table: String, _ count: Int, limit: Int) -> IngestError {
    IngestError(
      .data,
      "\(table): \(count.of("edited record")) longer than \(limit.grouped) bytes cannot be added or skipped "
        + "by a repair. Correct the source file. The other edits were saved.")
  }

  /// A source file is not the one that rejected records came from, as `difference` shows.
  static func rejectedSourceDiffers(
    _ path: String, from folder: String, _ difference: String
  ) -> IngestError {
    stale(
      "\(path): not the source file of the rejected records in \(folder): \(difference). "
        + olderSources)
  }

  static func rejectedSourceRenamed(
    _ path: String, from folder: String, _ file: String
  ) -> IngestError {
    stale(
      "\(path): the rejected records in \(folder) come from another file, \(file.quotedForMessage). "
        + olderSources)
  }

  static let olderSources =
    "Use the source files of that run, or load these and fix what is rejected then."

  static func stale(_ message: String) -> IngestError {
    IngestError(.data, code: .run(.quarantineStale), message)
  }
}

// Repairs
extension IngestError {
  static func repairsTooLarge(_ path: String) -> IngestError {
    IngestError(
      .data, code: .file(.repairInvalid),
      "\(path): larger than \(RepairFile.mostBytes.grouped) bytes; expected a few records.")
  }

  /// A failure of the system with a folder or file of repairs: it cannot be `step`.
  static func repairsFailed(
    _ path: String, _ step: String, _ error: FileError = .last
  ) -> IngestError {
    failed("the repairs cannot be \(step):", path, error, otherwise: .output)
  }
}
