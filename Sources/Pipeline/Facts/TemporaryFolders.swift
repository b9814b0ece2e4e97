import Glibc

/// Where indexes are until they are complete: first their entries, then their pages.
///
/// They are gone with the run, so a disk is of no use to them. But memory is scarce, and what a dump of a
/// few megabytes has to sort can be gigabytes: so only the first of them are in the file system in memory.
package enum TemporaryFolders {
  /// A file system in memory on every Linux: POSIX shared memory needs it (shm_overview(7)).
  package static let memory = "/dev/shm"

  /// The variables by which a folder is chosen, the first one first.
  private static let variables = ["SQLITE_TMPDIR", "TMPDIR"]

  /// Whether somebody has chosen a folder, be it one that cannot be used.
  package static var isChosen: Bool { variables.contains { unsafe getenv($0) != nil } }

  /// The folder on the disk: where SQLite would sort (<https://www.sqlite.org/tempfiles.html>).
  package static var disk: String {
    let chosen = variables.compactMap { name in
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }
    return (chosen + ["/var/tmp", "/usr/tmp", "/tmp"]).first(where: isFolderToWriteTo) ?? "."
  }

  /// The folders that temporary files are in, in words.
  package static var names: String { isChosen ? disk : "\(memory) or \(disk)" }

  private static func isFolderToWriteTo(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
    return unsafe access(path, W_OK | X_OK) == 0
  }

  /// The bytes that a folder has to spare; 0 if it cannot be written.
  package static func spareBytes(in folder: String) -> Int {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0, isFolderToWriteTo(folder) else { return 0 }
    return Int(
      clamping: status.f_bavail.multipliedReportingOverflow(by: status.f_frsize).partialValue)
  }
}
