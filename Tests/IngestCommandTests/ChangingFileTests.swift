import Foundation
import TestSupport
import Testing

/// Source files that are written while they are read.
@Suite struct ChangingFileTests {
  /// The change to `themes.csv` between two reads.
  @Test(
    arguments: [
      "printf '1' >>\"$1\"", "printf i | dd of=\"$1\" conv=notrunc 2>/dev/null",
      "truncate -s -100 \"$1\"",
      "touch \"$1\"",
    ])
  func `a source file written during the run is not loaded`(change: String) throws {
    try expectRefusal(of: change, at: .read, "--max-rejects", "100%")
  }

  /// The themes are read twice, and must be the same both times.
  @Test func `a source file replaced during the run is not loaded from both versions`() throws {
    try expectRefusal(of: "cp \"$1\" new; mv new \"$1\"", at: .open)
  }

  /// Loads themes that change before the second call, which must be detected.
  private func expectRefusal(
    of change: String, at call: HeldRun.Call, _ options: String...
  ) throws {
    let command = try Command()
    let records = (1...1000).map { "\($0),theme,\n" }.joined()
    let dumps = try command.makeDumps(["themes.csv": Array("id,name,parent_id\n\(records)".utf8)])
    let held = try command.start(
      ["--source", dumps, "--out", command.catalog, "--allow-missing", "all"] + options,
      heldAt: call, "themes.csv", number: 2)
    try command.shell(change, [dumps + "/themes.csv"])
    let result = try held.outcome(status: 74)
    #expect(
      result.errors.contains("\(dumps)/themes.csv: was changed while it was being read."),
      "\(result)")
    #expect(!FileManager.default.fileExists(atPath: command.catalog))
  }
}
