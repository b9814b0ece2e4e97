package import Vocabulary
import Platform
import Schema
package import Compression
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

  /// A failure with a code, unless the disk or the machine is to blame.
  static func unavailable(
    _ path: String, _ error: FileError, _ code: FileCode, _ text: String
  ) -> IngestError {
    let kind = Kind.of(error.code, otherwise: .inputMissing)
    return IngestError(kind, code: kind == .inputMissing ? .file(code) : nil, "\(path): \(text)")
  }

  package static func sourceChanged(_ path: String) -> IngestError {
    IngestError(
      .inputOutput,
      "\(path): was changed while it was being read. Run again once writing has finished.")
  }

  static let nothingRead = "Nothing was read. Correct the description."
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
