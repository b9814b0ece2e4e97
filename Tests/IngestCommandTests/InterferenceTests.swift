import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

@testable import ingest

/// Other runs, other users and other files at the names that a run uses.
@Suite struct InterferenceTests {
  private let command: Command
  private let dumps = Command.fixtures + "/dumps"

  init() throws { command = try Command() }

  private static let candidate = ".catalog.sqlite.ingest/database"

  /// Starts a run that waits before it completes its loaded file.
  private func heldRun() throws -> HeldRun {
    try command.start(
      ["--source", dumps, "--out", command.catalog, "--quiet"], heldAt: .open, Self.candidate,
      number: 3)
  }

  private func strace(_ words: String...) -> [String] {
    ["/usr/bin/strace", "-D", "-f", "-qq", "-o", "/dev/null"] + words
  }

  /// Starts a run that waits between creating its file and opening it with SQLite.
  private func runHeldBeforeOpening() throws -> HeldRun {
    try command.start(
      ["--source", dumps, "--out", command.catalog], heldAt: .open, Self.candidate, number: 2)
  }

  private func names() throws -> [String] { try command.names() }

  private func path(_ name: String) -> String { command.path(name) }

  // MARK: - Lock and new database

  @Test(.needs(.strace), arguments: ["EIO", "ENOLCK"])
  func `a run that cannot lock leaves another run's lock`(error: String) throws {
    let first = try heldRun()
    let second = try command.start(
      ["--source", dumps, "--out", command.catalog],
      by: strace("-e", "trace=flock", "-e", "inject=flock:error=\(error)"))
    #expect(try second.outcome().status == 74)
    #expect(try names() == [".catalog.sqlite.ingest", ".catalog.sqlite.ingest.lock"])
    #expect(try command.load(dumps).status == 75)
    #expect(try first.outcome().status == 0)
    #expect(try names() == ["catalog.sqlite"])
  }

  @Test func `a run publishes only its own file`() throws {
    let first = try heldRun()
    // As for a leftover of a killed run.
    try FileManager.default.removeItem(atPath: path(".catalog.sqlite.ingest.lock"))
    #expect(try command.load(dumps, "--quiet").status == 0)
    let published = try command.bytesOfCatalog()
    try makeFolder(path(".catalog.sqlite.ingest"))
    try command.write(Self.candidate, "not a catalog")
    try first.outcome(status: 74)
    #expect(try command.bytesOfCatalog() == published)
    #expect(try command.text(Self.candidate) == "not a catalog")
  }

  @Test(arguments: ["symbolic", "hard"])
  func `a run does not write into another program's file`(link: String) throws {
    try command.write("victim", "")
    let candidate = path(Self.candidate)
    let running = try runHeldBeforeOpening()
    try FileManager.default.removeItem(atPath: candidate)
    if link == "hard" {
      try FileManager.default.linkItem(atPath: path("victim"), toPath: candidate)
    } else {
      try FileManager.default.createSymbolicLink(
        atPath: candidate, withDestinationPath: path("victim"))
    }
    try running.outcome(status: 74)
    #expect(try command.text("victim") == "")
    #expect(try !names().contains("catalog.sqlite"))
  }

  @Test(arguments: [".catalog.sqlite.ingest.lock", ".report.json.ingest"])
  func `a file linked to a temporary name is not changed`(name: String) throws {
    try command.write("precious", "precious")
    try FileManager.default.linkItem(atPath: path("precious"), toPath: path(name))
    let result = try command.load(dumps, "--report", path("report.json"))
    #expect(result.status == (name.hasSuffix(".lock") ? 73 : 0), "\(result)")
    #expect(try command.text("precious") == "precious")
  }

  @Test func `a program that reads the new file causes status 75`() throws {
    let candidate = path(Self.candidate)
    let running = try runHeldBeforeOpening()
    let reader = try Connection(candidate, opening: .readOnly)
    try reader.execute("BEGIN")
    _ = try reader.query("SELECT * FROM sqlite_schema")
    let result = try running.outcome(status: 75)
    #expect(result.errors.contains("Another program is using the file"), "\(result)")
    try reader.close()
    #expect(try names() == [])
  }

