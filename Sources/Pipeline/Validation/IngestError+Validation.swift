import SourceFiles
import Vocabulary
import Schema
import Text

extension IngestError {
  static func keyMemoryExceeded(
    _ file: String, line: Int, limit: String, raised: String
  ) -> IngestError {
    IngestError(
      .data, code: .run(.keyMemoryExceeded),
      "\(file): line \(line): keys exceed the memory limit of \(limit) at this record. Nothing was "
        + "published. Check whether this is the right file; if so, raise the limit: "
        + "--max-key-memory \(raised)")
  }

  static func columnDuplicate(
    _ name: String, fields: (Int, Int), _ file: SourceFolder.File, line: Int
  ) -> IngestError {
    IngestError(
      .data, code: .file(.columnDuplicate),
      "\(file.path): line \(line): duplicate column \(name.quotedForMessage) in the header (fields "
        + "\(fields.0) and \(fields.1)). Remove one of them.")
  }

  /// Required columns are missing from a header, for every record or for the description.
  static func columnsMissing(
    _ missing: [String], header: [String], of table: String,
    _ permitted: SourceDescription.FieldsMatch, _ file: SourceFolder.File, line: Int
  ) -> IngestError {
    IngestError(
      .data, code: .file(.columnMissing),
      "\(file.path): line \(line): no column \(missing.joined(separator: ", ")) in the header "
        + header.joined(separator: ",").quotedForMessage
        + (permitted.allowsAbsent
          ? ". Every record needs it: check "
          : ". The description requires it (fieldsMatch is \(permitted.rawValue)): check ")
        + "whether this is the source file of \(table), or whether the column was renamed."
        + MislabeledFile.hint(on: file))
  }

  static func headerMismatch(
    _ fault: String, header: [String], columns: [String], of table: String,
    _ permitted: SourceDescription.FieldsMatch, _ file: SourceFolder.File, line: Int
  ) -> IngestError {
    IngestError(
      .data, code: .file(.headerMismatch),
      "\(file.path): line \(line): \(fault). The header is "
        + "\(header.joined(separator: ",").quotedForMessage); the description has "
        + "\(columns.joined(separator: ",")), and fieldsMatch is \(permitted.rawValue): "
        + "\(permitted.words). Correct the description, or check whether this is the source file of "
        + "\(table)." + MislabeledFile.hint(on: file))
  }
}
