import Foundation
import TestSupport
import Testing

@testable import ingest

/// Options in a file: `ingest @FILE`.
@Suite struct ResponseFileTests {
  private let tables = ["themes", "parts"]
  private let command: Command

  init() throws { command = try Command() }

  /// Writes the file, and returns its path.
  private func write(_ text: String, _ name: String = "nightly.conf") throws -> String {
    let path = command.folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `options are read as on the command line, and paths from the file's folder`() throws {
    let path = try write(
      "\u{feff}# The night.\r\n\r\n--source my dumps\n\t--out=../c.sqlite \n--strict-schema\n"
        + "  # a comment\n--max-rejects\t2\n--max-rejects parts=0.5%\n--sql /srv/own.sql\n"
        + "--sql a=b.sql\n--report json:-\n--report night.html\n--allow-missing themes\n-q")
    let arguments = try Arguments(["@" + path, "--wait", "7"], tables: tables)
    let words = [
      "--source=\(command.folder)/my dumps", "--out=\(command.folder)/../c.sqlite",
      "--strict-schema", "--max-rejects=2", "--max-rejects=parts=0.5%", "--sql=/srv/own.sql",
      "--sql=\(command.folder)/a=b.sql", "--report=json:-",
      "--report=\(command.folder)/night.html", "--allow-missing=themes", "--quiet", "--wait=7",
    ]
    #expect(try arguments == Arguments(words, tables: tables))
  }

  @Test(
    arguments: [
      ("--sorce dumps", "unknown option '--sorce'; did you mean '--source'?"),
      ("--strict-schema yes", "the option '--strict-schema' takes no value"),
      ("--source", "the option '--source' needs a value"),
      ("--source=", "the option '--source' needs a value"),
      ("--out c", "the option '--out' is given twice"),
      ("--max-rejects many", "'many' is no limit for --max-rejects"),
      ("--out -", "a catalog is a file"),
      ("dumps", "'dumps' is no option: give one with its value"),
      ("replay", "'replay' is no option"),
      ("@other.conf", "a file of options cannot name another one"),
      ("--rejects \"my rejects\"", "the value of '--rejects' is in quotes"),
      ("--rejects r # mine", "put the comment on a line of its own"),
      ("--rejects a\0b", "this is not UTF-8"),
    ])
  func `a fault is told with its line`(line: String, message: String) throws {
    let text = line == "--out -" ? "--source d\n\n\(line)" : "--out c\n\n\(line)"
    let path = try write(text)
    let words = ["@" + path] + (line == "--out -" ? [] : ["--dry-run"])
    let error = #expect(throws: UsageError.self) { try Arguments(words, tables: tables) }
    let found = try #require(error?.message)
    #expect(found.contains(message), "\(found)")
    // Whether the options make sense together is known only at the end.
    #expect(found.hasPrefix("\(path):3: ") == (line != "--out -"), "\(found)")
  }

  @Test func `an option is given once, here or there`() throws {
    let path = try write("--source d\n--out c\n")
    for words in [
      ["@" + path, "--out", "x"], ["--out", "x", "@" + path], ["@" + path, "@" + path],
    ] {
      let error = #expect(throws: UsageError.self) { try Arguments(words, tables: tables) }
      #expect(error?.message.contains("is given twice") == true)
    }
  }

  @Test(
    arguments: [
      ("@", "'@' needs the name of a file"), ("@no/such", "no/such: the options cannot be read: "),
      ("@/dev/null", "/dev/null: the options cannot be read: not a regular file"),
    ])
  func `a file that cannot be read is told`(word: String, message: String) throws {
    let error = #expect(throws: UsageError.self) { try Arguments([word], tables: tables) }
    #expect(error?.message.hasPrefix(message) == true, "\(String(describing: error))")
  }

  @Test func `the command loads by a file, from any folder, and tells its faults`() throws {
    let path = try write("--source \(Command.fixtures)/dumps\n--out c.sqlite\n--quiet\n")
    let elsewhere = try Command()
    let loaded = try elsewhere.run(["@" + path])
    #expect(loaded.status == 0 && loaded.output == "" && loaded.errors == "", "\(loaded)")
    #expect(try command.names() == ["c.sqlite", "nightly.conf"])
    #expect(try elsewhere.names() == [])
    _ = try write("--source d\n--quite\n")
    let failed = try command.run(["@nightly.conf"])
    #expect(failed.status == 64)
    #expect(
      failed.errors.hasPrefix("ingest: nightly.conf:2: unknown option '--quite'"), "\(failed)")
  }

  @Test func `dumps are read from where the link led when the run began`() throws {
    let dumps = command.folder + "/generation"
    try FileManager.default.copyItem(
      atPath: Command.fixtures + "/broken/gzip-truncated", toPath: dumps)
    try FileManager.default.createSymbolicLink(
      atPath: command.folder + "/current", withDestinationPath: "generation")
    for source in ["current", "current/"] {
      let result = try command.run(["--source", source, "--out", "c.sqlite"])
      #expect(result.status == 65)
      #expect(
        result.errors.contains(dumps + "/") && !result.errors.contains("current"), "\(result)")
    }
  }
}
