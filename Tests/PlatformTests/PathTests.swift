import Foundation
import Testing
@testable import Platform

@Suite struct PathTests {
  /// A path is unchanged, unless a link leads elsewhere.
  @Test(arguments: [
    ("real/file", "real/file"), ("real/./file", "real/./file"), ("real//file", "real//file"),
    ("real/../real/file", "real/../real/file"), ("real/", "real"), ("link/file", "real/file"),
    ("alias", "real/file"),
    ("real/none", "real/none"), ("dangling", "real/none"),
  ])
  func `a path is followed where a link is on its way`(path: String, expected: String) throws {
    let folder = try #require(existingPath(NSTemporaryDirectory())) + "/paths-\(UUID().uuidString)"
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder + "/real", withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: folder) }
    try Data().write(to: URL(fileURLWithPath: folder + "/real/file"))
    for (link, target) in [("link", "real"), ("alias", "real/file"), ("dangling", "real/none")] {
      try manager.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: target)
    }
    #expect(resolvedPath("\(folder)/\(path)") == "\(folder)/\(expected)")
  }

  @Test func `a relative path stays one`() throws {
    let name = try #require(folderEntries(".").first { !$0.hasPrefix(".") })
    #expect(resolvedPath(name) == name && resolvedPath("./" + name) == "./" + name)
    #expect(resolvedPath(".") == existingPath(".") && resolvedPath("..") == existingPath(".."))
    #expect(resolvedPath("no such file") == "no such file")
  }
}
