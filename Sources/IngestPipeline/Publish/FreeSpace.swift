import Files
import Glibc

/// The room that a file system has for a new catalogue.
///
/// How large that becomes nobody knows before. A quarter of the old one is less than any but an odd run needs (half of
/// its rows may go without a word, and the search and SQL of the operator's own with them), so a run that would fit is
/// not refused; and a disk that has filled up is found before an hour of reading, and not filled to its end.
struct FreeSpace {
  /// What part of the old catalogue's size must be free.
  static let share = 4

  /// The bytes that a file may take.
  let bytes: Int
  /// Where the file system is mounted.
  let place: String

  /// Asks for the file system of a folder; nil if it does not say how large it is.
  init?(of folder: String) {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0, status.f_blocks > 0 else { return nil }
    // The superuser may use what is reserved.
    let blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail
    let unit = status.f_frsize > 0 ? status.f_frsize : status.f_bsize
    bytes = Int(
      clamping: blocks.multipliedReportingOverflow(by: unit).overflow ? .max : blocks * unit)
    place = Self.mountPoint(of: existingPath(folder) ?? folder)
  }

  /// Makes sure that there is room for the least that a catalogue needs.
  ///
  /// - Parameters:
  ///   - output: where the old catalogue is, if there is one, and the new one is to be.
  ///   - leftovers: files that are removed before anything is written.
  /// - Throws: `IngestError` if there is not; nothing if that is not known.
  static func check(for output: String, besides leftovers: [String] = []) throws(IngestError) {
    // What cannot be looked at is told by others.
    guard let old = try? status(of: output), let space = FreeSpace(of: parentFolder(of: output))
    else { return }
    let left = leftovers.compactMap { try? status(of: $0, followsLinks: false) }
    let free = left.reduce(space.bytes) { $0 &+ min(Int($1.st_size), Int($1.st_blocks) * 512) }
    // A file system that compresses takes less than the size.
    let needed = min(Int(old.st_size), Int(old.st_blocks) * 512) / share
    guard free < needed else { return }
    throw IngestError(
      .inputOutput,
      "\(output): not enough free space: the new catalogue needs at least \(needed.of("byte")), a quarter of the "
        + "old one, and the file system of \(space.place) has \(free.grouped). Nothing was published. Free some space "
        + "there; if the catalogue is rightly that small now, move the old one to another disk.")
  }

  /// The highest folder above a path that is on the same file system.
  private static func mountPoint(of path: String) -> String {
    var place = path
    while let own = try? status(of: place) {
      // Also of a folder whose name cannot be told, and is looked at from within.
      let parent = parentFolder(of: place)
      guard parent != place, let above = try? status(of: parent), above.st_dev == own.st_dev else {
        break
      }
      place = parent
    }
    return place
  }
}
