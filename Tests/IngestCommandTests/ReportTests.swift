import Foundation
import TestSupport
import Testing

/// `--report` of the built command.
@Suite struct ReportTests {
  private typealias Object = [String: Any]

  /// The exit status of a check of reports in the folder of a command against the schema.
  private func check(_ command: Command, _ names: [String]) throws -> Int32 {
    let words = [Command.package + "/Tests/System", "Reports.schema"]
    let paths = names.map { command.folder + "/" + $0 }
    return try ChildProcess(Tool.pythonPath, words + paths).run().status
  }

  /// A folder with the fixtures' source files, one of them replaced by `text`.
  private func dumps(_ command: Command, table: String, _ change: (String) -> String) throws
    -> String
  {
    let folder = command.folder + "/dumps"
    try FileManager.default.copyItem(atPath: Command.fixtures + "/dumps", toPath: folder)
    try command.shell("gunzip \"$1\"", [folder + "/\(table).csv.gz"])
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
      try command.run(
        run.arguments + [
          "--out", command.catalog, "--report", "\(run.name).json", "--report",
          "\(run.name).html",
        ], status: run.status)
      let report = try command.json("\(run.name).json")
      #expect(report["exit_code"] as? Int32 == run.status)
      let page = try command.text("\(run.name).html")
      #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
      #expect(!page.contains("<script"))
    }
    #expect(try check(command, runs.map { "\($0.name).json" }) == 0)
    #expect(try command.json("first.json")["changes"] is NSNull)
    #expect(try command.json("again.json")["changes"] is Object)
  }

  @Test(.needs(.jsonschema)) func `a report can be the only output on standard output`() throws {
    let command = try Command()
    let dumps = Command.fixtures + "/dumps"
    let published = try command.load(dumps, "--report", "json:-", status: 0)
    #expect(published.errors.contains("catalog.sqlite: published, clean\n"), "\(published)")
    try Data(published.output.utf8).write(to: URL(fileURLWithPath: command.folder + "/first.json"))
    let refused = try command.load(command.folder, "--report=json:-", status: 66)
    try Data(refused.output.utf8).write(to: URL(fileURLWithPath: command.folder + "/second.json"))
    #expect(try command.json("second.json")["exit_code"] as? Int == 66)
    #expect(try check(command, ["first.json", "second.json"]) == 0)
    let page = try command.load(dumps, "--report=html:-", "--quiet")
    #expect(page.output.hasPrefix("<!DOCTYPE html>") && page.output.hasSuffix("</html>\n"))
    #expect(page.errors == "")
  }

  @Test func `a report has the result of each record`() throws {
    let command = try Command()
    let source = try dumps(command, table: "colors") {
      $0 + "9001,Wrong,GG0000,maybe,0,0,,\n9002,Short,000000\n"
    }
    try command.load(source, "--max-rejects", "2", "--report", "report.json", status: 3)
    let report = try command.json("report.json")
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

  /// The file size is limited here, which has the same effect as a full disk.
  @Test func `an incomplete report leaves the previous one`() throws {
    let command = try Command()
    let fixtures = Command.fixtures + "/dumps"
    #expect(try command.load(fixtures, "--report", "a.json", "--dry-run").status == 0)
    let path = command.folder + "/a.json"
    let before = try String(contentsOfFile: path, encoding: .utf8)
    try command.shell(
      """
      trap '' XFSZ; ulimit -f 4
      exec "$0" --source "$1" --out "$2" --report a.json --dry-run >/dev/null 2>&1
      """, [fixtures, command.catalog], status: 74)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    #expect(try command.names() == ["a.json"])
  }
}
