import Foundation
import Testing

/// Some of the points that `inject-faults` tries, by the tool itself; CI has it try many more.
@Suite struct FaultTests {
  /// Does one trial; returns the tool's exit status.
  private func inject(_ arguments: String...) throws -> Int32 {
    let command = try Command()
    let script = "exec \"$(dirname \"$0\")/inject-faults\" --folder \"$PWD/faults\" \"$@\" >printed"
    return try command.shell(script, arguments)
  }

  @Test(arguments: [
    "write out/.catalog.sqlite.ingest 40 error=ENOSPC",
    "write out/catalog.sqlite.rejects.new/parts.csv 1 torn",
    "sync out/.catalog.sqlite.ingest 1 error=EIO",
    "read dumps/elements.csv.gz 2 error=EIO",
    "open dumps/parts.csv 1 error=EMFILE",
    "rename out/catalog.sqlite.rejects.new 1 kill-after",
    "rename out/.catalog.sqlite.ingest 1 kill-before",
    "rename out/.catalog.sqlite.ingest 1 kill-after",
    "thread thread 2 error=EAGAIN",
  ])
  func `a fault leaves the old catalogue or the new one`(point: String) throws {
    #expect(try inject("--situation", "rejects", "--point", point) == 0)
  }

  /// The one race in which half a catalogue was once published, and one about the rejects folder.
  @Test(arguments: [
    "rename out/.catalog.sqlite.ingest 1 wait unlocked-killed",
    "rename out/catalog.sqlite.rejects.new 1 wait rejects=catalog.sqlite.rejects",
  ])
  func `a run that waits does not undo what others do meanwhile`(race: String) throws {
    #expect(try inject("--situation", "rejects", "--race", race) == 0)
  }

  @Test(arguments: [
    "rename out/.catalog.sqlite.ingest 1 copy", "write out/.catalog.sqlite.ingest 60 damage",
    "write out/.report.json.ingest 1 swallow",
  ])
  func `a fault that is hidden from the command is found by the checks`(point: String) throws {
    #expect(try inject("--situation", "rejects", "--point", point) == 1)
  }
}
