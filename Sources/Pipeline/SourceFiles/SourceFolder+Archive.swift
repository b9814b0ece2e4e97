package import Vocabulary
import Platform
import Glibc
package import Compression
package import Schema
import Text

extension SourceFolder {
  struct Archive: Equatable, Sendable {
    let path: String
    /// The identity of the archive when its directory was read; nil if the system does not report one.
    let identity: FileIdentity?
    let entry: ZipEntry
  }

  /// Whether a source is an archive, by its name or its first bytes.
  package static func isArchive(_ path: String) -> Bool {
    guard let status = try? status(of: path), status.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    return path.lowercased().hasByteSuffix(".zip") || MislabeledFile(at: path) == .compressed(.zip)
  }

  /// The files of the one folder of an archive that has source files.
  package static func files(
    inArchive path: String, _ sources: [SourceDescription]
  ) throws(IngestError) -> [File] {
    let container = File(name: split(path).name, path: path)
    let reader = try mapError(FileReader(path: path), as: { .sourceUnopenable(path, $0) })
    let identity = reader.identity
    let directory = try mapError(
      reader.zipDirectory(container),
      as: { (error: IngestError) in
        guard error.code == .file(.notZip) else { return error }
        return IngestError(
          .data, code: .file(.notZip),
          "\(path): neither a folder of source files nor a ZIP archive of them, although its name ends in "
            + ".zip. Check --source, or download the archive again.")
      })
    let names = Set(sources.flatMap(\.namesInArchive))
    let entries = directory.files.map { (String(decoding: $0.name, as: UTF8.self), $0) }
    let folders = Set(entries.compactMap { folder(of: $0.0, among: names) })
    guard folders.count <= 1 else {
      throw IngestError(
        .data, code: .file(.fileAmbiguous),
        "\(path): source files in \(folders.count) folders: "
          + folders.sorted().map(\.quotedForMessage).joined(separator: ", ")
          + ". Pack only the intended ones.")
    }
    return entries.compactMap { whole, entry in
      let (folder, last) = split(whole)
      var name = last
      if let root = folders.first, folder != root {
        // In subfolders, only files named by a description count.
        guard whole.hasBytePrefix(root) else { return nil }
        name = whole.dropping(prefix: root)
        guard names.contains(name) else { return nil }
      }
      var file = File(name: name, path: "\(path)/\(whole.escapedForMessage)")
      file.archive = Archive(path: path, identity: identity, entry: entry)
      return file
    }
  }

  /// The shortest leading folder after which the rest of an entry is one of some names; nil if there is none.
  private static func folder(of entry: String, among names: Set<String>) -> String? {
    var folder = ""
    for part in entry.split(separator: "/", omittingEmptySubsequences: false).map(String.init) {
      if names.contains(entry.dropping(prefix: folder)) { return folder }
      folder += part + "/"
    }
    return nil
  }
}

extension SourceDescription {
  fileprivate var namesInArchive: [String] {
    switch place {
    case .named: SourceFolder.endings(of: self, isArchive: true).map { table + $0 }
    case .files(let names): names
    case .inline: []
    }
  }
}

extension FileReader {
  fileprivate borrowing func zipDirectory(
    _ file: SourceFolder.File
  ) throws(IngestError) -> ZipDirectory {
    try mapError(ZipDirectory(of: self), as: { (error: ZipError) in IngestError(error, file) })
  }

  /// The only file in the ZIP archive of a table, whatever its name.
  fileprivate borrowing func onlyZipEntry(_ file: SourceFolder.File) throws(IngestError) -> ZipEntry
  {
    let files = try zipDirectory(file).files
    guard let entry = files.first else {
      throw IngestError(
        .inputMissing, code: .file(.fileMissing),
        "\(file.path): no file in the archive; expected one. Download it again.")
    }
    guard files.count == 1 else {
      let names = files.prefix(2).map(\.name).map { $0.span.quotedForMessage }
      throw IngestError(
        .data, code: .file(.fileAmbiguous),
        "\(file.path): \(files.count) files in the archive; expected one. The first two are "
          + "\(names.joined(separator: " and ")). Pack the source file alone, or pass an archive of all "
          + "source files to --source.")
    }
    return entry
  }
}

extension SourceFolder.File {
  func zipEntry(in reader: borrowing FileReader) throws(IngestError) -> ZipEntry {
    if let archive { return archive.entry }
    let identity = reader.identity
    do throws(IngestError) {
      return try reader.onlyZipEntry(self)
    } catch {
      // Apparent damage may be a file that is still being written.
      try check(identity, now: reader.identity)
      throw error
    }
  }
}

extension ZipDirectory {
  /// The files, except those that macOS adds.
  package var files: [ZipEntry] {
    entries.filter { !$0.isFolder && !$0.name.starts(with: "__MACOSX/".utf8) }
  }
}
