import Foundation

/// Gives `body` the path of a folder that is gone after it.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try body(url.path)
}

/// The bytes of all files below `path`, by their paths within it.
func contentsOfFolder(_ path: String) throws -> [String: Data] {
  var contents: [String: Data] = [:]
  for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
    let file = URL(filePath: path).appending(path: name)
    let isFile = try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile ?? false
    if isFile { contents[name] = try Data(contentsOf: file) }
  }
  return contents
}

/// The project's own folder of fixtures.
let fixtures = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "fixtures").path
