package import Vocabulary
import Platform
import SQLiteSwiftly
import Text

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

  static func rejectsNameTooLong(_ path: String, added: Int) -> IngestError {
    IngestError(
      .output,
      "\(path): the name is too long: ingest appends up to \(added) bytes. Choose a shorter one with "
        + "--rejects or --out.")
  }

  static func rejectsInSource(_ path: String, _ source: String) -> IngestError {
    IngestError(
      .output,
      "\(path): rejected records would be written into the source folder (\(source)). Choose another "
        + "folder with --rejects.")
  }

  static func rejectsFolderForeign(_ path: String) -> IngestError {
    IngestError(
      .output, "\(path): not a rejects folder made by ingest, so it is not replaced. \(elsewhere)")
  }

  static func rejectsOwnedByOther(_ path: String, owner: UInt32) -> IngestError {
    IngestError(
      .output,
      "\(path): rejected records would be written here, but it belongs to another user (\(owner)). \(elsewhere)"
    )
  }

  static func rejectsFileForeign(_ path: String, _ name: String) -> IngestError {
    IngestError(
      .output,
      "\(path): rejected records would be written here, but it contains \(name.quotedForMessage), which "
        + "ingest did not make. \(elsewhere)")
  }

  static let elsewhere = "Move it away, or choose another folder with --rejects."

  static func rejectsTooLarge(_ place: String, mostBytes: Int) -> IngestError {
    IngestError(
      .data, code: .run(.rejectsOverLimit),
      "\(place): rejected records and reasons exceed \(mostBytes.grouped) bytes at this record. Reading "
        + "stopped; none of them is kept, and nothing was published. Check whether this is the right "
        + "file.")
  }

  /// A source has another header than the rejected records before it; `other` names their origin.
  static func headerDiffers(_ path: String, from other: String) -> IngestError {
    IngestError(
      .data,
      "\(path): the header differs from that of \(other), so the records cannot be kept together. "
        + "Restore the first line.")
  }
}

// Files beside rejected records
extension IngestError {
  static func listLinked(_ path: String) -> IngestError {
    IngestError(
      .data,
      "\(path): a symbolic link, not a file written by ingest. Replace it with the file itself.")
  }

  static func listColumnsInvalid(_ path: String, _ columns: [String]) -> IngestError {
    IngestError(
      .data,
      "\(path): line 1: expected the columns that ingest writes, \(columns.joined(separator: ",")). "
        + "Restore the file.")
  }

  static func listLineInvalid(_ path: String, line: Int, _ fault: String) -> IngestError {
    IngestError(
      .data,
      "\(path): line \(line): \(fault). Only the records themselves may be edited; restore this file."
    )
  }

  static func listMiscounts(
    _ path: String, records: Int, _ manifest: String, expected: Int
  ) -> IngestError {
    IngestError(
      .data,
      "\(path): has \(records.of("record")), but \(manifest) lists \(expected.grouped). Only the records "
        + "themselves may be edited; restore both files.")
  }

  static func listUnopenable(_ path: String, _ error: IngestError) -> IngestError {
    IngestError(
      error.kind,
      "\(path): cannot be opened: is this the rejects folder of an earlier run? (\(error.message))")
  }
}

// Edited records
extension IngestError {
  static func rejectsFileUnknown(_ path: String, _ name: String, tables: String) -> IngestError {
    IngestError(
      .data,
      "\(path): \(name.quotedForMessage) is not a file of rejected records. Nothing was saved. Edited and "
        + "added records belong in TABLE.csv, where TABLE is one of \(tables). Rename it, or remove it "
        + "from the folder.")
  }

  static func editsTooLarge(_ path: String, mostBytes: Int) -> IngestError {
    IngestError(
      .data,
      "\(path): the edited records have more than \(mostBytes.grouped) bytes, the limit of a file of "
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

  static func rejectedTableUnknown(_ path: String, _ table: String) -> IngestError {
    stale("\(path): unknown table \(table.quotedForMessage). Restore the file.")
  }

  static func rejectedSourceMissing(_ path: String, _ table: String, _ file: String) -> IngestError
  {
    stale(
      "\(path): has records of \(table), but the source file \(file.quotedForMessage) is missing. "
        + olderSources)
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

  static func rejectedSourceIncomplete(_ path: String, _ folder: String) -> IngestError {
    stale(
      "\(path): not read to its end by the run that made \(folder), so its rejected records are "
        + "incomplete. Load the source files again, and fix what is rejected then.")
  }

  private static let olderSources =
    "Use the source files of that run, or load these and fix what is rejected then."

  private static func stale(_ message: String) -> IngestError {
    IngestError(.data, code: .run(.quarantineStale), message)
  }
}

// Repairs
extension IngestError {
  static func repairsNotCSV(_ error: IngestError) -> IngestError {
    IngestError(
      error.kind, code: .file(.repairInvalid),
      "\(error.message) Repairs must be plain CSV in UTF-8: correct this file, or remove it from the "
        + "folder.")
  }

  static func repairsTooLarge(_ path: String, mostBytes: Int) -> IngestError {
    IngestError(
      .data, code: .file(.repairInvalid),
      "\(path): larger than \(mostBytes.grouped) bytes; expected a few records.")
  }

  static func repairsHeaderInvalid(
    _ fault: String, _ header: [String], of table: TableDescription, _ kind: RepairKind,
    _ path: String
  ) -> IngestError {
    let columns = table.columns.map(\.name).joined(separator: ",")
    let key = table.primaryKey.joined(separator: ",")
    let alternative = kind == .leaveOut && !key.isEmpty ? ", or \(key) alone" : ""
    return IngestError(
      .data, code: .file(.repairInvalid),
      "\(path): line 1: \(fault): \(header.joined(separator: ",").quotedForMessage). Expected the header "
        + "of the source file, \(columns)\(alternative). Nothing was published. Correct the first line."
    )
  }

  static func repairsFileUnknown(_ folder: String, _ name: String, tables: String) -> IngestError {
    IngestError(
      .data, code: .file(.repairInvalid),
      "\(folder): \(name.quotedForMessage) is not a file of repairs. Nothing was published. Expected "
        + "TABLE.add.csv, TABLE.replace.csv or TABLE.leave-out.csv, where TABLE is one of \(tables). "
        + "Rename it, or remove it from the folder.")
  }

  static func repairsFolderUnreadable(_ path: String, _ error: FileError) -> IngestError {
    let kind = Kind.of(error.code, otherwise: .inputMissing)
    return IngestError(
      kind, code: kind == .inputMissing ? .file(.repairInvalid) : nil,
      "\(path): cannot read the repairs folder: \(error.message). Nothing was published. Check "
        + "--repairs.")
  }

  /// A failure of the system with a folder or file of repairs: it cannot be `step`.
  static func repairsFailed(
    _ path: String, _ step: String, _ error: FileError = .last
  ) -> IngestError {
    failed("the repairs cannot be \(step):", path, error, otherwise: .output)
  }

  static func repairsChanged(_ path: String) -> IngestError {
    IngestError(
      .data, "\(path): changed by another program in the meantime. Nothing was saved. Run again.")
  }

  static func repairsColumnsDiffer(
    _ path: String, _ columns: [String], edited: [String]
  ) -> IngestError {
    IngestError(
      .data, code: .file(.repairInvalid),
      "\(path): line 1: the columns are \(columns.joined(separator: ",").quotedForMessage), but the edited "
        + "records have \(edited.joined(separator: ",").quotedForMessage). Nothing was saved. Use another "
        + "folder with --repairs, and merge the files.")
  }
}
