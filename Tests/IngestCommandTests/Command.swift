import Foundation
import Testing

/// The built command, run as a user would run it, in a folder of its own.
final class Command {
  /// What a run left: its exit status and what it printed.
  struct Result: CustomStringConvertible {
    let status: Int32
    let output: String
    let errors: String
    var description: String { "status \(status)\n--- output\n\(output)\n--- errors\n\(errors)" }
  }

  /// The folder, where the catalogue goes too.
  let folder: String
  var catalog: String { folder + "/catalog.sqlite" }

  /// The package's own folder.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  static let fixtures = package + "/fixtures"

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/ingest-command-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The executable that was built together with these tests.
  static func executable() throws -> URL {
    let bundle = try #require(
      CommandLine.arguments.first { $0.hasSuffix(".xctest") }, "the test bundle's path is unknown")
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("ingest")
  }

  /// Runs the command to its end.
  func run(_ arguments: [String]) throws -> Result { try start(arguments).result() }

  /// Starts the command, or another program with the command's path before its last arguments.
  func start(_ arguments: [String], by program: [String] = []) throws -> RunningCommand {
    let process = Process()
    let words = program + [try Self.executable().path] + arguments
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    return try RunningCommand(process)
  }

  /// Runs a script of the shell in which `$0` is the command; returns its exit status.
  func shell(_ script: String, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, try Self.executable().path] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  static func newFile(_ path: String) throws -> FileHandle {
    let url = URL(fileURLWithPath: path)
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
  }

  /// Loads a folder of dumps into the catalogue.
  func load(_ source: String, _ options: String...) throws -> Result {
    try run(["--source", source, "--out", catalog] + options)
  }

  /// The files in the folder.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  func bytesOfCatalog() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: catalog)) }
}
