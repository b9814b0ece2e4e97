import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// The built command, run like a user would, in a separate folder.
final class Command {
  /// The folder, also of the database.
  let folder: String
  var catalog: String { folder + "/catalog.sqlite" }

  /// The folder of the package.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  static let fixtures = package + "/fixtures"

  /// The text of a file in the package.
  static func text(of path: String) throws -> String {
    try String(contentsOfFile: package + "/" + path, encoding: .utf8)
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/ingest-command-" + UUID().uuidString
    try makeFolder(folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private static let named = ProcessInfo.processInfo.environment["INGEST"]

  /// The command that the variable `INGEST` names, such as a release build, or else the one built with these tests.
  static func executable() throws -> String {
    if let named { return named }
    return try testFolder() + "/ingest"
  }

  /// The folder of the built tests.
  static func testFolder() throws -> String {
    let bundle = try #require(
      CommandLine.arguments.first { $0.hasSuffix(".xctest") }, "the test bundle's path is unknown")
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
  }

  /// Runs the command to its end, and expects an exit status if one is given.
  @discardableResult
  func run(
    _ arguments: [String], status: Int32? = nil, at location: SourceLocation = #_sourceLocation
  ) throws -> ChildProcess.Outcome {
    try start(arguments).outcome().expecting(status, location)
  }

  /// Starts the command, or another program with the command's path before the last arguments.
  func start(_ arguments: [String], by program: [String] = []) throws -> ChildProcess.Running {
    let words = program + [try Self.executable()] + arguments
    return try ChildProcess(words[0], Array(words.dropFirst()), folder: folder).start()
  }

  /// Runs the command with a library that replaces functions, which variables such as `FAILS_AT=a.json` control.
  func run(
    _ arguments: [String], preloading library: Result<String, any Error>, _ variables: String...
  ) throws -> ChildProcess.Outcome {
    try start(arguments, by: ["/usr/bin/env", "LD_PRELOAD=\(library.get())"] + variables).outcome()
  }

  /// Runs a shell script in which `$0` is the command, and expects its exit status.
  ///
  /// What it prints is shown only if the test fails.
  @discardableResult
  func shell(
    _ script: String, _ arguments: [String] = [], status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ChildProcess.Outcome {
    try start(arguments, by: ["/bin/sh", "-c", script]).outcome().expecting(status, sourceLocation)
  }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder + "/" + name }

  /// Writes a file in the folder; returns its path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// The text of a file in the folder.
  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// The object of a JSON file in the folder, such as a report.
  func json(_ name: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(text(name).utf8))
    return try #require(object as? [String: Any])
  }

  /// The rows of a query on the database.
  func rows(_ query: SQL) throws -> [[SQLiteValue]] {
    let connection = try Connection(catalog, opening: .readOnly)
    return try connection.query(query).map { row in Array(row) }
  }

  /// Loads a folder of source files into the database.
  @discardableResult
  func load(
    _ source: String, _ options: String..., status: Int32? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws -> ChildProcess.Outcome {
    try run(["--source", source, "--out", catalog] + options, status: status, at: location)
  }

  /// Saves the edited rejected records as repairs, and loads the source files with them.
  @discardableResult
  func repairAndLoad(
    _ source: String, _ options: String..., load loadOptions: [String] = [], status: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> ChildProcess.Outcome {
    let repairs = ["--repairs", folder + "/repairs"]
    let saved = try run(
      ["repair", "--source", source, "--rejects", catalog + ".rejects"] + repairs + options)
    guard saved.status == 0 else { return saved.expecting(status, location) }
    return try run(
      ["--source", source, "--out", catalog] + repairs + options + loadOptions, status: status,
      at: location)
  }

  /// Copies the fixtures' database there, as if they had been loaded.
  func putCatalog() throws { try FixtureCatalog.today.put(at: catalog) }

  /// The files in the folder.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  func bytesOfCatalog() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: catalog)) }
}
