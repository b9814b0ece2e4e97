package import Vocabulary
import Platform
import Schema
package import Compression
import SQLiteSwiftly
import Text

extension IngestError {
  static func readFailed(_ path: String, _ code: Int32) -> IngestError {
    failed("cannot be read:", path, FileError(code: code))
  }

  static func sourceUnopenable(_ path: String, _ error: FileError) -> IngestError {
    unavailable(
      path, error, .fileUnreadable,
      "cannot be opened: \(error.message). Check the file and its permissions.")
  }

  static func sourceFolderUnreadable(_ path: String, _ error: FileError) -> IngestError {
    unavailable(
      path, error, .fileMissing, "cannot read the source folder: \(error.message). Check --source.")
  }

  /// A failure with a code, unless the disk or the machine is to blame.
  private static func unavailable(
    _ path: String, _ error: FileError, _ code: FileCode, _ text: String
  ) -> IngestError {
    let kind = Kind.of(error.code, otherwise: .inputMissing)
    return IngestError(kind, code: kind == .inputMissing ? .file(code) : nil, "\(path): \(text)")
  }

  static func sourceNotRegular(_ path: String) -> IngestError {
    IngestError(
      .inputMissing, code: .file(.fileUnreadable),
      "\(path): not a regular file: a pipe or a device. Save its output to a file first.")
  }

  static func sourceBehindLink(_ path: String) -> IngestError {
    IngestError(
      .inputMissing, code: .file(.fileUnreadable),
      "\(path): the path contains a symbolic link, which may lead outside the description's folder. "
        + "Replace the link with the file itself.")
  }

  package static func sourceChanged(_ path: String) -> IngestError {
    IngestError(
      .inputOutput,
      "\(path): was changed while it was being read. Run again once writing has finished.")
  }
}

// Folders and archives
extension IngestError {
  static func sourcesMissing(in path: String, _ names: [String], hints: String) -> IngestError {
    IngestError(
      .inputMissing, code: .file(.fileMissing),
      "\(path): missing source files: \(listed(names)). \(hints)"
        + "Download the missing files, or leave the tables empty with --allow-missing TABLE.")
  }

  private static func listed(_ names: [String]) -> String {
    let most = 100
    let others = names.count - most
    return names.prefix(most).joined(separator: ", ")
      + (others > 0 ? " and \(others.grouped) more" : "")
  }

  static func noSources(in path: String, hint: String) -> IngestError {
    IngestError(
      .inputMissing, code: .file(.fileMissing),
      "\(path): no source files found. \(hint)Check --source.")
  }

  static func sourcesAmbiguous(in path: String, _ pairs: [String]) -> IngestError {
    IngestError(
      .data, code: .file(.fileAmbiguous),
      "\(path): two files for one table: \(pairs.joined(separator: ", ")). Remove the wrong one.")
  }

  static func archiveInvalid(_ path: String) -> IngestError {
    IngestError(
      .data, code: .file(.notZip),
      "\(path): neither a folder of source files nor a ZIP archive of them, although its name ends in "
        + ".zip. Check --source, or download the archive again.")
  }

  static func archiveAmbiguous(_ path: String, folders: Set<String>) -> IngestError {
    IngestError(
      .data, code: .file(.fileAmbiguous),
      "\(path): source files in \(folders.count) folders: "
        + folders.sorted().map(\.quotedForMessage).joined(separator: ", ")
        + ". Pack only the intended ones.")
  }

  static func archiveEmpty(_ path: String) -> IngestError {
    IngestError(
      .inputMissing, code: .file(.fileMissing),
      "\(path): no file in the archive; expected one. Download it again.")
  }

  static func archiveOverfull(_ path: String, files: Int, first: [String]) -> IngestError {
    IngestError(
      .data, code: .file(.fileAmbiguous),
      "\(path): \(files) files in the archive; expected one. The first two are "
        + "\(first.joined(separator: " and ")). Pack the source file alone, or pass an archive of all "
        + "source files to --source.")
  }
}

