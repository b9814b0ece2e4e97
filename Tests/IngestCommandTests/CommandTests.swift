import Foundation
import IngestReport
import SQLiteSwiftly
import TestSupport
import Testing

@testable import ingest

@Suite struct CommandTests {
  @Test(arguments: ["dumps", "dumps-2020"])
  func `the fixtures are loaded without rejected records`(folder: String) throws {
    let command = try Command()
    let result = try command.load(Command.fixtures + "/" + folder, status: 0)
    #expect(try command.names() == ["catalog.sqlite"])
    let connection = try Connection(command.catalog, opening: .readOnly)
    #expect(try connection.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try connection.foreignKeyViolations() == [])
    let lines = result.output.split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.hasPrefix("table ") })
    let header = lines[place]
    #expect(
      header.split(separator: " ").map(String.init) == [
        "table", "read", "inserted", "rejected", "seconds", "rows/s",
      ])
    let tables = lines.dropFirst(place + 1).prefix(12)
    for line in tables {
      let cells = line.split(separator: " ").map(String.init)
      let count = try connection.value(of: "SELECT count(*) FROM \(identifier: cells[0])")
      let inserted = Int64(cells[2].filter { $0 != "," })
      #expect(count?.integerValue == inserted)
      #expect(cells[1] == cells[2])
      #expect(cells[3] == "0")
    }
    let verdict = folder == "dumps" ? "published, clean" : "published with 2 warnings"
    #expect(lines.first == "\(command.catalog): \(verdict)")
    #expect(lines.last?.hasPrefix("2,871 rows, ") == true)
    #expect(!result.output.contains("reader waited"))
  }

  @Test func `codes are explained`() throws {
    let codes = Help.codes.matches(of: /(?m)^  ([a-z0-9-]+)(?:  |$)/).map { String($0.1) }
    #expect(codes.sorted() == CodeExplanation.all.map(\.code).sorted())
    let one = try Command().run(["explain", "duplicate-key"])
    #expect(
      one.output.hasPrefix("duplicate-key (rejected record)\n\nMeaning:       An earlier record"))
    #expect(one.status == 0 && one.output.contains("\nRemedy:        Decide which"))
  }

  @Test func `every run produces the same bytes`() throws {
    let command = try Command()
    let expected = try FixtureCatalog.today.contents
    for _ in 0..<(LongTests.areOn ? 20 : 2) {
      #expect(try command.load(Command.fixtures + "/dumps").status == 0)
      #expect(try command.bytesOfCatalog() == expected)
    }
  }

  @Test func `rejected records within the limit are published with status 3`() throws {
    let command = try Command()
    let source = Command.fixtures + "/broken/duplicate-key"
    let refused = try command.load(source, status: 65)
    #expect(refused.output == "")
    #expect(refused.errors.contains("more than --max-rejects 0 allows"))
    #expect(try command.names() == ["catalog.sqlite.rejects"])
    for limit in ["--max-rejects=1", "--max-rejects=5%"] {
      let result = try command.load(source, limit, status: 3)
      let line = try #require(
        result.output.split(separator: "\n").first { $0.hasPrefix("part_categories") })
      #expect(line.split(separator: " ")[1...3].map(String.init) == ["6", "5", "1"])
    }
  }

  @Test func `SW-78 a file that ingest did not make is refused and kept`() throws {
    let command = try Command()
    let url = URL(fileURLWithPath: command.catalog)
    let content = Data("somebody's notes\n".utf8)
    try content.write(to: url)
    let result = try command.load(Command.fixtures + "/dumps", status: 73)
    #expect(result.errors.contains("was not made by ingest"))
    #expect(try Data(contentsOf: url) == content)
    #expect(try command.names() == ["catalog.sqlite"])
  }

  @Test func `an empty file, as from mktemp, is replaced and keeps its mode`() throws {
    let command = try Command()
    try Data().write(to: URL(fileURLWithPath: command.catalog))
    try command.shell("chmod 600 catalog.sqlite")
    let result = try command.load(Command.fixtures + "/dumps")
    #expect(result.status == 0 && result.errors == "", "\(result)")
    #expect(!result.output.contains("replaced"), "\(result)")
    #expect(try command.bytesOfCatalog() == FixtureCatalog.today.contents)
    let mode = try FileManager.default.attributesOfItem(atPath: command.catalog)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `each exit status is explained`() {
    for status in ExitStatus.allCases {
      let text = Help.explanation(of: status)
      #expect(text.hasPrefix("exit status \(status.rawValue)\n\nMeaning:     "))
      #expect(text.contains(".\nRemedy:      "), "\(status)")
    }
  }

  @Test func `the status depends on the failure`() throws {
    let command = try Command()
    #expect(try command.run(["--sorce", "x"]).status == 64)
    #expect(try command.load(command.folder + "/nowhere").status == 66)
    #expect(try command.load(command.folder).status == 66)
    let out = command.folder + "/nowhere/c.sqlite"
    let dumps = Command.fixtures + "/dumps"
    #expect(try command.run(["--source", dumps, "--out", out]).status == 73)
    let help = try command.run(["--help"], status: 0)
    #expect(help.output.contains("Usage: ingest --source DIR --out FILE"))
    #expect(help.errors == "")
  }

  @Test func `the version is the latest in the changelog`() throws {
    let url = URL(filePath: "../../CHANGELOG.md", relativeTo: URL(filePath: #filePath))
    let changes = try String(contentsOf: url, encoding: .utf8)
    let version = try #require(changes.firstMatch(of: /\n## (\d+\.\d+\.\d+)/)?.1)
    #expect(try Command().run(["--version"]).output.hasPrefix("ingest \(version) (SQLite "))
  }

  @Test func `messages do not get into the database if their stream is closed`() throws {
    let command = try Command()
    let dumps = command.folder + "/dumps"
    try FileManager.default.copyItem(
      atPath: Command.fixtures + "/broken/column-unknown", toPath: dumps)
    // Each unknown column is a warning; these are enough to fill several pages.
    for name in try FileManager.default.contentsOfDirectory(atPath: dumps) {
      let path = dumps + "/" + name
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(
        separator: "\r\n", omittingEmptySubsequences: true)
      let wide = lines.enumerated().map { index, line in
        line + (0..<100).map { index == 0 ? ",unknown \($0)" : "," }.joined() + "\r\n"
      }
      try Data(wide.joined().utf8).write(to: URL(fileURLWithPath: path))
    }
    #expect(try command.load(dumps).status == 0)
    let expected = try command.bytesOfCatalog()
    for _ in 0..<3 {
      let script = "exec \"$0\" --source \"$1\" --out \"$2\" </dev/null >/dev/null 2>&-"
      try command.shell(script, [dumps, command.catalog])
      #expect(try command.bytesOfCatalog() == expected)
    }
  }

  @Test func `an argument that is not UTF-8 is refused`() throws {
    let command = try Command()
    let script = "exec \"$0\" --source \"$1\" --out \"$(printf 'o\\377.sqlite')\" 2>/dev/null"
    try command.shell(script, [Command.fixtures + "/dumps"], status: 64)
    #expect(try command.names() == [])
  }

  @Test func `quiet prints nothing unless there are warnings`() throws {
    let command = try Command()
    let clean = try command.load(Command.fixtures + "/dumps", "--quiet", "--detailed-status")
    #expect(clean.status == 0 && clean.output == "" && clean.errors == "", "\(clean)")
    let harmless = try command.load(
      Command.fixtures + "/broken/blank-line", "--quiet", "--max-shrink=100%")
    #expect(!harmless.errors.contains("blank-line:"), "\(harmless)")
    try FileManager.default.removeItem(atPath: command.catalog)
    let amber = try command.load(Command.fixtures + "/dumps-2020", "--quiet")
    #expect(amber.status == 0 && amber.output == "")
    let first = try #require(amber.errors.range(of: "  column-unknown"))
    let circumstances = amber.errors[..<first.lowerBound].split(separator: "\n").dropFirst()
    #expect(circumstances.count == 3 && circumstances[1].hasPrefix("  to do first: "), "\(amber)")
    #expect(
      circumstances.last
        == "  to run again: ingest --source \(Command.fixtures)/dumps-2020 --out \(command.catalog) --quiet"
    )
    #expect(
      amber.errors.hasPrefix("\(command.catalog): published with 2 warnings\n")
        && amber.errors[first.lowerBound...].hasPrefix(
          "  column-unknown: unknown columns, not loaded; "
            + "line for --suppress:\n    column-unknown parts.part_material_id\n"
            + "  column-absent: missing from the source files, NULL in every row; lines for --suppress:\n    column-absent colors.num_parts\n"
        ),
      "\(amber)")
    #expect(amber.errors.components(separatedBy: "part_material_id").count == 3, "\(amber)")
    let detailed = try command.load(
      Command.fixtures + "/dumps-2020", "--quiet", "--detailed-status")
    #expect(
      detailed.status == 4
        && detailed.errors.hasSuffix(amber.errors[first.lowerBound...].dropFirst()), "\(detailed)")
  }

  @Test func `quiet prints why nothing was published, and the rejected records`() throws {
    let command = try Command()
    let source = Command.fixtures + "/broken/duplicate-key"
    let refused = try command.load(source, "--quiet")
    #expect(refused.status == 65 && refused.output == "")
    #expect(
      refused.errors.hasPrefix(
        "\(command.catalog): not published: too many records are rejected\n"
          + "  there was no previous database\ningest: rejects-over-limit: "
      )
        && refused.errors.contains(
          "\n  to do first: part_categories.id: Check the reasons beside the rejected records. The source "
            + "files are in \(source), the rejected records in \(command.catalog).rejects.\n  host: "
        )
        && refused.errors.contains(" --quiet --max-rejects part_categories=1\n"),
      "\(refused)")
    let tolerated = try command.load(source, "--quiet", "--max-rejects=1", "--detailed-status")
    #expect(tolerated.status == 3 && tolerated.output == "")
    #expect(
      tolerated.errors.hasPrefix("\(command.catalog): published with 1 warning\n")
        && tolerated.errors.contains(
          "\n  duplicate-key: 1 record rejected: "
            + "part_categories 1\n'ingest explain CODE' explains a code\n\n"
            + "part_categories.csv"),
      "\(tolerated)")
    for result in [refused, tolerated] {
      #expect(result.errors.contains("byte ") && result.errors.contains(": duplicate-key: "))
      #expect(result.errors.contains("ingest repair "), "\(result)")
    }
  }

  @Test func `verbose prints each table, and the waits`() throws {
    let command = try Command()
    let verbose = try command.load(Command.fixtures + "/dumps-2020", "--verbose")
    #expect(verbose.errors.contains("parts.csv.gz: warning: column-unknown: "))
    #expect(verbose.errors.contains("inventory_parts: 1,500 rows in "))
    let waits = /reader waited \d+\.\d\d s for the writer, writer \d+\.\d\d s for the reader\n$/
    #expect(verbose.output.contains(waits))
  }

  @Test func `missing parents are attributed to source files from different days`() throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/broken/mixed-generations", for: command)
    try dumps.changeLines(of: "parts") { $0 = Array($0.prefix(2)) }
    let result = try command.load(dumps.path, status: 65)
    #expect(result.errors.contains("missing-parent"))
    #expect(
      result.errors.contains(
        ": not published: too many records are rejected, probably because the source files are from "
          + "different days\n"), "\(result)")
    #expect(
      result.errors.contains(
        "Nothing was published. Download all source files again together, and run again."))
    #expect(!result.errors.contains("raise the limit"), "\(result)")
  }
}
