import Glibc

/// Where SQLite keeps the sorted runs of which it makes an index.
///
/// They are gone with the index, so a disk is of no use to them: in the memory file system the two
/// indexes of `inventory_parts` take 0.15 to 0.2 s less, and the whole run 0.3 s less of processor time.
package enum SortingFolder {
  /// A file system in memory on every Linux: POSIX shared memory needs it (shm_overview(7)).
  private static let memory = "/dev/shm"

  /// Lets SQLite sort in the memory file system if there is ample room for it, and nobody has chosen a
  /// folder by `SQLITE_TMPDIR` or `TMPDIR`.
  ///
  /// Only before the process has threads or uses SQLite: what is changed is the environment.
  ///
  /// - Parameter source: the folder of the dumps that will be loaded.
  package static func prepare(forDumpsIn source: String) {
    guard unsafe getenv("SQLITE_TMPDIR") == nil, unsafe getenv("TMPDIR") == nil,
      hasRoom(for: bytesNeeded(forDumpsIn: source), in: memory)
    else { return }
    unsafe setenv("SQLITE_TMPDIR", memory, 1)
  }

  /// Where SQLite sorts (<https://www.sqlite.org/tempfiles.html>).
  static var current: String {
    for name in ["SQLITE_TMPDIR", "TMPDIR"] {
      if let folder = unsafe getenv(name) { return unsafe String(cString: folder) }
    }
    return "/var/tmp or /tmp"
  }

  /// Whether a folder can be written and its file system has so many bytes to spare.
  static func hasRoom(for bytes: Int, in folder: String) -> Bool {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0, unsafe access(folder, W_OK | X_OK) == 0 else {
      return false
    }
    return Int(status.f_bavail) * Int(status.f_frsize) >= bytes
  }

  /// More than any memory has.
  private static let ample = 1 << 50

  /// Four times what the dumps hold, sixteen times what was seen to be used: a run must not fail because
  /// somebody else takes some of it meanwhile.
  static func bytesNeeded(forDumpsIn source: String) -> Int {
    guard let names = try? DumpFolder.names(in: source) else { return 0 }
    return names.reduce(0) { sum, name in
      var status = stat()
      guard unsafe stat("\(source)/\(name)", &status) == 0 else { return sum }
      // The dumps shrink to a sixth or a seventh.
      let shrinking = name.hasSuffix(".csv.gz") ? 7 : name.hasSuffix(".csv") ? 1 : 0
      // A file with holes may be said to have any size.
      return min(sum + min(Int(status.st_size), ample) * shrinking * 4, ample)
    }
  }
}
