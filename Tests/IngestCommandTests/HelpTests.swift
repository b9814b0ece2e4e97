import Schema
import Foundation
import IngestReport
import RebrickableCatalog
import SQLiteSwiftly
import TestSupport
import Testing

@testable import ingest

@Suite struct HelpTests {
  private static let options = CommandDescription.all.flatMap(\.options)
  private static let tables = RebrickableCatalog.schema.tables.map(\.name)

  @Test func `no line is wider than eighty columns`() {
    let topics =
      [HelpTopic.everything, .statuses] + CommandDescription.all.map { .command($0) }
      + Self.options.map { .option($0) }
    let texts =
      topics.map(Help.text(on:)) + [Help.codes]
      + ExitStatus.allCases.map { Help.explanation(of: $0) }
    for line in texts.flatMap({ $0.split(separator: "\n") }) {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test func `text is printed beside a term, or below a long one`() {
    let text = String(repeating: "word ", count: 16)
    let expected = "  --term  word word word word word word word word word word word word word word"
    #expect(text.beside("  --term", column: 10) == expected + "\n          word word")
    #expect("word".beside("  --long-term", column: 10) == "  --long-term\n          word")
    #expect("a".wrapped(indentation: 0) == "a")
    #expect(
      String(repeating: "x", count: 90).wrapped(indentation: 2)
        == "  " + String(repeating: "x", count: 90))
  }

  @Test func `every described option is parsed`() {
    // Those of the family are read before.
    #expect(
      CommandDescription.load.options.filter { $0.reader == nil }.map(\.name)
        == ["--schema", "--ignore-unsupported", "--schemas"])
  }

  @Test func `the documentation has the printed help`() throws {
    let article = try Command.text(of: "Sources/ingest/ingest.docc/CommandLine.md")
    #expect(article.contains("```\n\(Help.text(on: .everything))\n```\n"))
  }

  @Test(arguments: Completions.Shell.allCases)
  func `each option is in help, manual, completions and documentation`(
    shell: Completions.Shell
  ) throws {
    let articles =
      try ["README.md"]
      + ["ingest", "RebrickableCatalog"].flatMap { module in
        let folder = "Sources/\(module)/\(module).docc/"
        return try FileManager.default.contentsOfDirectory(atPath: Command.package + "/" + folder)
          .filter { $0.hasSuffix(".md") }.map { folder + $0 }
      }
    let documentation = try articles.map(Command.text(of:)).joined()
    let manual = ManualPage.text.replacing("\\-", with: "-")
    let script = Completions(tables: Self.tables).script(for: shell)
    func names(missing isThere: (OptionDescription) -> Bool) -> [String] {
      Self.options.filter { !isThere($0) }.map(\.name)
    }
    #expect(names(missing: { manual.contains("\n.B \($0.usage)\n") }) == [])
    #expect(names(missing: { documentation.contains($0.name) }) == [])
    #expect(
      names(missing: { script.contains(shell == .fish ? "-l \($0.name.dropFirst(2))" : $0.name) })
        == [])
    for option in CommandDescription.load.options {
      #expect(Help.text(on: .everything).contains(option.usage))
    }
  }

  @Test(
    arguments: [
      (["ingest", "--rep"], ["--repairs", "--report"]),
      (["ingest", "che"], ["check"]),
      (["ingest", "--allow-missing", "set"], ["sets"]),
      (["ingest", "--allow-missing", "=", "al"], ["all"]),
      (["ingest", "diff", "--k"], ["--keys"]),
      (["ingest", "explain", "missing-p"], ["missing-parent"]),
      (["ingest", "completions", ""], ["bash", "zsh", "fish"]),
      (["ingest", "--source", "fix"], ["fixtures"]),
      (["ingest", "check", "Package."], ["Package.swift"]),
      (["ingest", "--max-rejects", ""], []),
    ])
  func `bash completes`(words: [String], replies: [String]) throws {
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let script =
      Completions(tables: Self.tables).bash
      + "\ncompopt() { :; }\nCOMP_WORDS=(\(line))\nCOMP_CWORD=\(words.count - 1)\n_ingest\n"
      + "printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    let output = try ChildProcess("/bin/bash", ["-c", script], folder: Command.package).run().output
    #expect(Set(output.split(separator: "\n").map(String.init)) == Set(replies))
  }

  @Test(
    arguments: [
      ("diff", "Usage: ingest diff "), ("load", "Usage: ingest --source DIR"),
      ("--max-rejects", "--max-rejects [TABLE=]N|P%\n\n  Publish if at most"),
      ("-q", "-q, --quiet\n"), ("status", "\n  65   Invalid data"),
      ("missing-parent", "missing-parent (rejected record)\n"), ("74", "exit status 74\n"),
    ])
  func `help prints a topic`(topic: String, text: String) throws {
    let result = try Command().run(["help", topic])
    #expect(result.status == 0 && result.output.contains(text), "\(result.output)")
  }
}
