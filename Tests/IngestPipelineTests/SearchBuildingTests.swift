@testable import SQLiteDestination
import Glibc
import Platform
import SQLiteSwiftly
import Schema
import Testing
import Vocabulary

/// The search is built beside other work, and copied into the file as soon as it is complete and the file is free.
@Suite struct SearchBuildingTests {
  private static let search = SearchDescription(
    "find", columns: [.init("kind"), .init("name", weight: 1)], excerptOf: "name",
    entries: ["SELECT 'node', name FROM nodes ORDER BY name"])

  /// A loaded file that has no search yet, as it is open during a run, with a helper that is still busy.
  private final class Subject {
    let workplace: Workplace
    let helper = Helper()
    let searching: SearchBuilding
    private let descriptor: Int32
    private let writer: Connection
    private let isFree = Monitor(false)

    init() throws {
      workplace = try Family.workplace()
      #expect(load(workplace, Family.schema).error == nil)
      descriptor = try openFile(workplace.output, O_RDWR)
      writer = try Connection(workplace.output, opening: .openExisting)
      let isFree = isFree
      helper.add { isFree.when({ $0 }) { _ in } }
      searching = try SearchBuilding(
        search, of: workplace.output, descriptor: descriptor, recorder: RunRecorder { _ in },
        on: helper)
    }

    deinit { close(descriptor) }

    func freeHelper() { isFree.with { $0 = true } }
  }

  @Test(arguments: [false, true])
  func `the search is copied, whether or not it is complete when it may be`(
    isComplete: Bool
  ) throws {
    let subject = try Subject()
    if isComplete {
      subject.freeHelper()
      subject.helper.finish()
    }
    subject.searching.copy(on: subject.helper)
    subject.freeHelper()
    let result = try subject.searching.result(from: subject.helper)
    let nodes = try subject.workplace.rows("SELECT name FROM nodes ORDER BY name")
    #expect(nodes.count > 1)
    #expect(result.entries == nodes.count && result.bytes > 0 && result.seconds > 0)
    #expect(try subject.workplace.rows("SELECT name FROM find ORDER BY name") == nodes)
  }

  @Test func `a search that is not needed is neither built nor copied`() throws {
    let subject = try Subject()
    subject.searching.cancel()
    subject.freeHelper()
    #expect(throws: SQLiteError.self) { try subject.searching.result(from: subject.helper) }
    #expect(
      try subject.workplace.rows("SELECT name FROM sqlite_schema WHERE name GLOB '*find*'") == [])
  }
}
