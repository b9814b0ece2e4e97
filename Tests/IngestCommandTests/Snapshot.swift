import Foundation

/// Rebrickable's dumps, if they are beside the package; otherwise the tests that use them are skipped.
///
/// `.ci/run` loads them completely, and compares each field with Python's reading.
enum Snapshot {
  static let complete = Command.package + "/../shared/data/rebrickable-2020-06-09"
  static var isThere: Bool { FileManager.default.fileExists(atPath: complete) }
}
