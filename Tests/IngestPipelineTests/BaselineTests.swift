@testable import Run
import Testing
import Text
@testable import Vocabulary

/// Nights compared with the last accepted one: what warns, how long, and what accepts it.
@Suite struct BaselineTests {
  private static let rows = Nights.rows(8000)
  private static let clean = Nights(clean: 6, over: rows)

  private static func changed(
    _ share: Double, _ rows: [Nights.Row] = rows, _ change: (inout Nights.Row) -> Void
  ) -> [Nights.Row] {
    var rows = rows
    for index in rows.indices where Double(index * 7919 % 10_000) < share * 100 {
      change(&rows[index])
    }
    return rows
  }

  @Test(arguments: [(0.4, false), (0.7, true), (1.9, true), (5, true), (17.8, true), (100, true)])
  func `a change of any size lasts until the rows are as before`(share: Double, warns: Bool) {
    var nights = Self.clean
    let damaged = Self.changed(share) { $0.name = "#N/A" }
    let expected = warns ? [share > 97 ? "column-constant" : "changes-unusual"] : []
    #expect(nights.lines(damaged) == expected.map { "\($0) t.name: as of run 7" })
    #expect(nights.lines(damaged) == expected.map { "\($0) t.name: as of run 7" })
    #expect(nights.lines(Self.rows) == [])
  }

