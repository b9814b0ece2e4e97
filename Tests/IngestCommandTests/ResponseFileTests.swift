import Vocabulary
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
  private func write(_ text: String) throws -> String { try command.write("nightly.conf", text) }

  @Test func `options are parsed as on the command line, with paths relative to the file`() throws {
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
    var expected = try Arguments(words, tables: tables)
    #expect(arguments.options.command == "ingest '@\(path)' --wait 7")
    expected.options.command = arguments.options.command
    #expect(arguments == expected)
  }

  @Test(
    arguments: [
      ("--sorce dumps", "unknown option '--sorce'; did you mean '--source'?"),
      ("--strict-schema yes", "option '--strict-schema' does not take a value"),
      ("--source", "option '--source' requires a value"),
      ("--source=", "option '--source' requires a value"),
      ("--out c", "option '--out' is used twice"),
      ("--max-rejects many", "invalid value 'many' for --max-rejects"),
      ("--out -", "a database cannot be written to standard output"),
      ("dumps", "'dumps' is not an option: expected an option with its value"),
      ("repair", "'repair' is not an option"),
      ("@other.conf", "a file of options cannot include another one"),
      ("--rejects \"my rejects\"", "remove the quotes around the value of '--rejects'"),
      ("--rejects r # mine", "put the comment on a separate line"),
      ("--rejects a\0b", "not valid UTF-8"),
    ])
  func `an error has the line of the option`(line: String, message: String) throws {
    let text = line == "--out -" ? "--source d\n\n\(line)" : "--out c\n\n\(line)"
    let path = try write(text)
    let words = ["@" + path] + (line == "--out -" ? [] : ["--dry-run"])
    let error = #expect(throws: UsageError.self) { try Arguments(words, tables: tables) }
    let found = try #require(error?.message)
    #expect(found.contains(message), "\(found)")
    // Combinations of options are checked at the end.
    #expect(found.hasPrefix("\(path):3: ") == (line != "--out -"), "\(found)")
  }

  @Test func `an option can be used only once, on the command line or in a file`() throws {
    let path = try write("--source d\n--out c\n")
    for words in [
      ["@" + path, "--out", "x"], ["--out", "x", "@" + path], ["@" + path, "@" + path],
    ] {
      let error = #expect(throws: UsageError.self) { try Arguments(words, tables: tables) }
      #expect(error?.message.contains("is used twice") == true)
    }
  }

  @Test(
    arguments: [
      ("@", "'@' requires the name of a file"), ("@no/such", "no/such: cannot read the options: "),
      ("@/dev/null", "/dev/null: cannot read the options: not a regular file"),
    ])
  func `an unreadable file of options is reported`(word: String, message: String) throws {
    let error = #expect(throws: UsageError.self) { try Arguments([word], tables: tables) }
    #expect(error?.message.hasPrefix(message) == true, "\(String(describing: error))")
  }

  @Test func `the command loads with a file of options from any folder, and reports its errors`()
    throws
  {
    let path = try write("--source \(Command.fixtures)/dumps\n--out c.sqlite\n--quiet\n")
    let elsewhere = try Command()
    let loaded = try elsewhere.run(["@" + path])
    #expect(loaded.status == 0 && loaded.output == "" && loaded.errors == "", "\(loaded)")
    #expect(try command.names() == ["c.sqlite", "nightly.conf"])
    #expect(try elsewhere.names() == [])
    _ = try write("--source d\n--quite\n")
    let failed = try command.run(["@nightly.conf"], status: 64)
    #expect(
      failed.errors.hasPrefix("ingest: nightly.conf:2: unknown option '--quite'"), "\(failed)")
  }

  @Test func `a link to the source files is resolved once, at the start`() throws {
    let dumps = command.folder + "/generation"
    try FileManager.default.copyItem(
      atPath: Command.fixtures + "/broken/gzip-truncated", toPath: dumps)
    try FileManager.default.createSymbolicLink(
      atPath: command.folder + "/current", withDestinationPath: "generation")
    for source in ["current", "current/"] {
      let result = try command.run(["--source", source, "--out", "c.sqlite"], status: 65)
      #expect(
        result.errors.contains(dumps + "/") && !result.errors.contains("current"), "\(result)")
    }
  }
}
