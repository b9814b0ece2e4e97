import Vocabulary
import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Whatever is wrong with a dump: every byte of it is accounted for, and what is rejected is kept.
@Suite struct RandomDamageTests {
  private static let header = "id,node,size,kind,is_new,code\r\n"

  /// A dump of `things` in which some bytes were changed, put in or taken out.
  private func damaged(_ generator: inout SeededGenerator) -> [UInt8] {
    let lines = (0..<40).map { number in
      let node = ["root", "\"leaf\"", "\"le\"\"af\"", "é"][number % 4]
      return "\(number),\(node),\(number % 11),\(number % 2 == 0 ? "a" : ""),t,\n"
    }
    var bytes = Array(lines.joined().utf8)
    let special = Array("\",\n\r\0\u{e9}x0".utf8)
    for _ in 0..<Int.random(in: 1...8, using: &generator) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      let byte = special.randomElement(using: &generator) ?? 0
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes[place] = byte
      case 1: bytes.insert(byte, at: place)
      default: bytes.remove(at: place)
      }
    }
    return Array(Self.header.utf8) + bytes
  }

  @Test func `a damaged dump is accounted for, and its rejects can be left out`() throws {
    let repairs = try (1...80).filter { try isRepaired(seed: $0) }
    // The others end inside quotes, or what was changed is no fault.
    #expect(repairs.count > 30)
  }

  /// Damages a dump, loads it, and leaves out what was rejected, unless there is nothing to repair.
  private func isRepaired(seed: Int) throws -> Bool {
    var generator = SeededGenerator(seed: UInt64(seed))
    let workplace = try Family.workplace()
    let dump = damaged(&generator)
    try Data(dump).write(to: URL(fileURLWithPath: workplace.path + "/dumps/things.csv"))
    let outcome = load(workplace, Family.schema)
    guard let report = outcome.report else {
      #expect(outcome.error?.code == .file(.unterminatedQuote), "seed \(seed)")
      return false
    }
    #expect(report.tables.flatMap(\.imbalances).isEmpty)
    let account = report.tables[1]
    #expect(account.reasonsByCode.values.reduce(0, +) >= account.rejected)
    guard account.rejected > 0 else { return false }
    let reasons = try workplace.kept.reasons("things")
    #expect(account.reasonsByCode.values.reduce(0, +) == reasons.count)
    var expected = Data(Self.header.utf8)
    var last = -1
    for reason in reasons where reason.bytes.lowerBound > last {
      last = reason.bytes.lowerBound
      expected.append(contentsOf: dump[reason.bytes])
      expected.append(contentsOf: addedLineEnd(after: expected))
    }
    #expect(try workplace.kept.data("things.csv") == expected)
    let rows = try workplace.rows("SELECT * FROM things ORDER BY id")
    // Each record is found among the others, whatever its bytes.
    expected.append(contentsOf: Data("99,root,,,t,\n".utf8))
    try expected.write(to: URL(fileURLWithPath: workplace.kept.folder + "/things.csv"))
    #expect(try repair(workplace) == ["things.add.csv +1 -0"], "seed \(seed)")
    try workplace.kept.write("things.csv", Self.header)
    #expect(
      try repair(workplace) == [
        "things.add.csv +0 -1", "things.leave-out.csv +\(account.rejected) -0",
      ], "seed \(seed)")
    let repaired = loadRepaired(workplace)
    #expect(repaired.error == nil && repaired.whole.rejected == 0, "seed \(seed)")
    #expect(repaired.report?.tables.flatMap(\.imbalances) == [])
    #expect(repaired.report?.tables[1].leftOut == account.rejected)
    #expect(try workplace.rows("SELECT * FROM things ORDER BY id") == rows)
    return true
  }
}