// Descriptions
extension IngestError {
  static func describedPathOutside(_ name: String, of table: String) -> IngestError {
    IngestError(
      .data, code: .file(.fileUnreadable),
      "\(table): the path \(name.quotedForMessage) in the description is not inside the source "
        + "folder; expected a path such as data/\(table).csv. \(nothingRead)")
  }

  static func describedPathTwice(_ name: String, of table: String) -> IngestError {
    IngestError(
      .data, code: .file(.fileAmbiguous),
      "\(table): the description lists the file \(name.quotedForMessage) twice, so its records would "
        + "be loaded twice. \(nothingRead)")
  }

  static func dialectInvalid(of table: String, _ reason: String) -> IngestError {
    IngestError(.data, "\(table): invalid CSV dialect: \(reason). \(nothingRead)")
  }

  static func headerRowsInvalid(of table: String, _ rows: [Int], most: Int) -> IngestError {
    IngestError(
      .data,
      "\(table): header or comment rows \(rows.map(String.init).joined(separator: ", ")); expected "
        + "numbers from 1 to \(most.grouped). \(nothingRead)")
  }

  private static let nothingRead = "Nothing was read. Correct the description."
}

// Contents
extension IngestError {
  static func encodingUnsupported(_ path: String, _ encoding: String) -> IngestError {
    IngestError(
      .data, code: .file(.encodingUnsupported),
      "\(path): begins with the byte order mark of \(encoding), not with UTF-8. Convert it with "
        + "iconv -f \(encoding) -t UTF-8, or set encoding to \"\(encoding.lowercased())\" in your own "
        + "description.")
  }

  static func claimsMismatch(_ path: String, _ difference: String) -> IngestError {
    IngestError(
      .data, code: .file(.checksumMismatch),
      "\(path): not the file of its description: \(difference). Download it again, or if it has changed on "
        + "purpose, remove bytes and hash from the description.")
  }

  static func encodingUnknown(_ path: String, _ encoding: String) -> IngestError {
    IngestError(
      .data, code: .file(.encodingUnsupported),
      "\(path): the encoding \(encoding.quotedForMessage) of the description is not known on this "
        + "machine; expected one that iconv -l lists. Convert the file to UTF-8, or install the encoding."
    )
  }

  static func encodingMismatch(
    _ path: String, _ encoding: String, line: Int, offset: Int, _ bytes: [UInt8]
  ) -> IngestError {
    let digits = bytes.map { "0x" + String($0, radix: 16) }.joined(separator: " ")
    return IngestError(
      .data, code: .file(.encodingMismatch),
      "\(path): line \(line): not \(encoding), the encoding of its description: found "
        + "\(digits) at byte \(offset) of the unconverted file. Correct the encoding, or download the file "
        + "again.")
  }

  static func recordEndless(_ path: String, line: Int, mostBytes: Int) -> IngestError {
    IngestError(
      .data, code: .file(.recordEndless),
      "\(path): line \(line): a record is longer than \(mostBytes.grouped) bytes. A quote is missing, "
        + "or the file is not CSV: check that line, and download the file again.")
  }

  static func quoteUnterminated(
    _ path: String, line: Int, offset: Int, hasEscape: Bool
  ) -> IngestError {
    IngestError(
      .data, code: .file(.unterminatedQuote),
      "\(path): line \(line): the file ends inside quotes opened in this record"
        + (hasEscape ? ", or after an escape character," : ",")
        + " at byte \(offset). The file is truncated, or a quote is missing: download it again.")
  }

  static func headerMissing(_ path: String) -> IngestError {
    IngestError(
      .data, code: .file(.headerMissing),
      "\(path): line 1: no header: the file is empty. Download it again.")
  }

  static func headerMalformed(
    _ file: SourceFolder.File, line: Int, _ code: RecordCode, offset: Int, _ text: String
  ) -> IngestError {
    headerUnreadable(
      file, line, "cannot read the header (\(code.rawValue) at byte \(offset)): \(text)")
  }

