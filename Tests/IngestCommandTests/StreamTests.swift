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

  @Test(arguments: nights, ["", "--quiet", "--dry-run"])
  func `a summary goes to standard output, and failures to standard error`(
    night: Night, option: String
  ) throws {
    let isDryRun = option == "--dry-run"
    // A dry run writes nothing that could fill a disk.
    if isDryRun, night.status == 74 { return }
    let command = try Command()
    try command.putCatalog()
    let script = """
      \(night.script)
      "$0" --source "$@" --out catalog.sqlite >"$PWD.out" 2>"$PWD.err" 9>&-
      """
    let words = ["\(Command.fixtures)/\(night.source)"] + (option.isEmpty ? [] : [option])
    #expect(try command.shell(script, words) == night.status)
    let streams = try ["out", "err"].map { name in
      let path = "\(command.folder).\(name)"
      defer { try? FileManager.default.removeItem(atPath: path) }
      return try String(contentsOfFile: path, encoding: .utf8)
    }
    let begin =
      isDryRun
      ? "dry run: "
        + night.verdict.replacing("not published", with: "would not be published")
        .replacing("published ", with: "would be published ")
        .replacing("published, ", with: "would be published, ") + "\n"
      : "catalog.sqlite: \(night.verdict)\n" + (night.place.map { "  \($0)\n" } ?? "")
    guard night.status == 0 else {
      #expect(streams[0] == "" && streams[1].contains(begin), "\(streams)")
      // Paths appear as in the options.
      #expect(!streams[1].contains(command.folder), "\(streams)")
      return
    }
    let isClean = night.testDescription == "clean"
    guard option == "--quiet" else {
      #expect(streams[0].hasPrefix(begin + "\n"), "\(streams)")
      // Warnings are seen even if the summary is discarded.
      #expect(streams[1].hasPrefix(isClean ? "" : "  file-unknown: "), "\(streams)")
      #expect(streams[1].isEmpty == isClean)
      return
    }
    #expect(streams[0] == "" && streams[1].hasPrefix(isClean ? "" : begin), "\(streams)")
    #expect(streams[1].isEmpty == isClean)
  }

  @Test(
    arguments: [
      "check catalog.sqlite", "history catalog.sqlite", "history catalog.sqlite --json",
      "diff catalog.sqlite catalog.sqlite", "describe --rebrickable", "describe --source $1",
      "metadata --dictionary", "metadata --datasette", "--help", "help check", "--version",
      "explain",
      "explain not-an-integer", "completions bash",
    ], [">/dev/full", ">&-"])
  func `results that cannot be printed cause status 74`(words: String, redirection: String) throws {
    let command = try Command()
    try command.putCatalog()
    let script = "\"$0\" \(words) \(redirection) 2>errors"
    #expect(try command.shell(script, [Command.fixtures + "/dumps"]) == 74)
    let errors = try String(contentsOfFile: command.folder + "/errors", encoding: .utf8)
    #expect(errors.hasPrefix("ingest: cannot write "), "\(errors)")
    #expect(errors.contains("to standard output"), "\(errors)")
  }

  /// A library that fails to sync any folder.
  private static let failer = """
    #include <errno.h>
    #include <sys/stat.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    int fsync(int file) {
      struct stat status;
      if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) { errno = EIO; return -1; }
      return syscall(SYS_fsync, file);
    }
    """

  @Test func `a published database is not reported as unpublished`() throws {
    let command = try Command()
    try Data(Self.failer.utf8).write(to: URL(fileURLWithPath: command.folder + "/failer.c"))
    let script = """
      clang -shared -fPIC -o failer.so failer.c 2>&1 || exit 99
      LD_PRELOAD=$PWD/failer.so exec "$0" --source "$1" --out catalog.sqlite --report json:- \
        >out 2>err
      """
    #expect(try command.shell(script, [Command.fixtures + "/dumps"]) == 5)
    #expect(try command.bytesOfCatalog() == FixtureCatalog.today.contents)
    let errors = try String(contentsOfFile: command.folder + "/err", encoding: .utf8)
    #expect(
      errors.hasPrefix(
        "catalog.sqlite: published, but its folder cannot be synced to disk\n"
          + "ingest: catalog.sqlite: published, but its folder cannot be synced to disk: Input/output error. If "
          + "the machine stops now, the previous database may reappear. Check the disk, and run again."
      ), "\(errors)")
    let data = try Data(contentsOf: URL(fileURLWithPath: command.folder + "/out"))
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let verdict = try #require(report["verdict"] as? [String: Any])
    #expect(verdict["state"] as? String == "incomplete" && report["exit_code"] as? Int == 5)
    #expect(verdict["outcome"] as? String == "published" && verdict["output_bytes"] is Int)
  }
}
