import Foundation
import TestSupport
import Testing

/// The order of writes, syncs and renames in a run, as traced in the kernel.
@Suite(.needs(.strace))
struct SystemCallTests {

  /// The calls of a run on files of the command's folder, in order of completion: the name of each call with the
  /// last components of its paths.
  private func calls(_ command: Command, _ arguments: [String]) throws -> [String] {
    let trace = command.folder + "/trace"
    let names =
      "openat,creat,write,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,"
      + "unlinkat,mkdir,rmdir,fchmod,fchown,flock"
    let running = try command.start(
      arguments, by: ["/usr/bin/env", "strace", "-f", "-y", "-qq", "-o", trace, "-e", names])
    try running.outcome(status: 0)
    defer { try? FileManager.default.removeItem(atPath: trace) }
    return merged(try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n"))
      .compactMap { call(in: $0, folder: command.folder) }
  }

  /// Joins calls that were interrupted by those of another thread.
  private func merged(_ lines: [Substring]) -> [String] {
    var begun: [Substring: Substring] = [:]
    return lines.compactMap { line in
      let thread = line.prefix { $0 != " " }
      if let end = line.range(of: " <unfinished ...>") {
        begun[thread] = line[..<end.lowerBound]
        return nil
      }
      guard let resumed = line.range(of: " resumed>") else { return String(line) }
      return String(begun[thread] ?? "") + line[resumed.upperBound...]
    }
  }

  /// A line as `fsync .catalog.sqlite.ingest`; nil if it failed, or concerns other files.
  private func call(in line: String, folder: String) -> String? {
    let words = line.drop { $0 != " " }.drop { $0 == " " }
    guard words.contains(folder), !words.contains(") = -1 ") else { return nil }
    let name = words.prefix { $0 != "(" }
    let paths = words.components(separatedBy: folder).dropFirst().map { rest in
      String(rest.drop { $0 == "/" }.prefix { !"\">,".contains($0) })
    }
    // The first path is the start folder, and the result repeats the file.
    let files = name == "openat" ? Array(paths.filter { !$0.isEmpty }.prefix(1)) : paths
    return "\(name) \(files.map { $0.isEmpty ? "." : $0 }.joined(separator: " "))"
  }

  /// SQLite reads the whole schema each time it opens a file, which once took minutes for a thousand tables.
  @Test func `a file is opened less often than it has tables`() throws {
    let command = try Command()
    let resources = try (0..<60).map { number in
      let file = URL(fileURLWithPath: "\(command.folder)/t\(number).csv")
      try Data("i,s\n1,x\n".utf8).write(to: file)
      return #"{"name": "t\#(number)", "path": "t\#(number).csv", "schema": {"primaryKey": "i", "#
        + #""fields": [{"name": "i", "type": "integer"}, {"name": "s", "constraints": {"unique": true}}]}}"#
    }
    let description = #"{"resources": [\#(resources.joined(separator: ", "))]}"#
    try Data(description.utf8).write(to: URL(fileURLWithPath: command.folder + "/p.json"))
    let arguments = ["--schema", "p.json", "--out", command.catalog, "--quiet"]
    #expect(try command.run(arguments).status == 0)
    let opened = try calls(command, arguments).count {
      $0.hasPrefix("openat") && $0.hasSuffix("catalog.sqlite.ingest/database")
    }
    #expect(10..<60 ~= opened)
  }

  @Test func `the file is synced before it is renamed, and the folder after that`() throws {
    let command = try Command()
    let arguments = ["--source", Command.fixtures + "/dumps", "--out", command.catalog, "--quiet"]
    #expect(try command.run(arguments).status == 0)
    let calls = try calls(command, arguments)
    let candidate = ".catalog.sqlite.ingest/database"
    let lock = ".catalog.sqlite.ingest.lock"

    func first(_ call: String) throws -> Int { try #require(calls.firstIndex(of: call), "\(call)") }
    func last(_ call: String) throws -> Int { try #require(calls.lastIndex(of: call), "\(call)") }
    let rename = try first("rename \(candidate) catalog.sqlite")
    // The new file is not touched before the lock is held, or after the last sync.
    #expect(try first("flock \(lock)") < first("openat \(candidate)"))
    #expect(try first("openat \(candidate)") < first("pwrite64 \(candidate)"))
    #expect(try last("pwrite64 \(candidate)") < last("fsync \(candidate)"))
    #expect(try last("fchmod \(candidate)") < last("fsync \(candidate)"))
    #expect(try last("fsync \(candidate)") < rename)
    #expect(try rename < first("fsync ."))
    #expect(try first("fsync .") < first("unlink \(lock)"))
    // The previous file is opened for checks, comparison and a lock; it is written only once it has been replaced.
    let old = Set(calls.filter { $0.hasSuffix(" catalog.sqlite") })
    #expect(
      old == [
        "openat catalog.sqlite", "rename \(candidate) catalog.sqlite", "pwrite64 catalog.sqlite",
      ])
    #expect(try first("fsync .") < first("pwrite64 catalog.sqlite"))
  }
}
