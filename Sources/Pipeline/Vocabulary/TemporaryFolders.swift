import Glibc

/// The folders for incomplete indexes: first their entries, then their pages.
///
/// They disappear with the run, so they need no disk. But memory is limited, and a source file of a few megabytes can
/// require gigabytes for sorting: only the first of them are in the memory file system.
package enum TemporaryFolders {
  /// A file system in memory on every Linux: POSIX shared memory needs it (shm_overview(7)).
  package static let memory = "/dev/shm"

  /// The environment variables that select a folder, in order of precedence.
  private static let variables = ["SQLITE_TMPDIR", "TMPDIR"]

  /// Whether a folder was selected, even an unusable one.
  package static var isChosen: Bool { variables.contains { unsafe getenv($0) != nil } }

  /// The folder on disk, which SQLite would also use (<https://www.sqlite.org/tempfiles.html>).
  package static var disk: String {
    let chosen = variables.compactMap { name in
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }
    return (chosen + ["/var/tmp", "/usr/tmp", "/tmp"]).first(where: isFolderToWriteTo) ?? "."
  }

  /// The folders of temporary files, as text.
  package static var names: String { isChosen ? disk : "\(memory) or \(disk)" }

  private static func isFolderToWriteTo(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
    return unsafe access(path, W_OK | X_OK) == 0
  }

  /// The free bytes of a folder; 0 if it cannot be written.
  package static func spareBytes(in folder: String) -> Int {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0, isFolderToWriteTo(folder) else { return 0 }
    return Int(
      clamping: status.f_bavail.multipliedReportingOverflow(by: status.f_frsize).partialValue)
  }
}
