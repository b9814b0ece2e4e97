import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// The folder in which a run builds the new database, in a folder that everybody can write to.
@Suite struct CandidateFolderTests {
  private static let folder = ".catalog.sqlite.ingest"
  private static let candidate = folder + "/database"
  private let command: Command
  private let dumps = Command.fixtures + "/dumps"

  init() throws {
    command = try Command()
    try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: command.folder)
  }

  /// A write-ahead log that adds a view to a database.
  private func log(for database: String) throws -> Data {
    let copy = command.path("copy.sqlite")
    try FileManager.default.copyItem(atPath: database, toPath: copy)
    let connection = try Connection(copy, opening: .openExisting)
    _ = try connection.query("PRAGMA journal_mode = WAL")
    try connection.execute("CREATE VIEW planted AS SELECT 1 AS a")
    let log = try Data(contentsOf: URL(fileURLWithPath: copy + "-wal"))
    try connection.close()
    try FileManager.default.removeItem(atPath: copy)
    return log
  }

  @Test func `a write-ahead log that another user has planted is not applied`() throws {
    // When the file is loaded, and opened again to complete it.
    let run = try command.start(
      ["--source", dumps, "--out", command.catalog, "--quiet"], heldAt: .open, Self.candidate,
      number: 3)
    let log = try log(for: command.path(Self.candidate))
    try log.write(to: URL(fileURLWithPath: command.path(Self.folder) + "-wal"))
    let isRoot = getuid() == 0
    if isRoot {
      // Another user cannot place anything in the folder, nor move it away.
      let script = """
        cd "$1" && for call in "touch $2-wal" "mv $3 moved" "ls $3"; do
          setpriv --reuid=65534 --regid=65534 --clear-groups $call 2>>errors.txt && exit 1
        done; cat errors.txt >&2; rm errors.txt
        """
      try command.shell(script, [command.folder, Self.candidate, Self.folder])
    }
    try run.outcome(status: 0)
    #expect(try command.rows("SELECT name FROM sqlite_schema WHERE name = 'planted'") == [])
    #expect(try command.run(["check", command.catalog]).status == 0)
    #expect(try command.names() == [Self.folder + "-wal", "catalog.sqlite"])
  }

  @Test(arguments: ["file", "link", "other owner", "mode 0755", "mode 0770"])
  func `a folder that others can write to is not used`(kind: String) throws {
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let folder = command.path(Self.folder)
    switch kind {
    case "file": try Data("text".utf8).write(to: URL(fileURLWithPath: folder))
    case "link":
      try FileManager.default.createDirectory(
        atPath: command.path("private"), withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      try FileManager.default.createSymbolicLink(
        atPath: folder, withDestinationPath: command.path("private"))
    default:
      let mode = Int(kind.suffix(3), radix: 8) ?? 0o700
      try makeFolder(folder)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
      if kind == "other owner", unsafe chown(folder, 65534, 65534) != 0 {
        try Test.cancel("only root may give folders away")
      }
    }
    let names = try command.names()
    for option in [[], ["--dry-run"]] {
      let result = try command.run(
        ["--source", dumps, "--out", command.catalog] + option, status: 73)
      #expect(result.errors.contains("expected at \(folder) nothing, or a folder"), "\(result)")
      #expect(try command.names() == names)
      #expect(try command.bytesOfCatalog() == before)
    }
  }

  @Test func `what a killed run has left there is removed by the next`() throws {
    let run = try command.start(
      ["--source", dumps, "--out", command.catalog, "--quiet"], heldAt: .rename, Self.candidate)
    run.running.send(SIGKILL)
    #expect(try run.outcome().status == 137)
    #expect(try command.names() == [Self.folder, Self.folder + ".lock"])
    try Data("left".utf8).write(to: URL(fileURLWithPath: command.path(Self.candidate) + "-journal"))
    #expect(try command.load(dumps, "--quiet").status == 0)
    #expect(try command.names() == ["catalog.sqlite"])
  }
}
