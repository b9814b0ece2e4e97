import Foundation
import TestSupport
import Testing

/// `--report` of the built command.
@Suite struct ReportTests {
  private typealias Object = [String: Any]

  private func object(_ path: String) throws -> Object {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    return try #require(json as? Object)
  }

  /// The schema violations of reports in the folder of a command.
  private func check(_ command: Command, _ names: [String]) throws -> Int32 {
    try command.shell(
      "shift; \(Tool.pythonPath) \"$@\"",
      ["-", Command.package + "/Tests/System", "Reports.schema"]
        + names.map { command.folder + "/" + $0 })
  }

  /// A folder with the fixtures' source files, one of them replaced by `text`.
  private func dumps(_ command: Command, table: String, _ change: (String) -> String) throws
    -> String
  {
    let folder = command.folder + "/dumps"
    try FileManager.default.copyItem(atPath: Command.fixtures + "/dumps", toPath: folder)
    #expect(try command.shell("gunzip \"$1\"", [folder + "/\(table).csv.gz"]) == 0)
    let path = folder + "/\(table).csv"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try Data(change(text).utf8).write(to: URL(fileURLWithPath: path))
    return folder
  }

  @Test(.needs(.jsonschema))
  func `every kind of run writes a report that matches the schema`() throws {
    let command = try Command()
    let rejecting = try dumps(command, table: "colors") {
      $0 + "9001,<script>alert(1)</script>,GG0000,maybe,0,0,,\n9002,\"\u{202e}x\",000000\n"
    }
    let fixtures = Command.fixtures + "/dumps"
    let runs: [(name: String, status: Int32, arguments: [String])] = [
      ("first", 0, ["--source", fixtures]), ("again", 0, ["--source", fixtures]),
      ("dry", 0, ["--source", fixtures, "--dry-run"]),
      ("rejects", 3, ["--source", rejecting, "--max-rejects", "2"]),
      ("refused", 65, ["--source", rejecting]),
      ("missing", 66, ["--source", command.folder + "/nowhere"]),
    ]
    for run in runs {
      let result = try command.run(
        run.arguments + [
          "--out", command.catalog, "--report", "\(run.name).json", "--report",
          "\(run.name).html",
        ])
      #expect(result.status == run.status, "\(run.name): \(result)")
      let report = try object(command.folder + "/\(run.name).json")
      #expect(report["exit_code"] as? Int32 == run.status)
      let page = try String(contentsOfFile: command.folder + "/\(run.name).html", encoding: .utf8)
      #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
      #expect(!page.contains("<script"))
    }
    #expect(try check(command, runs.map { "\($0.name).json" }) == 0)
    #expect(try object(command.folder + "/first.json")["changes"] is NSNull)
    #expect(try object(command.folder + "/again.json")["changes"] is Object)
  }

  @Test(.needs(.jsonschema)) func `a report can be the only output on standard output`() throws {
    let command = try Command()
    let dumps = Command.fixtures + "/dumps"
    let published = try command.load(dumps, "--report", "json:-")
    #expect(published.status == 0)
    #expect(published.errors.contains("catalog.sqlite: published, clean\n"), "\(published)")
    try Data(published.output.utf8).write(to: URL(fileURLWithPath: command.folder + "/first.json"))
    let refused = try command.load(command.folder, "--report=json:-")
    #expect(refused.status == 66)
    try Data(refused.output.utf8).write(to: URL(fileURLWithPath: command.folder + "/second.json"))
    #expect(try object(command.folder + "/second.json")["exit_code"] as? Int == 66)
    #expect(try check(command, ["first.json", "second.json"]) == 0)
    let page = try command.load(dumps, "--report=html:-", "--quiet")
    #expect(page.output.hasPrefix("<!DOCTYPE html>") && page.output.hasSuffix("</html>\n"))
    #expect(page.errors == "")
    let script = "\"$0\" --source \"$1\" --out catalog.sqlite --report json:- >/dev/full 2>errors"
    #expect(try command.shell(script, [dumps]) == 5)
    let errors = try String(contentsOfFile: command.folder + "/errors", encoding: .utf8)
    #expect(
      errors.contains(
        "ingest: the report cannot be written to standard output. The database was published.\n"
      ))
  }

  @Test func `a report has the result of each record`() throws {
    let command = try Command()
    let source = try dumps(command, table: "colors") {
      $0 + "9001,Wrong,GG0000,maybe,0,0,,\n9002,Short,000000\n"
    }
    let result = try command.load(source, "--max-rejects", "2", "--report", "report.json")
    #expect(result.status == 3, "\(result)")
    let report = try object(command.folder + "/report.json")
    let tables = try #require(report["tables"] as? [Object])
    for table in tables {
      let counts = ["read", "inserted", "rejected", "left_out"].compactMap { table[$0] as? Int }
      #expect(counts.count == 4 && counts[0] == counts[1] + counts[2] + counts[3])
    }
    for file in try #require(report["files"] as? [Object]) {
      for kind in ["bytes", "records"] {
        let parts = try #require(file[kind] as? [String: Int])
        #expect(parts["unaccounted"] == 0)
        #expect(parts["read"] == parts.filter { $0.key != "read" }.values.reduce(0, +))
      }
    }
    let colors = try #require(tables.first { $0["name"] as? String == "colors" })
    #expect(colors["rejected"] as? Int == 2)
    let codes = ["wrong-format": 1, "wrong-field-count": 1]
    #expect(colors["rejected_by_code"] as? [String: Int] == codes)
    let reasons = ["wrong-format": 1, "not-a-boolean": 1, "wrong-field-count": 1]
    #expect(colors["reasons_by_code"] as? [String: Int] == reasons)
    let rejects = try #require(report["rejects"] as? [Object])
    #expect(rejects.allSatisfy { $0["table"] as? String == "colors" && $0["total"] as? Int == 1 })
    let verdict = try #require(report["verdict"] as? Object)
    #expect(verdict["outcome"] as? String == "published_with_rejects")
    let folder = try #require(verdict["rejects_folder"] as? String)
    #expect(FileManager.default.fileExists(atPath: folder + "/colors.csv"))
  }

  @Test(.needs(.jsonschema)) func `a modified report is detected`() throws {
    let command = try Command()
    #expect(try command.load(Command.fixtures + "/dumps", "--report", "a.json").status == 0)
    #expect(try check(command, ["a.json"]) == 0)
    let path = command.folder + "/a.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let tampered = text.replacingOccurrences(of: "\"exit_code\"", with: "\"exitCode\"")
    try Data(tampered.utf8).write(to: URL(fileURLWithPath: path))
    #expect(try check(command, ["a.json"]) == 1)
  }

  @Test func `a run does not start if its report cannot be written`() throws {
    let command = try Command()
    let result = try command.load(Command.fixtures + "/dumps", "--report", "nowhere/a.json")
    #expect(result.status == 73, "\(result)")
    #expect(result.errors.contains("nowhere/a.json: the report cannot be created"))
    #expect(try command.names() == [])
  }

  /// The file size is limited here, which has the same effect as a full disk.
  @Test func `an incomplete report leaves the previous one`() throws {
    let command = try Command()
    let fixtures = Command.fixtures + "/dumps"
    #expect(try command.load(fixtures, "--report", "a.json", "--dry-run").status == 0)
    let path = command.folder + "/a.json"
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let status = try command.shell(
      """
      trap '' XFSZ; ulimit -f 4
      exec "$0" --source "$1" --out "$2" --report a.json --dry-run >/dev/null 2>&1
      """, [fixtures, command.catalog])
    #expect(status == 74)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    #expect(try command.names() == ["a.json"])
  }
}
