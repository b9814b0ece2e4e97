import Foundation
import TestSupport
import Testing

/// The folder for sorting index entries.
@Suite struct TemporaryFolderTests {
  private let command: Command
  private let dumps = Command.fixtures + "/dumps"

  init() throws { command = try Command() }

  private func load(sortingIn folder: String) throws -> ChildProcess.Outcome {
    try command.start(
      ["--source", dumps, "--out", command.catalog],
      by: ["/usr/bin/env", "SQLITE_TMPDIR=\(folder)"]
    ).outcome()
  }

  @Test(arguments: ["", "/nowhere", "file"])
  func `a temporary folder that does not exist is skipped`(name: String) throws {
    #expect(FileManager.default.createFile(atPath: command.folder + "/file", contents: nil))
    unsafe chmod(command.folder + "/file", 0o777)
    #expect(try load(sortingIn: name).status == 0)
    #expect(try command.names() == ["catalog.sqlite", "file"])
  }

  @Test func `a folder without source files is reported with a hint`() throws {
    // Root has write permission, but cannot create a file.
    let folder = "/proc"
    guard unsafe access(folder, W_OK) == 0 else { return }
    let outcome = try load(sortingIn: folder)
    #expect(outcome.status == 74)
    #expect(
      outcome.errors.contains(
        ".catalog.sqlite.ingest/database: the indexes cannot be sorted in /proc: No such file or directory "
          + "(SQLITE_IOERR, 10). Check that folder, or set SQLITE_TMPDIR to another one."))
    #expect(try command.names() == [])
  }
}
