import Foundation
import TestSupport

/// A folder of its own for one run at a time: `dumps`, `out` and `temp` are the run's, the rest is ours.
struct Workspace {
  let path: String
  /// What the shim takes for the run's own.
  var root: String { path + "/run" }
  var output: String { root + "/out" }
  var catalog: String { output + "/catalog.sqlite" }
  var temporary: String { root + "/temp" }
  private var hit: String { path + "/hit" }
  private var list: String { path + "/list" }

  init(_ path: String) throws {
    self.path = path
    for folder in [path, root] {
      try makeFolder(folder)
    }
  }

  /// Takes over the dumps of a situation.
  func putDumps(_ dumps: String) throws { try replace(root + "/dumps", with: dumps) }

  /// Puts what was there before a run, or nothing.
  func restore(_ before: String) throws {
    try replace(output, with: before)
    try? FileManager.default.removeItem(atPath: temporary)
    try makeFolder(temporary)
  }

  private func replace(_ path: String, with other: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: other, toPath: path)
  }

  /// What is in the output folder and the temporary one.
  func contents() throws -> (output: FolderContents, temporary: FolderContents) {
    (try FolderContents(of: output), try FolderContents(of: temporary))
  }

  /// The command with the arguments of a situation.
  func command(_ ingest: String, _ situation: Situation) -> ChildProcess {
    bounded(ingest, situation.arguments(in: self), temporary: temporary)
  }

  /// A command that loads the shim, and what is said to the shim.
  func preload(
    _ command: ChildProcess, _ shim: String, _ point: (variable: String, value: String)
  ) -> ChildProcess {
    var command = command
    command.environment["LD_PRELOAD"] = shim
    command.environment["FAULTS_ROOT"] = root
    command.environment["FAULTS_HIT"] = hit
    command.environment[point.variable] = point.value
    return command
  }

  /// Runs a command with the shim, and says whether the point was reached.
  func run(
    _ command: ChildProcess, shim: String, _ point: (variable: String, value: String)
  ) throws -> (outcome: ChildProcess.Outcome, wasReached: Bool) {
    try? FileManager.default.removeItem(atPath: hit)
    let outcome = try preload(command, shim, point).run()
    return (outcome, FileManager.default.fileExists(atPath: hit))
  }

  /// Starts a command with the shim, and returns when it waits at the point; nil if it never comes there.
  func hold(
    _ command: ChildProcess, shim: String, at point: Point
  ) throws -> ChildProcess.Running? {
    try? FileManager.default.removeItem(atPath: hit)
    let running = try preload(command, shim, ("FAULTS_POINT", point.description)).start()
    while !FileManager.default.fileExists(atPath: hit) {
      guard !running.hasEnded else {
        _ = try running.outcome()
        return nil
      }
      usleep(300)
    }
    return running
  }

  /// Lets a command go on that waits.
  func release() throws { try FileManager.default.removeItem(atPath: hit) }

  /// Runs a command with the shim, which does nothing but list the calls.
  func listCalls(_ command: ChildProcess, shim: String) throws -> (ChildProcess.Outcome, [Call]) {
    try? FileManager.default.removeItem(atPath: list)
    let (outcome, _) = try run(command, shim: shim, ("FAULTS_LIST", list))
    let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    let calls = try lines.map { line in
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { throw Failure("the shim wrote \(line)") }
      return Call(kind: words[0], path: words[1])
    }
    return (outcome, calls)
  }
}
