import Files
import Glibc

/// A file of SQL statements that an operator has a run add to what it has loaded.
package struct SQLFile: Sendable {
  /// The most bytes of one, as of a statement in SQLite.
  private static let mostBytes = 1_000_000_000

  package let path: String
  package let script: [UInt8]

  /// Reads all files; of a folder those whose names end in `.sql`, in the order of the bytes of their names.
  package static func read(_ paths: [String]) throws(IngestError) -> [SQLFile] {
    var files: [SQLFile] = []
    for path in paths {
      for file in try self.files(at: path) { files.append(try SQLFile(file)) }
    }
    return files
  }

  private static func files(at path: String) throws(IngestError) -> [String] {
    do throws(FileError) {
      guard let status = try status(of: path), status.st_mode & S_IFMT == S_IFDIR else {
        return [path]
      }
      let folder = path.hasSuffix("/") ? path : path + "/"
      // A name that begins with a dot is that of an editor's file.
      let names = try folderEntries(path).filter { $0.hasSuffix(".sql") && !$0.hasPrefix(".") }
      if !names.isEmpty {
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { folder + $0 }
      }
    } catch {
      throw unreadable(path, error)
    }
    throw IngestError(
      .inputMissing,
      "\(path): there is no file in this folder whose name ends in .sql. Check --sql, or leave it out."
    )
  }

  private init(_ path: String) throws(IngestError) {
    self.path = path
    do throws(FileError) {
      script = try contentsOfFile(path, mostBytes: Self.mostBytes)
    } catch {
      throw Self.unreadable(path, error)
    }
    try checkIsText()
  }

  private static func unreadable(_ path: String, _ error: FileError) -> IngestError {
    IngestError(
      .of(error.code == EFBIG ? EINVAL : error.code, otherwise: .inputMissing),
      "\(path): the SQL cannot be read: \(error.reason(mostBytes: mostBytes)). Check --sql.")
  }

  /// Throws if it is not UTF-8 without a NUL, with which SQLite would end it.
  private func checkIsText() throws(IngestError) {
    let lines = script.split(separator: 0x0a, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated()
    where line.contains(0) || String(validating: line, as: UTF8.self) == nil {
      throw IngestError(
        .data, runCode: .sqlFailed,
        "\(path):\(index + 1): \(line.contains(0) ? "there is a NUL" : "this is not UTF-8"). Nothing was "
          + "published. Save the file as UTF-8 text.")
    }
  }
}
