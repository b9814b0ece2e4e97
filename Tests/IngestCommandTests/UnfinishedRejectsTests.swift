import Foundation
import TestSupport
import Testing

/// A run that cannot complete its rejects folder.
@Suite(.needs(.strace)) struct UnfinishedRejectsTests {
  @Test(arguments: [true, false])
  func `the rejects folder of the previous run is kept`(hasOlder: Bool) throws {
    let command = try Command()
    let kept = command.catalog + ".rejects"
    func load(_ record: String, by program: [String] = []) throws -> ChildProcess.Outcome {
      let dumps = try command.makeDumps([
        "themes.csv": Array("id,name,parent_id\n1,a,\n\(record)\n".utf8)
      ])
      return try command.start(
        [
          "--source", dumps, "--out", command.catalog, "--allow-missing", "all", "--max-rejects",
          "1",
        ], by: program
      ).outcome()
    }
    if hasOlder { #expect(try load("first,b,").status == 3) }
    let result = try load(
      "second,b,",
      by: [
        "/usr/bin/strace", "-D", "-f", "-qq", "-o", "/dev/null", "-P", kept + "/unfinished", "-e",
        "trace=unlink", "-e", "inject=unlink:error=EIO",
      ])
    #expect(result.status == 74 && result.errors.contains("cannot be finished"), "\(result)")
    let names = try command.names().filter { $0.hasPrefix("catalog.sqlite.rejects") }
    #expect(names == (hasOlder ? ["catalog.sqlite.rejects"] : []))
    guard hasOlder else { return }
    let records = try String(contentsOfFile: kept + "/themes.csv", encoding: .utf8)
    #expect(records == "id,name,parent_id\nfirst,b,\n")
    #expect(try load("second,b,").status == 3)
    #expect(
      try String(contentsOfFile: kept + "/themes.csv", encoding: .utf8)
        == "id,name,parent_id\nsecond,b,\n")
  }
}