  static func headerTooLong(
    _ file: SourceFolder.File, line: Int, mostBytes: Int, _ text: String
  ) -> IngestError {
    headerUnreadable(file, line, "the header is longer than \(mostBytes.grouped) bytes: \(text)")
  }

  private static func headerUnreadable(
    _ file: SourceFolder.File, _ line: Int, _ fault: String
  ) -> IngestError {
    IngestError(
      .data, code: .file(.headerMissing),
      "\(file.path): line \(line): \(fault). \(file.layout.headerAdvice)"
        + MislabeledFile.hint(on: file))
  }

  static func columnsTooMany(
    _ file: SourceFolder.File, line: Int, columns: Int, most: Int
  ) -> IngestError {
    IngestError(
      .data, code: .file(.tooManyColumns),
      "\(file.path): line \(line): \(columns.grouped) columns; at most \(most.grouped) are supported. "
        + "Check whether this is the right file; if so, remove columns or split it."
        + MislabeledFile.hint(on: file))
  }
}

// Compression
private let again = "Download the file again."

extension SourceFolder.File {
  /// What specifies its compression.
  fileprivate var formatClaim: String {
    compression.map { "the description specifies compression \"\($0.rawValue)\"" }
      ?? "its name ends in \(format.ending)"
  }

  /// Advice for a file that has another format; nil if its format is unknown.
  fileprivate var formatAdvice: String? {
    compression == nil
      ? MislabeledFile(at: storedPath)?.advice(for: name)
      : "its first bytes do not match. Correct the description, or download the file again."
  }
}

extension IngestError {
  package init(_ error: GzipError, _ file: SourceFolder.File) {
    switch error {
    case .notGzip:
      self.init(
        .data, code: .file(.notGzip),
        "\(file.path): not a gzip file, although \(file.formatClaim): "
          + (file.formatAdvice ?? "it does not begin with the bytes 1f 8b. \(again)"))
    case .truncated(let offset):
      self.init(
        .data, code: .file(.gzipTruncated),
        "\(file.path): truncated: the compressed data ends at byte \(offset), before its checksum. "
          + again)
    case .corrupt(let offset, let reason):
      self.init(
        .data, code: .file(.gzipCorrupt),
        "\(file.path): damaged: \(reason), before byte \(offset) of the compressed data. \(again)")
    case .trailingData(let offset):
      self.init(
        .data, code: .file(.gzipTrailingData),
        "\(file.path): non-gzip bytes follow the compressed data at byte \(offset). \(again)")
    case .readFailed(let code): self = .readFailed(file.path, code)
    }
  }

  package init(_ error: ZipError, _ file: SourceFolder.File) {
    switch error {
    case .notZip:
      self.init(
        .data, code: .file(.notZip),
        "\(file.path): not a ZIP archive, although \(file.formatClaim): "
          + (file.formatAdvice ?? "it does not end like one. \(again)"))
    case .truncated:
      self.init(
        .data, code: .file(.zipTruncated),
        "\(file.path): the end of the ZIP archive is missing: the file is empty, truncated, or "
          + "followed by other data. \(again)")
    case .corrupt(let offset, let reason):
      self.init(
        .data, code: .file(.zipCorrupt),
        "\(file.path): damaged: \(reason), at byte \(offset) of the archive. \(again)")
    case .duplicate(let name):
      self.init(
        .data, code: .file(.zipCorrupt),
        "\(file.path): two files in the archive are named \(name.span.quotedForMessage); names must "
          + "be unique. Pack the archive again.")
    case .unsafeName(let name):
      self.init(
        .data, code: .file(.zipCorrupt),
        "\(file.path): a file in the archive is named \(name.span.quotedForMessage), a path that "
          + "leads outside it. Nothing was read; check who made the archive.")
    case .unsupported(let reason):
      self.init(
        .data, code: .file(.zipUnsupported),
        "\(file.path): \(reason). Only stored or deflated files without a password, in an archive of "
          + "one part, are supported. Unpack it, and load its files.")
    case .readFailed(let code): self = .readFailed(file.path, code)
    }
  }
}
