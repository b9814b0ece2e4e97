package import Facts
import Files
import Glibc

extension CandidateFile {
  /// Makes sure that the file could be made and published, and changes nothing; throws what a run would
  /// throw when it begins.
  package static func check(
    for options: IngestOptions, applicationID: Int32, patience: Patience
  ) throws(IngestError) {
    let output = resolvedPath(options.output)
    let path = unfinishedPath(of: output)
    guard unsafe access(parentFolder(of: output), W_OK | X_OK) == 0 else {
      throw OutputLock.cannotBeCreated(output, path)
    }
    try OutputLock.check(of: output, timeout: options.lockTimeout, patience: patience)
    _ = try OldCatalog(
      at: output, applicationID: applicationID, timeout: options.catalogTimeout, patience: patience)
    if options.keepsPrevious {
      try OldCatalog.check(previousPath(of: output), applicationID: applicationID)
    }
    for name in ([""] + suffixes).map({ path + $0 }) {
      do throws(FileError) {
        // What a killed run has left is removed, but a folder would be in the way.
        guard let status = try status(of: name, followsLinks: false),
          status.st_mode & S_IFMT == S_IFDIR
        else { continue }
        throw FileError(code: EISDIR)
      } catch {
        throw IngestError(
          .of(error.code, otherwise: .output),
          "\(output): cannot be created: \(error.message) (\(name)). Move it away, or choose another "
            + "file for --out.")
      }
    }
    try FreeSpace.check(for: output, besides: ([""] + suffixes).map { path + $0 })
  }
}
