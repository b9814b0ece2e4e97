@testable import SourceFiles
@testable import Vocabulary
import Foundation
import TestSupport
import Testing
@testable import IngestReport
import Text

@Suite struct ReportFileTests {
  @Test(arguments: [
    ("a.json", ReportFile.Format.json), ("a.html", .html), ("dir.html/a.json", .json),
    ("a.json.html", .html), ("./.a.json", .json), ("a", nil), ("", nil), ("a.JSON", nil),
    ("a.json/", nil), (".json", nil), ("folder/.html", nil), ("a.json/b", nil), ("ajson", nil),
  ])
  func `the file extension selects the format of a report`(
    _ path: String, _ format: ReportFile.Format?
  ) {
    #expect(ReportFile(path)?.format == format)
  }

  @Test func `a report is written in one step and leaves nothing else`() throws {
    let workplace = try Workplace()
    for (name, beginning) in [("report.json", "{\n"), ("report.html", "<!DOCTYPE html>\n")] {
      let file = try #require(ReportFile(workplace.path + "/" + name))
      try file.prepare()
      #expect(try workplace.names == ["dumps"])
      for facts in [Reports.clean, Reports.hostile] {
        try file.write(facts)
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        #expect(text == (file.format == .json ? facts.json : facts.html))
        #expect(text.hasPrefix(beginning))
        #expect(try workplace.names == [name, "dumps"].sorted())
      }
      try FileManager.default.removeItem(atPath: file.path)
    }
  }

  @Test func `a link is replaced, and its target stays`() throws {
    let workplace = try Workplace()
    let link = workplace.path + "/latest.json"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "dumps/today.json")
    let file = try #require(ReportFile(link))
    try file.prepare()
    try file.write(Reports.clean)
    #expect(try String(contentsOfFile: link, encoding: .utf8) == Reports.clean.json)
    #expect(!FileManager.default.fileExists(atPath: workplace.path + "/dumps/today.json"))
  }

  @Test func `an invalid path is refused before and after the run`() throws {
    let workplace = try Workplace()
    try makeFolder(workplace.path + "/folder.json")
    let isPipe = unsafe mkfifo(workplace.path + "/pipe.json", 0o600) == 0
    #expect(isPipe)
    let names = try workplace.names
    for name in [
      "folder.json", "pipe.json", "nowhere/a.json", "\(String(repeating: "n", count: 255)).json",
    ] {
      let file = try #require(ReportFile(workplace.path + "/" + name))
      for attempt in [{ try file.prepare() }, { try file.write(Reports.clean) }] {
        let error = #expect(throws: IngestError.self) { try attempt() }
        #expect(error?.kind == .output)
        #expect(error?.message.hasPrefix(file.path + ": ") == true)
      }
    }
    #expect(try workplace.names == names)
  }
}
