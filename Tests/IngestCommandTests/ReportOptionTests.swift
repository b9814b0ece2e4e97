import Foundation
import Testing

@Suite struct ReportOptionTests {
  @Test func `a report that cannot be created ends the run before it begins`() throws {
    let command = try Command()
    let report = command.folder + "/nowhere/report.json"
    let result = try command.load(Command.fixtures + "/dumps", "--report", report)
    #expect(result.status == 73, "\(result)")
    #expect(result.errors.contains(report))
    #expect(try command.names() == [])
  }

  @Test func `a report is written of a run that fails, too`() throws {
    let command = try Command()
    for (source, status) in [
      ("/broken/gzip-corrupt", 65), ("/broken/file-missing", 66), ("/broken/stray-quote", 65),
      ("/dumps", 0),
    ] as [(String, Int32)] {
      let (json, html) = (command.folder + "/report.json", command.folder + "/report.html")
      let result = try command.load(
        Command.fixtures + source, "--report", json, "--report", html)
      #expect(result.status == status, "\(result)")
      let data = try Data(contentsOf: URL(fileURLWithPath: json))
      let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
      #expect(report["exit_code"] as? Int == Int(status))
      let page = try String(contentsOfFile: html, encoding: .utf8)
      #expect(page.hasPrefix("<!DOCTYPE html>") || page.hasPrefix("<!doctype html>"))
    }
  }
}
