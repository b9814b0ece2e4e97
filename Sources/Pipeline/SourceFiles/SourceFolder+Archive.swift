package import Facts
import Files
import Glibc
package import Compression
import SQLiteSwiftly
package import Schema

extension SourceFolder {
  /// A ZIP archive of all dumps, and the place of one of them in it.
  struct Archive: Equatable, Sendable {
    package let path: String
    /// What was opened when the directory was read; nil if the system does not say.
    package let identity: FileIdentity?
    package let entry: ZipEntry
  }

  /// Whether a source is an archive: a file that is called one, or begins as one.
  package static func isArchive(_ path: String) -> Bool {
    guard let status = try? status(of: path), status.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    return path.lowercased().hasSuffix(".zip") || MislabeledFile(at: path) == .compressed(.zip)
  }

  /// The files in an archive, those of the one folder that has dumps.
  package static func files(
    inArchive path: String, _ sources: [SourceDescription]
  ) throws(IngestError) -> [File] {
    let container = File(name: split(path).name, path: path)
    let reader: FileReader
    do throws(FileError) {
      reader = try FileReader(path: path)
    } catch {
      let kind = IngestError.Kind.of(error.code, otherwise: .inputMissing)
      throw IngestError(
        kind, code: kind == .inputMissing ? .fileUnreadable : nil,
        "\(path): cannot be opened: \(error.message). Check the file and its permissions.")
    }
    let identity = reader.identity
    let directory: ZipDirectory
    do throws(IngestError) {
      directory = try reader.zipDirectory(container)
    } catch {
      guard error.code == .notZip else { throw error }
      throw IngestError(
        .data, code: .notZip,
        "\(path): neither a folder of dumps nor a ZIP archive of them, though its name ends in .zip. "
          + "Check --source, or download the archive again.")
    }
    let names = Set(sources.flatMap(\.namesInArchive))
    let entries = directory.files.map { (String(decoding: $0.name, as: UTF8.self), $0) }
    let folders = Set(entries.compactMap { folder(of: $0.0, among: names) })
    guard folders.count <= 1 else {
      throw IngestError(
        .data, code: .fileAmbiguous,
        "\(path): has dumps in \(folders.count) folders: "
          + folders.sorted().map(\.quotedForMessage).joined(separator: ", ")
          + ". Pack only those that are meant.")
    }
    return entries.compactMap { whole, entry in
      let (folder, last) = split(whole)
      var name = last
      if let root = folders.first, folder != root {
        // Further down are only those that a description names.
        name = String(whole.dropFirst(root.count))
        guard whole.hasPrefix(root), names.contains(name) else { return nil }
      }
      var file = File(name: name, path: "\(path)/\(whole.escapedForMessage)")
      file.archive = Archive(path: path, identity: identity, entry: entry)
      return file
    }
  }

  /// The folder from which an entry has the longest of some names that it can; nil if it has none.
  private static func folder(of entry: String, among names: Set<String>) -> String? {
    var folder = ""
    for part in entry.split(separator: "/", omittingEmptySubsequences: false).map(String.init) {
      if names.contains(String(entry.dropFirst(folder.count))) { return folder }
      folder += part + "/"
    }
    return nil
  }
}

extension SourceDescription {
  /// What its dump may be called in an archive.
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
    do throws(ZipError) {
      return try ZipDirectory(of: self)
    } catch {
      throw IngestError(error, file)
    }
  }

  /// The one file in the ZIP archive of a table, whatever it is called.
  fileprivate borrowing func onlyZipEntry(_ file: SourceFolder.File) throws(IngestError) -> ZipEntry
  {
    let files = try zipDirectory(file).files
    guard let entry = files.first else {
      throw IngestError(
        .inputMissing, code: .fileMissing,
        "\(file.path): there is no file in the archive, where one is expected. Download it again.")
    }
    guard files.count == 1 else {
      let names = files.prefix(2).map(\.name).map { $0.span.quotedForMessage }
      throw IngestError(
        .data, code: .fileAmbiguous,
        "\(file.path): there are \(files.count) files in the archive, where one is expected, the "
          + "first two \(names.joined(separator: " and ")). Pack the dump alone, or give an archive of all "
          + "dumps to --source.")
    }
    return entry
  }
}

extension SourceFolder.File {
  /// Its entry in the archive that is open.
  func zipEntry(in reader: borrowing FileReader) throws(IngestError) -> ZipEntry {
    if let archive { return archive.entry }
    let identity = reader.identity
    do throws(IngestError) {
      return try reader.onlyZipEntry(self)
    } catch {
      // What looks like damage may be a file that is still being written.
      try check(identity, now: reader.identity)
      throw error
    }
  }
}

extension ZipEntry {
  package var facts: SourceCounts.Zip {
    SourceCounts.Zip(name: name.span.escapedForMessage, localTime: localTime)
  }
}

extension ZipDirectory {
  /// The files, but for those that macOS adds to the others.
  package var files: [ZipEntry] {
    entries.filter { !$0.isFolder && !$0.name.starts(with: "__MACOSX/".utf8) }
  }
}
