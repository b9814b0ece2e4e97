import Foundation

/// A folder with a source file that a debug build loads in a second or more.
struct LargeDumps {
  let path: String

  private static let lines = (1...30_000).map { "\($0),name of \($0),\n" }.joined()

  /// Creates it in the command's folder; `first` precedes all other records.
  init(for command: Command, first: String = "") throws {
    path = command.folder + "/large-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data(("id,name,parent_id\n" + first + Self.lines).utf8)
      .write(to: URL(fileURLWithPath: path + "/themes.csv"))
  }
}
