import Foundation

/// A folder with a source file that takes half a second or more to load.
struct LargeDumps {
  let path: String

  /// A release build is at least twenty times as fast as one for tests.
  private static let count = Command.isBuiltWithTests ? 30_000 : 600_000
  private static let lines = (1...count).map { "\($0),name of \($0),\n" }.joined()

  /// Creates it in the command's folder; `first` precedes all other records.
  init(for command: Command, first: String = "") throws {
    path = command.folder + "/large-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data(("id,name,parent_id\n" + first + Self.lines).utf8)
      .write(to: URL(fileURLWithPath: path + "/themes.csv"))
  }
}
