import Vocabulary
import Foundation
import TestSupport
import Testing
import Text

/// A disk without space for the new database: reported before reading, also by a dry run.
@Suite(.enabled(if: Machine.canMount, "file systems cannot be mounted here"))
struct FreeSpaceTests {
  /// Runs on a file system with the fixtures' database and a number of free KiB.
  private func run(
    free: Int, _ options: String, prepare: String = ":", status: Int32
  ) throws -> ChildProcess.Outcome {
    let command = try Command()
    try command.putCatalog()
    let script = """
      exec unshare -m sh -c '
        mkdir disk && mount -t tmpfs -o size=\((size + 4095) / 4096 * 4 + free)k tmpfs disk &&
        cp catalog.sqlite disk && cd disk && \(prepare) &&
        "$0" --source "$1" --out catalog.sqlite \(options)
        status=$?
        cmp catalog.sqlite ../catalog.sqlite || exit 99
        exit $status' "$0" "$1"
      """
    return try command.shell(script, [FixtureCatalog.today.dumps], status: status)
  }

  private let size: Int

  init() throws { size = try FixtureCatalog.today.contents.count }

  @Test(arguments: ["", "--quiet", "--dry-run", "--dry-run --quiet"])
  func `free space under a quarter of the previous database is not enough`(options: String) throws {
    let free = size / 1024 / 5
    let result = try run(free: free, options, status: 74)
    #expect(result.output == "", "\(result)")
    let needed = (size / 4).grouped
    #expect(
      result.errors.contains(
        "not enough free space: the new database needs at least \(needed) bytes, a quarter of the "
          + "previous one, but the file system of "), "\(result)")
    #expect(result.errors.contains("/disk has "), "\(result)")
    #expect(result.errors.contains("Nothing was published."), "\(result)")
    // No source file was read.
    #expect(!result.errors.contains("records"), "\(result)")
  }

  @Test(arguments: ["", "--dry-run"])
  func `a database that fits is not refused`(options: String) throws {
    let result = try run(free: size / 1024 + 200, options, status: 0)
    #expect(result.errors == "", "\(result)")
  }

  @Test func `a dry run does not report unknown facts`() throws {
    let result = try run(free: size / 1024 / 2, "--dry-run", status: 0)
    #expect(result.output.contains("free space for more than a quarter of"))
  }

  @Test(arguments: ["", "--dry-run"])
  func `leftovers of a killed run count as free space`(options: String) throws {
    let blocks = size / 1024 + 100
    _ = try run(
      free: blocks + 100, options,
      prepare: """
        mkdir -m 700 .catalog.sqlite.ingest
        head -c \(blocks * 1024) /dev/zero >.catalog.sqlite.ingest/database
        """, status: 0)
  }

  @Test func `the first database has no changes`() throws {
    let command = try Command()
    let script = """
      exec unshare -m sh -c '
        mkdir disk && mount -t tmpfs -o size=64k tmpfs disk && cd disk &&
        "$0" --source "$1" --out catalog.sqlite' "$0" "$1"
      """
    let result = try command.shell(script, [FixtureCatalog.today.dumps], status: 74)
    #expect(!result.errors.contains("not enough free space"), "\(result)")
  }
}
