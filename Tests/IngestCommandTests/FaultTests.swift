import Foundation
import Testing

/// Some of the points of `inject-faults`; CI tries many more.
@Suite struct FaultTests {
  /// Runs trials of one situation; returns the tool's exit status and last line.
  private func inject(
    _ option: String, _ trials: [String], in situation: String = "rejects"
  ) throws -> (status: Int32, summary: String) {
    let command = try Command()
    let script = "exec \"$(dirname \"$0\")/inject-faults\" --folder \"$PWD/faults\" \"$@\" >printed"
    let words = ["--situation", situation] + trials.flatMap { [option, $0] }
    let status = try command.shell(script, words)
    let printed = try String(contentsOfFile: command.folder + "/printed", encoding: .utf8)
    if status != 0 { print(printed) }
    return (status, printed.split(separator: "\n").last.map(String.init) ?? "")
  }

  @Test func `a system call failure leaves the previous or the new database`() throws {
    let (status, summary) = try inject(
      "--point",
      [
        "write out/.catalog.sqlite.ingest/database 40 error=ENOSPC",
        "write out/catalog.sqlite.rejects.new/parts.csv 1 torn",
        "sync out/.catalog.sqlite.ingest/database 1 error=EIO",
        "read dumps/elements.csv.gz 2 error=EIO",
        "open dumps/parts.csv 1 error=EMFILE",
        "rename out/catalog.sqlite.rejects.new 1 kill-after",
        "rename out/.catalog.sqlite.ingest/database 1 kill-before",
        "rename out/.catalog.sqlite.ingest/database 1 kill-after",
        "thread thread 2 error=EAGAIN",
        "stat out/.catalog.sqlite.ingest/database 610 error=EIO",
        "stat out/.catalog.sqlite.ingest.lock 3 error=EIO",
      ])
    #expect(status == 0)
    #expect(summary.hasPrefix("faults: 11 points in ") && summary.hasSuffix(", 0 failed"))
  }

  @Test func `edits are saved as a whole, and are not lost`() throws {
    let (status, summary) = try inject(
      "--point",
      [
        "stat out/catalog.sqlite.rejects/parts.csv 1 error=EIO",
        "read dumps/parts.csv 1 error=EIO",
        "write out/written/.parts.add.csv.ingest 1 torn",
        "rename out/written/.parts.leave-out.csv.ingest 1 kill-before",
        "rename out/written/.parts.leave-out.csv.ingest 1 kill-after",
        "sync out/catalog.sqlite.rejects/.parts.saved.csv.ingest 1 error=EIO",
      ], in: "repair")
    #expect(status == 0)
    #expect(summary.hasPrefix("faults: 6 points in ") && summary.hasSuffix(", 0 failed"))
  }

  @Test func `a description that cannot be read is not reported as missing`() throws {
    let (status, summary) = try inject(
      "--point", ["read dumps/gtfs.json 1 error=EIO"], in: "feed")
    #expect(status == 0)
    #expect(summary.hasPrefix("faults: 1 points in ") && summary.hasSuffix(", 0 failed"))
  }

  /// The race in which half a database was once published, and one on the rejects folder.
  @Test func `a waiting run does not undo changes made meanwhile`() throws {
    let (status, summary) = try inject(
      "--race",
      [
        "rename out/.catalog.sqlite.ingest/database 1 wait unlocked-killed",
        "rename out/catalog.sqlite.rejects.new 1 wait rejects=catalog.sqlite.rejects",
      ])
    #expect(status == 0)
    #expect(summary.hasPrefix("faults: 2 points in ") && summary.hasSuffix(", 0 failed"))
  }

  @Test func `a fault that the command cannot see is found by the tests`() throws {
    let (status, summary) = try inject(
      "--point",
      [
        "rename out/.catalog.sqlite.ingest/database 1 copy",
        "write out/.catalog.sqlite.ingest/database 60 damage",
        "write out/.report.json.ingest 1 swallow",
      ])
    #expect(status == 1)
    #expect(summary.hasPrefix("faults: 3 points in ") && summary.hasSuffix(", 3 failed"))
  }
}
