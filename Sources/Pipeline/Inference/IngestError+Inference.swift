import Vocabulary
import Text

extension IngestError {
  static func noReadableFile(_ source: String, skipped: [String]) -> IngestError {
    IngestError(
      .data, code: .file(.headerMissing),
      "\(source): no readable CSV file found: \(skipped.joined(separator: "; ")). Check --source.")
  }

  static func noSourceFile(_ source: String, endings: [String]) -> IngestError {
    IngestError(
      .inputMissing, code: .file(.fileMissing),
      "\(source): no CSV file found. File names must end in \(endings.dropLast().joined(separator: ", ")) or "
        + "\(endings[endings.count - 1]). Check --source.")
  }

  static func twoFilesForTable(_ source: String, _ first: String, _ second: String) -> IngestError {
    IngestError(
      .data, code: .file(.fileAmbiguous),
      "\(source): two files for one table: \(first) and \(second). Remove one of them.")
  }

  static func duplicateColumn(_ path: String, line: Int, _ name: String) -> IngestError {
    IngestError(
      .data, code: .file(.columnDuplicate),
      "\(path): line \(line): two columns are named \(Array(name.utf8).span.quotedForMessage). Rename one of them "
        + "in the header.")
  }
}
