import Foundation
import TestSupport
import Testing

/// The contents of standard output and standard error.
@Suite struct StreamTests {
  /// A run, its preparation and its verdict.
  struct Night: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: Int32
    let verdict: String
    /// The line on the previous database; nil if the run published.
    let place: String?
    var source = "dumps"
    /// The shell commands before the run.
    var script = ":"
  }

  private static let untouched = "the previous database was kept"
  private static let absent = "there was no previous database"

  static let nights = [
    Night(testDescription: "clean", status: 0, verdict: "published, clean", place: nil),
    Night(
      testDescription: "amber", status: 0, verdict: "published with 1 warning", place: nil,
      source: "broken/file-unknown", script: "rm catalog.sqlite"),
    Night(
      testDescription: "too many rejects", status: 65,
      verdict: "not published: too many records are rejected", place: untouched,
      source: "broken/duplicate-key"),
    Night(
      testDescription: "too many rejects, and no catalog yet", status: 65,
      verdict: "not published: too many records are rejected", place: absent,
      source: "broken/duplicate-key", script: "rm catalog.sqlite"),
    Night(
      testDescription: "no source files", status: 66,
      verdict: "not published: source files are missing",
      place: untouched, source: "nowhere"),
    Night(
      testDescription: "somebody else's file", status: 73,
      verdict: "not published: the output cannot be written", place: untouched,
      script: "echo notes >catalog.sqlite"),
    Night(
      testDescription: "a full disk", status: 74,
      verdict: "not published: reading or writing failed",
      place: untouched, script: "ulimit -f 64"),
    Night(
      testDescription: "another run", status: 75,
      verdict: "not published: locked by another program; try again", place: untouched,
      script: "exec 9>.catalog.sqlite.ingest.lock; echo 'process 1 on x, since y' >&9; flock 9"),
  ]

  @Test(arguments: nights, ["", "--quiet"])
  func `a summary goes to standard output, and failures to standard error`(
    night: Night, option: String
  ) throws {
    let command = try Command()
    try command.putCatalog()
    let script = "\(night.script)\n\"$0\" --source \"$@\" --out catalog.sqlite 9>&-"
    let words = ["\(Command.fixtures)/\(night.source)"] + (option.isEmpty ? [] : [option])
    let result = try command.shell(script, words, status: night.status)
    let begin = "catalog.sqlite: \(night.verdict)\n" + (night.place.map { "  \($0)\n" } ?? "")
    guard night.status == 0 else {
      #expect(result.output == "" && result.errors.contains(begin), "\(result)")
      // Paths appear as in the options.
      #expect(!result.errors.contains(command.folder), "\(result)")
      return
    }
    let isClean = night.testDescription == "clean"
    let isQuiet = option == "--quiet"
    #expect(isQuiet ? result.output == "" : result.output.hasPrefix(begin + "\n"), "\(result)")
    // Warnings are seen even if the summary is discarded.
    let warnings = isQuiet ? begin : "  file-unknown: "
    #expect(isClean ? result.errors == "" : result.errors.hasPrefix(warnings), "\(result)")
  }

  @Test(
    arguments: [
      "check catalog.sqlite", "history catalog.sqlite", "history catalog.sqlite --json",
      "diff catalog.sqlite catalog.sqlite", "describe --rebrickable", "describe --source $1",
      "metadata --dictionary", "metadata --datasette", "--help", "help check", "--version",
      "explain", "explain not-an-integer", "completions bash",
    ])
  func `results that cannot be printed cause status 74`(words: String) throws {
    let command = try Command()
    try command.putCatalog()
    for redirection in words.hasPrefix("explain") ? [">/dev/full", ">&-"] : [">/dev/full"] {
      let result = try command.shell(
        "\"$0\" \(words) \(redirection)", [Command.fixtures + "/dumps"], status: 74)
      #expect(result.errors.hasPrefix("ingest: cannot write "), "\(result)")
      #expect(result.errors.contains("to standard output"), "\(result)")
    }
  }

  /// A library that fails to sync any folder.
  private static let failer = preloadedLibrary(
    "failing-sync",
    """
    #include <errno.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    int fsync(int file) {
      struct stat status;
      if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) { errno = EIO; return -1; }
      return syscall(SYS_fsync, file);
    }
    """)

  @Test func `a published database is not reported as unpublished`() throws {
    let command = try Command()
    let result = try command.run(
      ["--source", FixtureCatalog.today.dumps, "--out", "catalog.sqlite", "--report", "json:-"],
      preloading: Self.failer)
    #expect(result.status == 5, "\(result)")
    #expect(try command.bytesOfCatalog() == FixtureCatalog.today.contents)
    #expect(
      result.errors.hasPrefix(
        "catalog.sqlite: published, but its folder cannot be synced to disk\n"
          + "ingest: catalog.sqlite: published, but its folder cannot be synced to disk: Input/output error. If "
          + "the machine stops now, the previous database may reappear. Check the disk, and run again."
      ), "\(result)")
    let data = Data(result.output.utf8)
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let verdict = try #require(report["verdict"] as? [String: Any])
    #expect(verdict["state"] as? String == "incomplete" && report["exit_code"] as? Int == 5)
    #expect(verdict["outcome"] as? String == "published" && verdict["output_bytes"] is Int)
  }
}
