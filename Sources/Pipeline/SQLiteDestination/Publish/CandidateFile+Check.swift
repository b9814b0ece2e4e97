package import Vocabulary
package import Platform
import Glibc

extension CandidateFile {
  /// Checks that the file could be created and published, without changing anything; throws what a run would throw
  /// at its start.
  package static func check(
    for options: IngestOptions, applicationID: Int32, patience: Patience
  ) throws(IngestError) {
    let output = try place(of: options)
    let (folder, path) = (folder(for: output), path(for: output))
    guard unsafe access(parentFolder(of: output), W_OK | X_OK) == 0 else {
      throw IngestError.cannotBeCreated(output, folder)
    }
    try OutputLock.check(of: output, timeout: options.lockTimeout, patience: patience)
    _ = try OldCatalog(
      at: output, applicationID: applicationID, timeout: options.catalogTimeout, patience: patience)
    if options.keepsPrevious {
      try OldCatalog.check(previousPath(of: output), applicationID: applicationID)
    }
    let isOurs = try mapError(
      isPrivateFolder(folder), as: { .cannotBeCreated(output, folder, $0) })
    guard isOurs != false else { throw .folderTaken(output, by: folder) }
    for name in ([""] + suffixes).map({ path + $0 }) {
      let status = try mapError(
        status(of: name, followsLinks: false), as: { .nameTaken(output, by: name, $0) })
      // A run removes the files of a killed run, but not a folder.
      guard let status, status.st_mode & S_IFMT == S_IFDIR else { continue }
      throw .nameTaken(output, by: name, FileError(code: EISDIR))
    }
    try FreeSpace.check(for: output, besides: ([""] + suffixes).map { path + $0 })
  }
}
