import Platform
import Glibc
import Text

/// A file of custom SQL, which a run executes on the loaded data.
package struct SQLFile: Sendable {
  /// The most bytes of a file, which is the limit of a statement in SQLite.
  private static let mostBytes = 1_000_000_000

  package let path: String
  package let script: [UInt8]

  /// Reads all files, and those of folders that end in `.sql`, in the byte order of their names.
  package static func read(_ paths: [String]) throws(IngestError) -> [SQLFile] {
    var files: [SQLFile] = []
    for path in paths {
      for file in try self.files(at: path) { files.append(try SQLFile(file)) }
    }
    return files
  }

  private static func files(at path: String) throws(IngestError) -> [String] {
    let entries = try mapError(as: {
      .unreadable(path, "SQL", $0, mostBytes: mostBytes, option: "--sql")
    }) { () throws(FileError) -> [String]? in
      guard let status = try status(of: path), status.st_mode & S_IFMT == S_IFDIR else {
        return nil
      }
      return try folderEntries(path)
    }
    guard let entries else { return [path] }
    let folder = path.hasByteSuffix("/") ? path : path + "/"
    // Files that begin with a dot belong to editors.
    let names = entries.filter { $0.hasByteSuffix(".sql") && !$0.hasBytePrefix(".") }
    guard !names.isEmpty else { throw .sqlFolderEmpty(path) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { folder + $0 }
  }

  private init(_ path: String) throws(IngestError) {
    self.path = path
    script = try mapError(
      contentsOfFile(path, mostBytes: Self.mostBytes),
      as: { .unreadable(path, "SQL", $0, mostBytes: Self.mostBytes, option: "--sql") })
    try checkIsText()
  }

  /// Throws if it is not UTF-8, or contains a NUL, at which SQLite would stop.
  private func checkIsText() throws(IngestError) {
    let lines = script.split(separator: 0x0a, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated()
    where line.contains(0) || String(validating: line, as: UTF8.self) == nil {
      throw .sqlNotText(path, line: index + 1, hasNUL: line.contains(0))
    }
  }
}

/// The result of a file of custom SQL.
package struct SQLFileResult: Equatable, Sendable {
  package let file: String
  /// The last part of the path, as stored in the database.
  package var name: String { split(file).name }
  /// The number of statements; nil if it was not run.
  package var statements: Int? = nil
  /// The objects that it created and did not drop, without those that SQLite added.
  package var objects: [SchemaObject] = []
  package var seconds = 0.0

  package init(file: String) { self.file = file }
}

package struct SchemaObject: Equatable, Sendable {
  /// `table`, `index`, `view` or `trigger`.
  package let type: String
  package let name: String

  package init(type: String, name: String) {
    self.type = type
    self.name = name
  }
}
