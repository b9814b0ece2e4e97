import Foundation
import TestSupport
import Testing

/// Failures after publishing: the process, the metrics and the reports have the same status.
@Suite struct LaterStepTests {
  /// A library that fails to rename anything to a path that ends in `FAILS_AT`.
  private static let failer = preloadedLibrary(
    "failing-rename",
    """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdlib.h>
    #include <string.h>

    static int fails(const char *path) {
      const char *end = getenv("FAILS_AT");
      size_t length = strlen(path), wanted = strlen(end);
      if (length < wanted || strcmp(path + length - wanted, end) != 0) return 0;
      errno = EIO;
      return 1;
    }

    int rename(const char *from, const char *to) {
      int (*original)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
      return fails(to) ? -1 : original(from, to);
    }

    int unlink(const char *path) {
      int (*original)(const char *) = dlsym(RTLD_NEXT, "unlink");
      return fails(path) ? -1 : original(path);
    }
    """)

  private let command: Command
  private static let dumps = Command.fixtures + "/dumps"
  private static let all = ["--report", "a.json", "--report", "b.html", "--metrics", "m.prom"]

  init() throws { command = try Command() }

  /// Runs with a library that fails for paths ending in `end`.
  private func run(failingAt end: String, _ words: [String]) throws -> ChildProcess.Outcome {
    try command.run(
      ["--out", "catalog.sqlite"] + words, preloading: Self.failer, "FAILS_AT=\(end)")
  }

  private func report() throws -> (status: Int?, state: String?) {
    let report = try command.json("a.json")
    let verdict = try #require(report["verdict"] as? [String: Any])
    return (report["exit_code"] as? Int, verdict["state"] as? String)
  }

  private func metric(_ name: String) throws -> String? {
    try command.text("m.prom").split(separator: "\n").first { $0.hasPrefix("ingest_\(name){") }?
      .split(separator: " ").last.map(String.init)
  }

  @Test(
    arguments: [
      ("a.json", "writing its report failed", "a.json: the report cannot be renamed into place"),
      ("b.html", "writing its report failed", "b.html: the report cannot be renamed into place"),
      (
        "m.prom", "writing its metrics failed",
        "m.prom: the metrics file cannot be renamed into place"
      ),
    ])
  func `reports that cannot be written after publishing cause status 5 everywhere`(
    name: String, undone: String, message: String
  ) throws {
    let result = try run(failingAt: name, ["--source", Self.dumps] + Self.all)
    #expect(result.status == 5, "\(result)")
    #expect(result.errors.hasPrefix("catalog.sqlite: published, but \(undone)\n"), "\(result)")
    #expect(result.errors.contains("ingest: \(message): Input/output error."), "\(result)")
    #expect(result.errors.contains("The database was published."), "\(result)")
    if name != "a.json" {
      let report = try report()
      #expect(report.status == 5 && report.state == "incomplete", "\(report)")
    }
    if name != "m.prom" {
      #expect(try metric("exit_status") == "5")
      #expect(try metric("published") == "1")
      #expect(try metric("last_success_timestamp_seconds") == metric("last_run_timestamp_seconds"))
    }
    #expect(try command.bytesOfCatalog() == FixtureCatalog.today.contents)
  }

  @Test func `a report that cannot be printed causes status 5 everywhere`() throws {
    let words = ["--source", Self.dumps, "--report", "json:-"] + Self.all
    let result = try command.shell(
      "exec \"$0\" --out catalog.sqlite \"$@\" >/dev/full", words, status: 5)
    #expect(
      result.errors.hasPrefix(
        "catalog.sqlite: published, but writing its report failed\n"
          + "ingest: the report cannot be written to standard output. The database was "
          + "published.\n"), "\(result)")
    #expect(try metric("exit_status") == "5")
    #expect(try report() == (5, "incomplete"))
  }

  @Test func `rejected records of an earlier run that cannot be moved cause status 5`() throws {
    let broken = Command.fixtures + "/broken/missing-parent"
    try command.run(
      ["--source", broken, "--out", "catalog.sqlite", "--max-rejects", "9"], status: 3)
    let result = try run(
      failingAt: ".rejects.previous", ["--source", Self.dumps, "--max-shrink", "100%"] + Self.all)
    #expect(result.status == 5, "\(result)")
    let words = "the rejected records of an earlier run could not be moved away"
    #expect(result.errors.hasPrefix("catalog.sqlite: published, but \(words)\n"), "\(result)")
    #expect(try metric("exit_status") == "5")
    #expect(try metric("published") == "1")
    #expect(try report() == (5, "incomplete"))
  }

  @Test func `a refused database that cannot be removed causes status 5`() throws {
    try FixtureCatalog.today.put(at: command.catalog + ".refused")
    let result = try run(failingAt: "catalog.sqlite.refused", ["--source", Self.dumps] + Self.all)
    #expect(result.status == 5, "\(result)")
    #expect(
      result.errors.hasPrefix(
        "catalog.sqlite: published, but the refused database of an earlier run could not be removed\n"
          + "ingest: catalog.sqlite.refused: cannot be removed: Input/output error."), "\(result)")
    #expect(try metric("exit_status") == "5")
  }

  @Test func `warnings are shown together with failures`() throws {
    let result = try run(
      failingAt: "a.json", ["--source", Command.fixtures + "/broken/file-unknown"] + Self.all)
    #expect(result.status == 5, "\(result)")
    #expect(result.errors.contains("\n  file-unknown: "), "\(result)")
  }

  @Test(arguments: ["a.json", "m.prom"])
  func `a failed report does not change an up-to-date database`(name: String) throws {
    try command.putCatalog()
    #expect(try command.load(Self.dumps, "--quiet").status == 0)
    let result = try run(failingAt: name, ["--source", Self.dumps, "--if-changed"] + Self.all)
    #expect(result.status == 5, "\(result)")
    #expect(result.errors.hasPrefix("catalog.sqlite: unchanged, but writing its "), "\(result)")
    #expect(result.errors.contains("The database is up to date."), "\(result)")
    guard name != "m.prom" else { return }
    #expect(try metric("exit_status") == "5")
    #expect(try metric("unchanged") == "1")
  }

  @Test(
    arguments: [
      ("dumps", ["--dry-run"], 74, "74"), ("broken/missing-parent", [], 65, "65"),
      ("nowhere", [], 66, "66"),
    ] as [(String, [String], Int32, String)])
  func `an unpublished run keeps its own status`(
    source: String, options: [String], status: Int32, value: String
  ) throws {
    let result = try run(
      failingAt: "a.json", ["--source", Command.fixtures + "/" + source] + options + Self.all)
    #expect(result.status == status, "\(result)")
    #expect(result.errors.contains("ingest: a.json: the report cannot be renamed into place"))
    #expect(try metric("exit_status") == value)
    #expect(try metric("published") == "0")
  }
}
