import Foundation
import TestSupport
import Testing

/// Some of the points of `inject-faults`; CI tries many more.
@Suite struct FaultTests {
  /// Tries points of one situation, of which as many must fail as expected.
  private func inject(
    _ trials: [String], by option: String = "--point", in situation: String = "rejects",
    failed: Int = 0
  ) throws {
    let script = "exec \"$(dirname \"$0\")/inject-faults\" --folder \"$PWD/faults\" \"$@\""
    let words = ["--situation", situation] + trials.flatMap { [option, $0] }
    let outcome = try Command().shell(script, words, status: failed > 0 ? 1 : 0)
    let summary = outcome.output.split(separator: "\n").last ?? ""
    #expect(
      summary.hasPrefix("faults: \(trials.count) points in ")
        && summary.hasSuffix(", \(failed) failed"), "\(outcome)")
  }

  @Test func `a system call failure leaves the previous or the new database`() throws {
    try inject([
      "write out/.catalog.sqlite.ingest/database 40 error=ENOSPC",
      "write out/catalog.sqlite.rejects.new/parts.csv 1 torn",
      "sync out/.catalog.sqlite.ingest/database 1 error=EIO",
      "read dumps/elements.csv.gz 2 error=EIO",
      "open dumps/parts.csv 1 error=EMFILE",
      "rename out/catalog.sqlite.rejects.new 1 kill-after",
      "rename out/.catalog.sqlite.ingest/database 1 kill-before",
      "rename out/.catalog.sqlite.ingest/database 1 kill-after",
      "thread thread 2 error=EAGAIN",
      "stat out/.catalog.sqlite.ingest/database 520 error=EIO",
      "stat out/.catalog.sqlite.ingest.lock 3 error=EIO",
    ])
  }

  @Test func `edits are saved as a whole, and are not lost`() throws {
    try inject(
      [
        "stat out/catalog.sqlite.rejects/parts.csv 1 error=EIO",
        "read dumps/parts.csv 1 error=EIO",
        "write out/written/.parts.add.csv.ingest 1 torn",
        "rename out/written/.parts.leave-out.csv.ingest 1 kill-before",
        "rename out/written/.parts.leave-out.csv.ingest 1 kill-after",
        "sync out/catalog.sqlite.rejects/.parts.saved.csv.ingest 1 error=EIO",
      ], in: "repair")
  }

  @Test func `a description that cannot be read is not reported as missing`() throws {
    try inject(["read dumps/gtfs.json 1 error=EIO"], in: "feed")
  }

  /// The race in which half a database was once published, and one on the rejects folder.
  @Test func `a waiting run does not undo changes made meanwhile`() throws {
    try inject(
      [
        "rename out/.catalog.sqlite.ingest/database 1 wait unlocked-killed",
        "rename out/catalog.sqlite.rejects.new 1 wait rejects=catalog.sqlite.rejects",
      ], by: "--race")
  }

  @Test func `a fault that the command cannot see is found by the tests`() throws {
    try inject(
      [
        "rename out/.catalog.sqlite.ingest/database 1 copy",
        "write out/.catalog.sqlite.ingest/database 60 damage",
        "write out/.report.json.ingest 1 swallow",
      ], failed: 3)
  }
}
