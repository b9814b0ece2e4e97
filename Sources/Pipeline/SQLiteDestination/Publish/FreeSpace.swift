import Vocabulary
import Platform
import Glibc

/// The free space of a file system for a new database.
///
/// The size of the new database is not known in advance. A quarter of the previous one is less than nearly every run
/// needs: half of the rows may disappear without a warning, and with them the search and the tables of custom SQL. So a
/// run that would fit is not refused, and a full disk is detected before an hour of reading.
enum FreeSpace {
  /// The fraction of the previous database's size that must be free.
  private static let share = 4

  /// Checks that the minimum is free, if it is known; `leftovers` are removed before anything is written.
  static func check(for output: String, besides leftovers: [String] = []) throws(IngestError) {
    let folder = parentFolder(of: output)
    // An unreadable file is reported elsewhere.
    guard let old = try? status(of: output), let free = bytes(in: folder) else { return }
    let left = leftovers.compactMap { try? status(of: $0, followsLinks: false) }
    // A compressing file system stores less than the size.
    let needed = size(of: old) / share
    guard left.reduce(free, { $0 + size(of: $1) }) < needed else { return }
    // A folder whose name is not UTF-8 has no path in text.
    let place = existingPath(folder).map(mountPoint) ?? folder
    throw .notEnoughSpace(output, needed: needed, free: free, on: place)
  }

  /// The bytes available to a file in a folder; nil if the file system does not report its size.
  private static func bytes(in folder: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
    // The superuser can use the reserved blocks.
    let blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail
    let (bytes, overflow) = blocks.multipliedReportingOverflow(
      by: status.f_frsize > 0 ? status.f_frsize : status.f_bsize)
    // Far more than any file, and small enough to be added to.
    return overflow ? 1 << 60 : min(Int(clamping: bytes), 1 << 60)
  }

  private static func size(of file: stat) -> Int {
    min(Int(file.st_size), Int(file.st_blocks) * 512)
  }

  /// The highest folder above an absolute path that is on the same file system.
  private static func mountPoint(of path: String) -> String {
    var place = path
    while place != "/", let own = try? status(of: place) {
      let parent = parentFolder(of: place)
      guard let above = try? status(of: parent), above.st_dev == own.st_dev else { break }
      place = parent
    }
    return place
  }
}
