@testable import SQLiteDestination
import SQLiteFormat
@testable import Vocabulary
import Foundation
import Platform
import Glibc
import SQLiteSwiftly
import Schema
import Testing

/// Nights of a table whose rows are not sorted by its key, in the order of the source file.
@Suite struct UnsortedNightTests {
  private static let schema = SchemaDescription(
    tables: [
      TableDescription(
        "calls",
        columns: [
          ColumnDescription("time", .text, isNullable: true), ColumnDescription("stop", .integer),
          ColumnDescription("trip", .text), ColumnDescription("note", .text, isNullable: true),
        ], primaryKey: ["trip", "stop"], isWithoutRowid: false)
    ], applicationID: 1, version: 1)

  enum Change: CaseIterable {
    case few, fewInAnotherOrder, all, allInAnotherOrder, renumbered, longInAnotherOrder

    var isReordered: Bool { self != .few && self != .all }
  }

  private static func write(
    _ calls: [(trip: Int, stop: Int, time: String, note: String)], to workplace: Workplace
  ) throws {
    let lines = calls.map { "\($0.time),\($0.stop),trip \($0.trip),\($0.note)\n" }
    try workplace.write("calls.csv", "time,stop,trip,note\n" + lines.joined())
  }

  @Test(arguments: Change.allCases)
  func `a night has the changes that a join finds`(change: Change) throws {
    var random = SeededGenerator(seed: 7)
    let workplace = try Workplace()
    // More than wait in memory, if all are long and none is in its place.
    let note = change == .longInAnotherOrder ? String(repeating: "n", count: 9000) : ""
    var calls = (0..<3000).map { index in
      (trip: index / 3, stop: index % 3, time: index % 5 == 0 ? "" : "\(index)", note: note)
    }.shuffled(using: &random)
    try Self.write(calls, to: workplace)
    #expect(load(workplace, Self.schema).error == nil)
    let old = workplace.path + "/old.sqlite"
    try FileManager.default.copyItem(atPath: workplace.output, toPath: old)

    for index in calls.indices {
      let isChanged = change == .all || change == .allInAnotherOrder || index % 100 == 0
      if isChanged { calls[index].time = index % 300 == 0 ? "" : "later \(index)" }
      if change == .renumbered { calls[index].trip += 10_000 }
    }
    calls.removeSubrange(20..<25)
    calls.insert((trip: 5000, stop: 1, time: "new", note: ""), at: 30)
    if change.isReordered { calls.shuffle(using: &random) }
    try Self.write(calls, to: workplace)
    let outcome = load(workplace, Self.schema) { $0.shrinkLimits = PercentLimits(run: 100) }
    let found = try #require(outcome.report?.changes?.tables.first)

    let connection = try Connection(workplace.output, opening: .readOnly)
    try connection.execute("ATTACH \(old) AS old")
    let join = "main.calls AS n JOIN old.calls AS o ON n.trip = o.trip AND n.stop = o.stop"
    func count(_ text: String) throws -> Int {
      Int(
        try connection.value(of: SQL(generated: "SELECT count(*) FROM " + text))?.integerValue ?? -1
      )
    }
    let common = try count(join)
    let changed = try count(join + " WHERE n.time IS NOT o.time")
    #expect(found.rowsBefore == 3000)
    #expect(found.rowsAfter == 2996)
    #expect(
      try found.keys
        == .init(
          added: count("main.calls") - common, removed: count("old.calls") - common,
          changed: changed))
    #expect(found.columns.map(\.name) == (changed > 0 ? ["time"] : []))
    #expect(found.columns.map(\.keys) == (changed > 0 ? [changed] : []))
    #expect(found.nulls.map(\.column) == ["time", "note"])
    #expect(
      try found.nulls.map(\.before) == [
        count("old.calls WHERE time IS NULL"), count("old.calls WHERE note IS NULL"),
      ])
    #expect(
      try found.nulls.map(\.after) == [
        count("calls WHERE time IS NULL"), count("calls WHERE note IS NULL"),
      ])
  }

  @Test func `a damaged page of the previous table is a warning`() throws {
    let workplace = try Workplace()
    try Self.write((0..<3000).map { (trip: $0, stop: 1, time: "", note: "") }, to: workplace)
    #expect(load(workplace, Self.schema).error == nil)
    let connection = try Connection(workplace.output, opening: .readOnly)
    let page = try connection.value(
      of: "SELECT max(pageno) FROM dbstat WHERE name = 'calls' AND pagetype = 'leaf'")
    try connection.close()
    let descriptor = try openFile(workplace.output, O_RDWR)
    let zeros = [UInt8](repeating: 0, count: 64)
    try descriptor.writeAll(zeros.span, at: (Int(page?.integerValue ?? 0) - 1) * Tuning.pageBytes)
    close(descriptor)
    try Self.write([(trip: 1, stop: 1, time: "", note: "")], to: workplace)
    let outcome = load(workplace, Self.schema) { $0.shrinkLimits = PercentLimits(run: 100) }
    #expect(outcome.report?.changes == nil)
    #expect(outcome.warnings.first?.code == .catalogUnreadable)
  }
}
