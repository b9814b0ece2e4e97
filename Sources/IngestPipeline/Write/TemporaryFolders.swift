import Glibc
import IndexLoader

/// Where the entries of indexes are until they are all there.
///
/// They are gone with the run, so a disk is of no use to them. But memory is scarce, and what a dump of a
/// few megabytes has to sort can be gigabytes: so only the first of them are in the file system in memory.
enum TemporaryFolders {
  /// A file system in memory on every Linux: POSIX shared memory needs it (shm_overview(7)).
  private static let memory = "/dev/shm"

  /// The variables by which a folder is chosen, the first one first.
  private static let variables = ["SQLITE_TMPDIR", "TMPDIR"]

  /// A file for sorted runs: in memory first, if there is ample room and nobody has chosen a folder, then
  /// where SQLite would sort (<https://www.sqlite.org/tempfiles.html>).
  static func spillFile() -> SpillFile {
    let chosen = variables.compactMap { name in
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }
    let folders = chosen + ["/var/tmp", "/usr/tmp", "/tmp"]
    let disk = folders.first { unsafe access($0, W_OK | X_OK) == 0 } ?? "."
    // A run must not fail because somebody else takes some of it meanwhile.
    let room = chosen.isEmpty ? min(spareBytes(in: memory) / 4, Tuning.mostSpilledToMemory) : 0
    return SpillFile(memory: room > 0 ? (memory, room) : nil, disk: disk)
  }

  /// The folders that temporary files are in, in words.
  static var names: String {
    for name in variables {
      if let folder = unsafe getenv(name) { return unsafe String(cString: folder) }
    }
    return "\(memory), /var/tmp or /tmp"
  }

  /// The bytes that a folder has to spare; 0 if it cannot be written.
  static func spareBytes(in folder: String) -> Int {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0, unsafe access(folder, W_OK | X_OK) == 0 else {
      return 0
    }
    return Int(
      clamping: status.f_bavail.multipliedReportingOverflow(by: status.f_frsize).partialValue)
  }
}
