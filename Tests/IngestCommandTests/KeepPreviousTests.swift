import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

@testable import ingest

/// The previous database beside the new one, by `--keep-previous`.
struct KeepPreviousTests {
  private static let older = Command.fixtures + "/dumps-2020"
  private static let today = Command.fixtures + "/dumps"

  private func load(
    _ command: Command, _ source: String, _ options: String...
  ) throws -> ChildProcess.Outcome {
    try command.run(
      ["--source", source, "--out", command.catalog, "--keep-previous", "--max-shrink", "100%"]
        + options)
  }

  private func bytes(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

  /// All files but the source files, the lock and the rejected records.
  private func names(_ command: Command) throws -> [String] {
    try command.names().filter {
      !$0.hasSuffix(".lock") && !$0.contains(".rejects") && $0 != "dumps"
    }
  }

  @Test func `each run keeps the database that it replaces`() throws {
    let command = try Command()
    let previous = command.catalog + ".previous"
    let dumps = try DumpCopy(of: Self.today, for: command)
    #expect(try load(command, "dumps").status == 0)
    let first = try command.bytesOfCatalog()
    #expect(bytes(previous) == nil)
    try dumps.changeFields(of: "themes") { if $0[0] == "1" { $0[1] += "!" } }
    #expect(try load(command, "dumps").status == 0)
    #expect(bytes(previous) == first)
    let second = try command.bytesOfCatalog()
    #expect(first != second)
    #expect(try command.run(["check", previous]).status == 0)
    // What publishes nothing keeps nothing else.
    #expect(try load(command, "dumps", "--if-changed").status == 0)
    #expect(try load(command, Self.older, "--dry-run").status == 0)
    #expect(try load(command, Command.fixtures + "/broken/missing-value").status == 65)
    #expect(bytes(previous) == first)
    #expect(try load(command, Self.older).status == 0)
    #expect(bytes(previous) == second)
    // Without the option it is left alone.
    #expect(try command.load(Self.today, "--max-shrink", "100%").status == 0)
    #expect(bytes(previous) == second)
    #expect(try names(command) == ["catalog.sqlite", "catalog.sqlite.previous"])
    let links = try FileManager.default.attributesOfItem(atPath: previous)[.referenceCount]
    #expect(links as? Int == 1)
  }

  @Test func `while a change is not accepted, the last accepted database is kept`() throws {
    let command = try Command()
    let previous = command.catalog + ".previous"
    let dumps = try DumpCopy(of: Self.today, for: command)
    #expect(try load(command, "dumps").status == 0)
    let accepted = try command.bytesOfCatalog()
    for night in 1...3 {
      try dumps.changeFields(of: "parts") { $0[1] = "#N/A \($0[0]) \(night)" }
      #expect(try load(command, "dumps").errors.contains("changes-unusual"))
      #expect(bytes(previous) == accepted, "\(night)")
    }
    // The night that heals does not keep the last bad one either.
    #expect(try load(command, Self.today).errors == "")
    #expect(bytes(previous) == accepted)
  }

  @Test(arguments: ["file", "folder", "database"])
  func `a previous database never replaces what ingest did not make`(kind: String) throws {
    let command = try Command()
    let previous = command.catalog + ".previous"
    #expect(try load(command, Self.older).status == 0)
    let before = try command.bytesOfCatalog()
    switch kind {
    case "file": try Data("mine".utf8).write(to: URL(filePath: previous))
    case "folder":
      try makeFolder(previous)
    default: try Connection(previous, opening: .createNew).execute("CREATE TABLE mine (id)")
    }
    let mine = bytes(previous)
    for options in [[], ["--dry-run"]] {
      let refused = try command.run(
        ["--source", Self.today, "--out", command.catalog, "--keep-previous"] + options)
      #expect(refused.status == 73 && refused.errors.contains("\(previous): "), "\(refused)")
    }
    #expect(bytes(previous) == mine)
    #expect(try command.bytesOfCatalog() == before)
  }

  /// A killed run may leave the name under which a link is made, or both names for one file.
  @Test func `what a killed run has left is replaced`() throws {
    let command = try Command()
    let previous = command.catalog + ".previous"
    #expect(try load(command, Self.older).status == 0)
    let first = try command.bytesOfCatalog()
    try FileManager.default.linkItem(atPath: command.catalog, toPath: previous)
    try FileManager.default.linkItem(
      atPath: command.catalog, toPath: command.folder + "/.catalog.sqlite.previous.ingest")
    #expect(try load(command, Self.today).status == 0)
    #expect(bytes(previous) == first)
    #expect(try names(command) == ["catalog.sqlite", "catalog.sqlite.previous"])
  }

  @Test func `a link at the output stays, and its target is kept beside itself`() throws {
    let command = try Command()
    let folder = command.folder + "/data"
    try makeFolder(folder)
    try FileManager.default.createSymbolicLink(
      atPath: command.catalog, withDestinationPath: "data/real.sqlite")
    #expect(try load(command, Self.older).status == 0)
    let first = bytes(folder + "/real.sqlite")
    #expect(try load(command, Self.today).status == 0)
    #expect(bytes(folder + "/real.sqlite.previous") == first)
  }
}
