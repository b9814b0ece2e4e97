import Facts
import Files
import Glibc

/// The room that a file system has for a new catalog.
///
/// Its size is not known in advance. A quarter of the old one is less than any but an odd run needs (half of
/// its rows may go without a warning, and the search and SQL of the operator's own with them), so a run that would fit is
/// not refused; and a disk that has filled up is found before an hour of reading, and not filled to its end.
enum FreeSpace {
  /// What part of the old catalog's size must be free.
  private static let share = 4

  /// Makes sure that there is room for the least that a catalog needs, if that is known; `leftovers`
  /// are removed before anything is written.
  static func check(for output: String, besides leftovers: [String] = []) throws(IngestError) {
    let folder = parentFolder(of: output)
    // Files that cannot be read are reported elsewhere.
    guard let old = try? status(of: output), let free = bytes(in: folder) else { return }
    let left = leftovers.compactMap { try? status(of: $0, followsLinks: false) }
    // A file system that compresses takes less than the size.
    let needed = size(of: old) / share
    guard left.reduce(free, { $0 + size(of: $1) }) < needed else { return }
    // No text names a folder whose name is not UTF-8.
    let place = existingPath(folder).map(mountPoint) ?? folder
    throw IngestError(
      .inputOutput,
      "\(output): not enough free space: the new catalog needs at least \(needed.of("byte")), a quarter of the "
        + "old one, and the file system of \(place) has \(free.grouped). Nothing was published. Free some space "
        + "there; if the catalog is rightly that small now, move the old one to another disk.")
  }

  /// The bytes that a file in a folder may take; nil if the file system does not say how large it is.
  private static func bytes(in folder: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
    // The superuser may use what is reserved.
    let blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail
    let (bytes, overflow) = blocks.multipliedReportingOverflow(
      by: status.f_frsize > 0 ? status.f_frsize : status.f_bsize)
    // Far more than any file, and little enough to be added to.
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
