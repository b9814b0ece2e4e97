import Vocabulary
import Platform

extension IngestError {
  static func reportIsNotRegularFile(_ path: String, option: String) -> IngestError {
    IngestError(.output, "\(path): not a regular file. Use another name for \(option).")
  }

  static func temporaryReportIsNotRegularFile(_ path: String, noun: String) -> IngestError {
    IngestError(
      .output, "\(path): not a regular file. Remove it; the run needs this path for its \(noun).")
  }

  static func reportIsLocked(_ path: String, noun: String, at temporaryPath: String) -> IngestError
  {
    IngestError(
      .inputOutput,
      "\(path): the \(noun) cannot be written: another program has locked \(temporaryPath).")
  }

  static func reportWasRemoved(
    _ path: String, noun: String, at temporaryPath: String
  ) -> IngestError {
    IngestError(
      .inputOutput,
      "\(path): the \(noun) was not written: another program removed \(temporaryPath).")
  }

  static func reportFolderNotSynced(_ path: String, _ error: FileError) -> IngestError {
    IngestError(
      .inputOutput,
      "\(path): the report was written, but its folder cannot be synced to the disk: "
        + "\(error.message).")
  }
}
