import Facts
import Files
import SQLiteSwiftly

extension IngestError {
  /// A file of repairs is not a valid source file.
  static func repairsNotCSV(_ error: IngestError) -> IngestError {
    IngestError(
      error.kind, code: .repairInvalid,
      "\(error.message) Repairs must be plain CSV in UTF-8: correct this file, or remove it from the "
        + "folder.")
  }

  static func repairsTooLarge(_ path: String, mostBytes: Int) -> IngestError {
    IngestError(
      .data, code: .repairInvalid,
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
      .data, code: .repairInvalid,
      "\(path): line 1: \(fault): \(header.joined(separator: ",").quotedForMessage). Expected the header "
        + "of the source file, \(columns)\(alternative). Nothing was published. Correct the first line."
    )
  }

  static func repairsFileUnknown(_ folder: String, _ name: String, tables: String) -> IngestError {
    IngestError(
      .data, code: .repairInvalid,
      "\(folder): \(name.quotedForMessage) is not a file of repairs. Nothing was published. Expected "
        + "TABLE.add.csv, TABLE.replace.csv or TABLE.leave-out.csv, where TABLE is one of \(tables). "
        + "Rename it, or remove it from the folder.")
  }

  static func repairsFolderUnreadable(_ path: String, _ error: FileError) -> IngestError {
    let kind = Kind.of(error.code, otherwise: .inputMissing)
    return IngestError(
      kind, code: kind == .inputMissing ? .repairInvalid : nil,
      "\(path): cannot read the repairs folder: \(error.message). Nothing was published. Check "
        + "--repairs.")
  }

  /// A failure of the system with a folder or file of repairs: it cannot be `step`.
  static func repairsFailed(_ path: String, _ step: String, _ code: Int32) -> IngestError {
    failed("the repairs cannot be \(step):", path, FileError(code: code), otherwise: .output)
  }

  static func fixedRecordsTooLarge(_ table: String, mostBytes: Int) -> IngestError {
    IngestError(
      .data,
      "\(table): the fixed records have more than \(mostBytes.grouped) bytes, the limit for repairs. "
        + "Replay without --write-repairs.")
  }

  static func repairsColumnsDiffer(
    _ path: String, _ columns: [String], fixed: [String]
  ) -> IngestError {
    IngestError(
      .data, code: .repairInvalid,
      "\(path): line 1: the columns are \(columns.joined(separator: ",").quotedForMessage), but the fixed "
        + "records have \(fixed.joined(separator: ",").quotedForMessage). Replay with another folder for "
        + "--write-repairs, and merge the files.")
  }
}