  // MARK: - Pipes and locks

  @Test(arguments: [
    ".report.json.ingest", "catalog.sqlite-journal", ".catalog.sqlite.ingest.lock",
    ".catalog.sqlite.ingest",
  ]) func `a run does not wait for a pipe`(name: String) throws {
    #expect(unsafe mkfifo(path(name), 0o666) == 0)
    let result = try command.load(dumps, "--report", path("report.json"), status: 73)
    #expect(result.errors.contains("/" + name), "\(result)")
  }

  @Test func `a pipe in the rejects folder does not block`() throws {
    let broken = Command.fixtures + "/broken/not-an-integer"
    #expect(try command.load(broken, "--quiet").status == 65)
    let folder = path("catalog.sqlite.rejects")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let table = try #require(names.first { !$0.hasPrefix("manifest") && !$0.contains("reasons") })
    try FileManager.default.removeItem(atPath: folder + "/" + table)
    #expect(unsafe mkfifo(folder + "/" + table, 0o666) == 0)
    #expect(try command.load(broken, "--quiet").status == 65)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
  }

  @Test func `waiting for a report's lock times out`() async throws {
    try command.write(".report.json.ingest", "")
    let descriptor = unsafe open(path(".report.json.ingest"), O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    let ended = try command.start(
      ["--source", dumps, "--out", command.catalog, "--report", path("report.json")])
    usleep(500_000)
    ended.send(SIGTERM)
    try await ended.outcome(status: 143)
    let waiting = try await command.start(
      ["--source", dumps, "--out", command.catalog, "--report", path("report.json")]
    ).outcome(status: 74)
    #expect(waiting.errors.contains("another program has locked"), "\(waiting)")
    #expect(try names() == [".report.json.ingest"])
  }

  // MARK: - Rejected records

  @Test func `rejected records survive another run that shares their folder`() throws {
    let broken = Command.fixtures + "/broken"
    let shared = path("shared")
    #expect(try command.load(broken + "/wrong-format", "--quiet", "--rejects", shared).status == 65)
    let expected = try Command()
    #expect(try expected.load(broken + "/not-an-integer", "--quiet").status == 65)
    // The older folder is at the path of the new one.
    let first = try command.start(
      ["--source", broken + "/not-an-integer", "--out", command.catalog, "--rejects", shared],
      heldAt: .rename, "shared.new")
    let second = try command.run([
      "--source", broken + "/not-allowed", "--out", path("other.sqlite"), "--rejects", shared,
    ])
    try first.outcome(status: 65)
    #expect(second.status == 75, "\(second)")
    let kept = try FileManager.default.contentsOfDirectory(
      atPath: expected.catalog + ".rejects"
    ).filter { !$0.hasPrefix("manifest") }
    let places = ["", ".previous", ".previous-2"].map { shared + $0 }
    let holder = places.first { place in
      kept.allSatisfy { name in
        FileManager.default.contentsEqual(
          atPath: expected.catalog + ".rejects/" + name, andPath: place + "/" + name)
      }
    }
    let left = try names()
    #expect(holder != nil, "\(left)")
    #expect(!left.contains("shared.new"))
  }

  @Test(arguments: [".new", ""])
  func `a run waits for another one that uses the rejects folder`(suffix: String) async throws {
    let broken = Command.fixtures + "/broken/not-an-integer"
    let folder = command.catalog + ".rejects"
    if suffix.isEmpty {
      #expect(try command.load(Command.fixtures + "/broken/wrong-format", "--quiet").status == 65)
    } else {
      try makeFolder(folder + suffix)
    }
    let descriptor = unsafe open(folder + suffix, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(flock(descriptor, LOCK_EX) == 0)
    try await command.start(
      ["--source", broken, "--out", command.catalog, "--quiet"]
    ).outcome(status: 75)
    let waiting = try command.start([
      "--source", broken, "--out", command.catalog, "--wait", "3600",
    ])
    try waiting.wait {
      try waiting.errorsSoFar().contains("\(folder + suffix): waiting for another run")
    }
    close(descriptor)
    try await waiting.outcome(status: 65)
    #expect(
      FileManager.default.fileExists(atPath: folder + "/inventory_parts.csv")
        || FileManager.default.fileExists(atPath: folder + "/manifest.csv"))
  }

  @Test func `a link in the rejects folder is not followed`() throws {
    let broken = Command.fixtures + "/broken/not-an-integer"
    #expect(try command.load(broken, "--quiet").status == 65)
    try command.write("secret", "secret\nsecret\n")
    let folder = path("catalog.sqlite.rejects")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    for name in names where !name.contains(".reasons") && name != "manifest.csv" {
      try command.shell("echo edited >>\"$1\"", [folder + "/" + name])
    }
    for name in names {
      let file = folder + "/" + name
      try FileManager.default.moveItem(atPath: file, toPath: path("kept"))
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: path("secret"))
      let result = try command.run(
        [
          "repair", "--source", broken, "--rejects", folder, "--repairs", path("repairs"),
        ], status: 65)
      #expect(result.errors.contains("\(name): a symbolic link"), "\(result)")
      #expect(!result.errors.contains("secret\\n") && !result.errors.contains("\"secret"))
      try FileManager.default.removeItem(atPath: file)
      try FileManager.default.moveItem(atPath: path("kept"), toPath: file)
    }
  }