  @Test func `the message has the column, exact numbers, what is usual and examples`() throws {
    var nights = Self.clean
    let found = nights.load(Self.changed(2) { $0.name = "#N/A" })
    let message = try #require(found.first).message
    #expect(
      message.hasPrefix(
        "name has changed for 162 of the 8,000 keys of t since run 6 (data of 2020-09-19): "),
      "\(message)")
    #expect(
      message.contains(
        #/: 2%, and up to 0\.5% is usual, for example \d+: "name \d+", now "#N/A"; \d/#),
      "\(message)")
    let later = nights.load(Self.changed(2) { $0.name = "#N/A" })
    #expect(
      later[0].message.contains(/for \d\d of 4,096 sampled keys of t since run 6/), "\(later)")
  }

  @Test func `a warning has its facts, which can be stored and read`() throws {
    var nights = Self.clean
    let renumbered = Self.rows.map { (row: Nights.Row) -> Nights.Row in
      (row.id < 400 ? row.id + 1_000_000 : row.id, "#N/A", row.kind, row.uses)
    }
    let found = nights.load(renumbered)
    #expect(found.map(\.code) == [.keysRenumbered, .columnConstant])
    let facts = try found.map { try #require($0.difference) }
    #expect(facts.map(\.firstRun) == [7, 7] && facts.map(\.sinceRun) == [6, 6])
    #expect(facts[0].sinceTime == "2020-09-19T12:26:40Z")
    #expect(facts[0].figures == .init(400, of: 8000) && facts[0].added == 400)
    #expect(facts[0].usualPercent == 0.1 && !facts[0].isSlow)
    #expect(facts[0].examples.map(\.kind.rawValue).joined(separator: " ").hasPrefix("removed "))
    #expect(facts[0].examples.count == 6 && facts[0].examples.allSatisfy { $0.after == nil })
    #expect(facts[1].value == "#N/A" && facts[1].percentBefore == 0)
    #expect(facts[1].figures?.isSampled == true && facts[1].figures?.all == RowSample.mostRows)
    let example = try #require(facts[1].examples.first)
    #expect(example.before == "name \(example.key[0])" && example.after == "#N/A")
    for facts in facts {
      let text = facts.json.written(as: .record)
      var reader = JSONReader(Array(text.utf8), mostValues: 1000)
      let read = NightDifference(try reader.read(), firstRun: facts.firstRun)
      #expect(read.json.written(as: .record) == text && read.examples == facts.examples)
    }
  }

  @Test(arguments: [
    "null", "[]", "{\"count\": -1, \"compared\": 1e99}", "{\"percent_before\": 1e999}",
    "{\"examples\": [1, {\"kind\": \"x\"}], \"added\": 99999999999999999999}",
  ]) func `facts that no run has stored are ignored`(text: String) throws {
    var reader = JSONReader(Array(text.utf8), mostValues: 1000)
    var read = NightDifference(try reader.read(), firstRun: 3)
    read.percentBefore = nil
    #expect(read == NightDifference(firstRun: 3))
  }

  @Test func `new damage is seen while a warning lasts, and by the night that heals it`() {
    var nights = Self.clean
    let first = Self.changed(1.9) { $0.name? += "?" }
    #expect(nights.lines(first) == ["changes-unusual t.name: as of run 7"])
    let second = Self.changed(3, first) { $0.kind = "none" }
    #expect(
      nights.lines(second) == [
        "changes-unusual t.name: as of run 7", "changes-unusual t.kind: as of run 8",
      ])
    // All names, although some are already damaged.
    let third = first.map { (row: Nights.Row) -> Nights.Row in (row.id, "#N/A", row.kind, row.uses)
    }
    #expect(nights.lines(third) == ["column-constant t.name: as of run 9"])
    // The names are back, but not the kinds.
    #expect(
      nights.lines(Self.changed(3) { $0.kind = "none" }) == ["changes-unusual t.kind: as of run 10"]
    )
    #expect(nights.lines(Self.rows) == [])
  }

  @Test func `accepting a change accepts that change alone, once`() {
    var nights = Self.clean
    let damaged = Self.changed(17.8) { $0.name = "new" }
    let line = "changes-unusual t.name: as of run 7"
    #expect(nights.lines(damaged) == [line])
    // Another change of as many names.
    let other = Self.changed(17.8) { $0.name = "other" }
    #expect(nights.lines(other, accepting: [line]) == ["changes-unusual t.name: as of run 8"])
    // The first one is back, and so is its line.
    #expect(nights.lines(damaged, accepting: [line]) == [])
    #expect(nights.history.lasting.isEmpty && nights.history.accepted.count == 1)
    // It is carried out; the next change is compared with it.
    #expect(nights.lines(damaged, accepting: [line]) == [])
    #expect(nights.history.accepted.map(\.difference?.firstRun) == [7])
    // Nor is it a slow change once the line is gone.
    var without = nights
    #expect(without.lines(Self.changed(18) { $0.name = "new" }) == [])
    #expect(without.lines(damaged) == [])
    #expect(
      nights.lines(Self.rows, accepting: [line]) == ["changes-unusual t.name: as of run 10"])
    // Accepted shares do not become usual.
    #expect(nights.history.usualPercent(.changed, "name", of: "t", days: 1) < 1)
    #expect(nights.lines(damaged) == [])
    #expect(nights.history.lasting.isEmpty && nights.history.accepted.isEmpty)
  }

  @Test func `a line holds again once another change of the column is gone`() {
    var nights = Self.clean
    let first = Self.changed(1.9) { $0.name = "#N/A" }
    let both = Self.changed(5) { $0.name = "#N/A" }
    let line = "changes-unusual t.name: as of run 7"
    let later = "changes-unusual t.name: as of run 8"
    #expect(nights.lines(first) == [line])
    #expect(nights.lines(both) == [later])
    #expect(nights.lines(both) == [later])
    var other = nights
    #expect(nights.lines(first) == [line])
    #expect(nights.lines(both, accepting: [line]) == [later])
    #expect(nights.lines(both) == [later])
    #expect(nights.lines(first, accepting: [line]) == [])
    #expect(nights.history.baselines[.former] == [])
    // Nor does it hold for a third one, or for another number.
    #expect(
      other.lines(Self.changed(1.9) { $0.name = "other" }) == [
        "changes-unusual t.name: as of run 9"
      ])
    #expect(
      other.lines(Self.changed(2.9) { $0.name = "#N/A" }) == [
        "changes-unusual t.name: as of run 10"
      ])
  }

  @Test func `additions and removals are judged by the keys of both nights`() {
    var nights = Self.clean
    let more = Self.rows + Nights.rows(8400).dropFirst(8000)
    #expect(nights.lines(more) == ["table-grown t: as of run 7"])
    #expect(nights.lines(Array(Self.rows.dropLast(100))) == ["changes-unusual t: as of run 8"])
    let renumbered = Self.rows.map { (row: Nights.Row) -> Nights.Row in
      (row.id + 1_000_000, row.name, row.kind, row.uses)
    }
    #expect(nights.lines(renumbered) == ["keys-renumbered t: as of run 9"])
    #expect(nights.lines(Array(Self.rows.dropLast(1200))) == ["table-shrunk t: as of run 10"])
    #expect(nights.lines(Self.rows + Nights.rows(8015).dropFirst(8000)) == [])
  }

  @Test func `accepting other keys accepts no other values`() {
    var nights = Self.clean
    let renumbered = Self.rows.map { (row: Nights.Row) -> Nights.Row in
      (row.id < 4000 ? row.id + 1_000_000 : row.id, row.name, row.kind, row.uses)
    }
    let line = "keys-renumbered t: as of run 7"
    #expect(nights.lines(renumbered) == [line])
    let damaged = Self.changed(100, renumbered) { $0.name = "#N/A" }
    let constant = "column-constant t.name: as of run 8"
    #expect(nights.lines(damaged, accepting: [line]) == [constant])
    // Nor does it become usual.
    #expect(nights.lines(damaged, accepting: [line, constant]) == [])
    #expect(nights.history.usualPercent(.changed, "name", of: "t", days: 1) == 0.5)
  }

  @Test func `a small table is compared exactly`() {
    let few = Nights.rows(180)
    var nights = Nights(clean: 5, over: few, changing: false)
    let four = few.map { $0.id < 4 ? (id: $0.id, name: "x", kind: $0.kind, uses: $0.uses) : $0 }
    #expect(nights.lines(four) == [])
    var other = Nights(clean: 5, over: few, changing: false)
    let five = few.map { $0.id < 5 ? (id: $0.id, name: "x", kind: $0.kind, uses: $0.uses) : $0 }
    #expect(other.lines(five) == ["changes-unusual t.name: as of run 6"])
  }

  @Test func `a counter may move a little`() {
    var nights = Self.clean
    #expect(nights.lines(Self.changed(100) { $0.uses += 30 }) == [])
    #expect(
      nights.lines(Self.changed(2) { $0.uses = 0 }) == ["changes-unusual t.uses: as of run 8"])
  }

  @Test func `with few nights known, the first limit applies`() {
    for nights in 1...3 {
      var some = Nights(clean: nights, over: Self.rows)
      #expect(some.lines(Self.changed(2.5) { $0.name = "x" }) == [], "\(nights)")
      var more = Nights(clean: nights, over: Self.rows)
      #expect(more.lines(Self.changed(4) { $0.name = "x" }).count == 1, "\(nights)")
    }
  }

  @Test func `nights that were missed are allowed their changes`() {
    var nights = Nights(clean: 1, over: Self.rows)
    for night in 0..<5 {
      #expect(nights.lines(Self.changed(0.3) { $0.name = "night \(night)" }) == [])
    }
    let many = Self.changed(2) { $0.name = "many" }
    var (late, damaged) = (nights, nights)
    #expect(nights.lines(many).count == 1)
    #expect(late.lines(many, days: 8) == [])
    // Nor does a night that heals warn of them.
    #expect(damaged.lines(Self.changed(30) { $0.name = "#N/A" }, days: 8).count == 1)
    #expect(damaged.lines(many, days: 2) == [])
  }

  @Test func `changes below the limit are found once they add up`() throws {
    var nights = Self.clean
    var rows = Self.rows
    var found: [Warning] = []
    for night in 0..<30 where found.isEmpty {
      for index in rows.indices where index * 7919 % 10_000 / 40 == night {
        rows[index].name = "#N/A"
      }
      found = nights.load(rows)
    }
    let warning = try #require(found.first)
    #expect(warning.line.hasPrefix("changes-unusual t.name: as of run "), "\(warning)")
    #expect(
      warning.message.contains("since run 1 (data of 2020-09-14): 5")
        && warning.message.contains("and up to 5% is usual in 30 nights"), "\(warning)")
    #expect(nights.lines(rows) == [warning.line])
    #expect(nights.lines(rows, accepting: [warning.line]) == [])
    #expect(nights.lines(rows, accepting: [warning.line]) == [])
  }

  @Test func `columns that become NULL, constant or encoded twice have their own codes`() {
    var nights = Self.clean
    #expect(nights.lines(Self.changed(12) { $0.name = nil }) == ["nulls-risen t.name: as of run 7"])
    #expect(
      nights.lines(Self.changed(100) { $0.kind = "k" }) == ["column-constant t.kind: as of run 8"])
  }

  @Test func `any text that was encoded twice is found, and heals`() throws {
    func twice(_ text: String) -> String {
      String(String.UnicodeScalarView(text.utf8.map { Unicode.Scalar($0) }))
    }
    var rows = Self.rows
    for index in rows.indices { rows[index].name = "Café \(index)" }
    // Two names were so in all nights.
    for index in 0..<2 { rows[index].name = twice("Café \(index)") }
    var nights = Nights(clean: 4, over: rows)
    // Not among the sampled rows.
    let sampled = Nights.sample(rows).text
    let place = try #require((100..<8000).first { !sampled.contains("\tCafé \($0)\t") })
    var damaged = rows
    damaged[place].name = twice("Café \(place)")
    for _ in 0..<2 {
      let found = nights.load(damaged)
      #expect(found.map(\.line) == ["text-encoded-twice t.name: as of run 5"])
      #expect(found[0].difference?.figures == .init(1, of: 8000))
      let message = "name is encoded twice as UTF-8 in 1 of the 8,000 rows of t, unlike in run 4 ("
      #expect(found[0].message.hasPrefix(message), "\(found)")
      #expect(found[0].message.contains("for example 0: \"CafÃ© 0\" for \"Café 0\"; 1: "))
    }
    #expect(nights.lines(rows) == [])
    // Many other changes of the column have a warning of their own.
    for index in 200..<1000 { damaged[index].name = "x\(index)" }
    #expect(
      nights.lines(damaged) == [
        "changes-unusual t.name: as of run 7", "text-encoded-twice t.name: as of run 7",
      ])
  }

  @Test func `limits judge by the smaller difference`() throws {
    var nights = Self.clean
    let limits = PercentLimits(run: 5)
    _ = nights.load(Self.changed(17.8) { $0.name = "x" })
    #expect(limits.changedTables(in: try #require(nights.changes)).map(\.table) == ["t"])
    // The night that heals, and one that damages others.
    _ = nights.load(Self.rows, isKept: false)
    #expect(limits.changedTables(in: try #require(nights.changes)) == [])
    _ = nights.load(Self.changed(100) { $0.name = "y" }, isKept: false)
    #expect(limits.changedTables(in: try #require(nights.changes)).map(\.table) == ["t"])
  }

  @Test func `the same night again is no further night`() {
    var nights = Self.clean
    let before = nights.history
    // The last clean night.
    var last = Self.rows
    for index in last.indices where index % 4000 == 5 { last[index].name? += " (old)" }
    #expect(nights.lines(last, days: 0) == [])
    let isSame = nights.history == before
    #expect(isSame)
  }

  @Test func `only the last 30 accepted nights are usual`() {
    var history = History()
    history.runs = (1...60).map { run in
      History.Run(
        number: run, dataTime: nil, sources: 0, state: "clean",
        tables: [
          History.Table(
            name: "t", rows: 1, rejected: 0, keys: nil, isUnusual: run == 59,
            shares: run == 59
              ? nil : [ChangeShare(.changed, "a", percent: run == 30 ? 9 : run == 29 ? 50 : 1)])
        ])
    }
    #expect(history.usualPercent(.changed, "a", of: "t", days: 1) == 45)
    #expect(history.usualPercent(.changed, "a", of: "t", days: 2) == 54)
    #expect(history.usualPercent(.changed, "b", of: "t", days: 1) == 0.5)
    #expect(history.usualPercent(.removed, "", of: "t", days: 1) == 0.1)
    #expect(history.usualPercent(.added, "", of: "other", days: 1) == 10)
  }
}
