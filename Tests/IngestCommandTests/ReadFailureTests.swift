import Foundation
import TestSupport
import Testing

/// A disk or a server of files that fails to read a database.
@Suite(.needs(.strace)) struct ReadFailureTests {
  private let command: Command

  init() throws {
    command = try Command()
    try command.putCatalog()
    try FileManager.default.copyItem(
      atPath: command.catalog, toPath: command.folder + "/other.sqlite")
  }

  /// Runs a command in which some reads of the database fail.
  private func run(
    _ words: [String], failing reads: String, _ others: String...
  ) throws -> ChildProcess.Outcome {
    try command.start(
      words,
      by: [
        "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-P", command.catalog, "-e",
        "trace=pread64,read", "-e", "inject=pread64:error=\(reads)",
      ] + others.flatMap { ["-e", "inject=read:error=\($0)"] }
    ).outcome()
  }

  private static let commands = [
    ["history", "catalog.sqlite"], ["check", "catalog.sqlite"],
    ["diff", "catalog.sqlite", "other.sqlite"],
  ]

  /// SQLite ignores a failure to read its statistics, but ends the transaction.
  @Test(arguments: commands, ["ESTALE", "ETIMEDOUT", "EACCES"])
  func `a failed read is not a fault of the tool`(words: [String], error: String) throws {
    for read in stride(from: 1, through: 16, by: LongTests.areOn ? 1 : 5) {
      let result = try run(words, failing: "\(error):when=\(read)")
      // Some reads are repeated, and others are not needed.
      #expect([0, 74].contains(result.status), "\(words) \(error) \(read): \(result)")
    }
  }

  /// SQLite reports EIO as damage.
  @Test(arguments: commands, ["EIO", "ESTALE", "EACCES"])
  func `a database that cannot be read is not reported as damaged`(
    words: [String], error: String
  ) throws {
    for read in LongTests.areOn ? [1, 3, 9] : [3] {
      let result = try run(words, failing: "\(error):when=\(read)+", error)
      #expect(result.status == 74, "\(words) \(error) \(read): \(result)")
      #expect(result.errors.contains("Check the disk."), "\(words) \(read): \(result)")
    }
  }
}
