import Glibc
import SQLiteSwiftly

/// Where SQLite keeps the sorted runs of which it makes an index.
///
/// They are gone with the index, so a disk is of no use to them: in the memory file system the two
/// indexes of `inventory_parts` take 0.15 to 0.2 s less, and the whole run 0.3 s less of processor time.
/// But that is memory, and what a dump of a few megabytes has to sort can be gigabytes: so they are there
/// only if it is known, from the rows that were inserted, that they are few. All others are on the disk.
enum SortingFolder {
  /// A file system in memory on every Linux: POSIX shared memory needs it (shm_overview(7)).
  private static let memory = "/dev/shm"

  /// The folder in memory, if there is ample room in it for that many bytes, which are not too many, and
  /// nobody has chosen a folder by `SQLITE_TMPDIR` or `TMPDIR`.
  static func inMemory(for bytes: Int) -> String? {
    guard bytes <= Tuning.mostSortedInMemory, unsafe getenv("SQLITE_TMPDIR") == nil,
      unsafe getenv("TMPDIR") == nil,
      // A run must not fail because somebody else takes some of it meanwhile.
      hasRoom(for: 4 * bytes, in: memory)
    else { return nil }
    return memory
  }

  /// Where SQLite sorts (<https://www.sqlite.org/tempfiles.html>).
  static var current: String {
    for name in ["SQLITE_TMPDIR", "TMPDIR"] {
      if let folder = unsafe getenv(name) { return unsafe String(cString: folder) }
    }
    return "\(memory), /var/tmp or /tmp"
  }

  /// Whether a folder can be written and its file system has that many bytes to spare.
  static func hasRoom(for bytes: Int, in folder: String) -> Bool {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0, unsafe access(folder, W_OK | X_OK) == 0 else {
      return false
    }
    return Int(status.f_bavail) * Int(status.f_frsize) >= bytes
  }
}

extension Connection {
  /// Runs `body`, which sorts in a folder; nil for where SQLite sorts by itself.
  ///
  /// The pragma is said to be deprecated, and a library without it sorts where it would have
  /// (<https://www.sqlite.org/pragma.html#pragma_temp_store_directory>). It holds for the whole process, in
  /// which nobody else sorts meanwhile.
  func sorting(
    in folder: String?, _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard let folder else { return try body() }
    _ = try query(SQL(generated: "PRAGMA temp_store_directory = '\(folder)'"))
    let result = Result { () throws(SQLiteError) in try body() }
    _ = try query("PRAGMA temp_store_directory = ''")
    try result.get()
  }
}
