import Schema
import Facts
import Files
package import Compression
import SQLiteSwiftly

private let again = "Download the file again."

extension SourceFolder.File {
  /// Where it is said how it is compressed.
  fileprivate var formatClaim: String {
    compression.map { "the description says compression \"\($0.rawValue)\"" }
      ?? "its name ends in \(format.ending)"
  }

  /// What to do if it is compressed otherwise; nil if nothing is known of it.
  fileprivate var formatAdvice: String? {
    compression == nil
      ? MislabeledFile(at: storedPath)?.advice(for: name)
      : "it does not begin as one does. Correct the description, or download the file again."
  }
}

extension IngestError {
  package init(_ error: GzipError, _ file: SourceFolder.File) {
    switch error {
    case .notGzip:
      self.init(
        .data, code: .notGzip,
        "\(file.path): not a gzip file, though \(file.formatClaim): "
          + (file.formatAdvice ?? "it does not begin with the bytes 1f 8b. \(again)"))
    case .truncated(let offset):
      self.init(
        .data, code: .gzipTruncated,
        "\(file.path): cut short: the compressed data ends at byte \(offset) without its checksum. "
          + again)
    case .corrupt(let offset, let reason):
      self.init(
        .data, code: .gzipCorrupt,
        "\(file.path): damaged: \(reason), found before byte \(offset) of the compressed data. "
          + again)
    case .trailingData(let offset):
      self.init(
        .data, code: .gzipTrailingData,
        "\(file.path): bytes that are not gzip follow the compressed data at byte \(offset). "
          + again)
    case .readFailed(let code):
      self.init(
        .inputOutput, "\(file.path): cannot be read: \(FileError(code: code).message).")
    }
  }

  package init(_ error: ZipError, _ file: SourceFolder.File) {
    switch error {
    case .notZip:
      self.init(
        .data, code: .notZip,
        "\(file.path): not a ZIP archive, though \(file.formatClaim): "
          + (file.formatAdvice ?? "it does not end as one does. \(again)"))
    case .truncated:
      self.init(
        .data, code: .zipTruncated,
        "\(file.path): does not end as a ZIP archive does: it is empty, cut short, or followed by "
          + "something else. \(again)")
    case .corrupt(let offset, let reason):
      self.init(
        .data, code: .zipCorrupt,
        "\(file.path): damaged: \(reason), found at byte \(offset) of the archive. \(again)")
    case .duplicate(let name):
      self.init(
        .data, code: .zipCorrupt,
        "\(file.path): two files in the archive are called \(name.span.quotedForMessage), where each "
          + "has a name of its own. Pack them again.")
    case .unsafeName(let name):
      self.init(
        .data, code: .zipCorrupt,
        "\(file.path): a file in the archive is called \(name.span.quotedForMessage), which leads out "
          + "of it. Find out who has made the archive; nothing of it was used.")
    case .unsupported(let reason):
      self.init(
        .data, code: .zipUnsupported,
        "\(file.path): \(reason), where only what is stored or deflated, without a password and in one "
          + "file, is read. Unpack it, and load what was in it.")
    case .readFailed(let code):
      self.init(
        .inputOutput, "\(file.path): cannot be read: \(FileError(code: code).message).")
    }
  }
}