  // MARK: - Names and threads

  @Test(arguments: [(234, Int32(0)), (235, 73), (241, 73), (250, 73)])
  func `a name that is too long is refused before anything is read`(
    length: Int, status: Int32
  ) throws {
    let name = path(String(repeating: "c", count: length))
    let broken = Command.fixtures + "/broken/not-an-integer"
    try command.run(["--source", dumps, "--out", name], status: status)
    // The other names work.
    guard status == 0 else { return }
    for (source, status) in [(broken, Int32(65)), (broken, 65), (dumps, 0), (broken, 65)] {
      #expect(try command.run(["--source", source, "--out", name, "--quiet"]).status == status)
    }
  }

  @Test func `names that only resemble those of a run may be used`() throws {
    let words = [
      "--report", ".c.sqlite.ingest.json", "--report", "..c.sqlite.ingest.json.ingest.json",
    ]
    _ = try Arguments(["--source", dumps, "--out", "c.sqlite"] + words, tables: [])
  }

  @Test func `the database can be in a folder whose name is not UTF-8`() throws {
    let script = """
      set -e; mkdir "$(printf 'd\\377')" "$(printf 'd\\357\\277\\275')"; cd "$(printf 'd\\377')"
      for run in 1 2; do "$0" --source "$1" --out c.sqlite --report r.json --quiet; done
      ln -s c.sqlite link.sqlite; "$0" --source "$1" --out link.sqlite --quiet
      test "$(ls -A | tr '\\n' ' ')" = "c.sqlite link.sqlite r.json "; test -L link.sqlite
      test -z "$(ls -A ../d\u{fffd})"
      """
    try command.shell(script, [dumps])
  }

  /// A library in which creating the Nth thread fails.
  private static let threadShim = preloadedLibrary(
    "failing-thread",
    """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <pthread.h>
    #include <stdlib.h>

    int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                       void *(*start)(void *), void *argument) {
      static int count;
      int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
          RTLD_NEXT, "pthread_create");
      if (__sync_add_and_fetch(&count, 1) >= atoi(getenv("FAILING_THREAD"))) return EAGAIN;
      return create(thread, attributes, start, argument);
    }
    """)

  @Test func `a thread that cannot be created is a failure with a status`() throws {
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    var failures = 0
    for thread in 1...8 {
      let result = try command.run(
        ["--source", dumps, "--out", command.catalog], preloading: Self.threadShim,
        "FAILING_THREAD=\(thread)")
      #expect([0, 74].contains(result.status), "thread \(thread): \(result)")
      if result.status == 74 {
        failures += 1
        #expect(result.errors.contains("cannot start the "))
      }
      #expect(try command.bytesOfCatalog() == before)
    }
    #expect(failures >= 4)
  }
}
