import SQLiteSwiftly
import Testing
@testable import Vocabulary

/// Samples of rows: which rows, and how they are stored.
@Suite struct RowSampleTests {
  @Test func `the same keys are sampled in any order`() {
    let rows = Nights.rows(30_000)
    let sample = Nights.sample(rows)
    #expect(sample.rows.count == RowSample.mostRows && !sample.isComplete)
    #expect(Nights.sample(rows.reversed()).text == sample.text)
    let fewer = Nights.sample(rows.filter { $0.id % 3 > 0 })
    let changes = fewer.changes(since: sample)
    #expect(changes?.added.keys == 0 && changes?.changed == 0)
    #expect(
      abs((changes?.removed.keys ?? 0) * 3 - (changes?.before ?? 0)) < 250, "\(changes as Any)")
  }

  @Test func `the hashes of equal keys are equal for ever`() {
    // A stored sample of an earlier version of ingest has to match.
    #expect(
      Nights.sample(Nights.rows(3)).text
        == [
          "b44ee440839\t0\tname 0\tkind 0\t1000\n", "4a0c2ddcf20a\t1\tname 1\tkind 1\t1001\n",
          "8e86b4720d7a\t2\tname 2\tkind 2\t1002\n",
        ].joined())
  }

  @Test(
    arguments: [
      ("", 0xb44_ee44_0839), ("a", 0x3935_8aaf_f0d4), ("abcdef", 0xc201_eb82_cd69),
      ("abcdefg", 0xedde_0023_5e8f), ("abcdefgh", 0xb6e_f52e_e02b),
      ("abcdefghijklmn", 0xa285_3846_fd2b), ("abcdefghijklmno", 0xb187_0534_09c7),
      ("ÿÿÿÿ", 0x77e5_4a26_3a36),
    ] as [(String, UInt64)])
  func `so are those of equal texts`(text: String, hash: UInt64) {
    let table = TableDescription("t", columns: [ColumnDescription("a", .text)], primaryKey: ["a"])
    var sampler = RowSampler(table)
    let bytes = Array("before\(text)after".utf8)
    let value = RowBatch.value(ofTextAt: 6, UInt32(bytes.count - 5))
    sampler.add(
      RowBatch(columns: 1, values: [value], classes: [RowBatch.StorageClass.text], text: bytes))
    #expect(sampler.sample().rows.map(\.hash) == [hash])
  }

  @Test func `a sample can be stored and read`() {
    var rows = Nights.rows(5000)
    rows[0].name = nil
    rows[1].name = "tab\tline\nback\\slash\\N\0"
    rows[2].name = String(repeating: "é", count: 100)
    rows[3].name = ""
    let sample = Nights.sample(rows)
    let read = RowSample(
      sample.text, columns: sample.columns, isComplete: false,
      encodedTwice: [0, 0, 0, 0])
    #expect(read?.changes(since: sample) == sample.changes(since: sample))
    #expect(read?.text == sample.text && sample.changes(since: sample)?.changed == 0)
  }

  @Test(
    arguments: [
      ("CafÃ©", "Café"), ("â€¦ Ã¼ber", "… über"), ("Ã\u{83}Â©", "Ã©"), ("ç\u{8d}\u{81}", "獁"),
      ("Café", nil), ("Ã©…é", nil), ("ÃO", nil), ("é…", nil), ("Ã", nil), ("", nil), ("獁Ã©", nil),
      (String(repeating: "Ã©", count: 70), String(repeating: "é", count: 60) + "…"),
    ] as [(String, String?)])
  func `a text that was encoded twice is counted`(text: String, original: String?) {
    var rows = Nights.rows(3)
    rows[1].name = text
    let found = Nights.sample(rows).encodedTwice
    #expect(found.map(\.keys) == [0, original == nil ? 0 : 1, 0, 0])
    #expect(found[1].examples.map(\.before) == (original.map { [$0] } ?? []))
    #expect(found[1].examples.allSatisfy { $0.key == ["1"] })
  }

  @Test(arguments: [
    "x", "1\ta", "1\ta\tb\tc\td\td\n", "zz\t1\ta\tb\t2\n", "1\t1\ta\tb\t2\n0\t2\ta\tb\t2\n",
    "ffffffffffffffff\t1\ta\tb\t2\n1\t2\ta\tb\t2\n", "\n\n", "-1\t1\ta\tb\t2\n",
    "00000000000000001\t1\ta\tb\t2\n",
  ]) func `other text is no sample`(text: String) {
    let columns = Nights.sample([]).columns
    #expect(RowSample(text, columns: columns, isComplete: true, encodedTwice: []) == nil)
    #expect(
      RowSample("1\t1\ta\tb\t2\n", columns: columns, isComplete: true, encodedTwice: [])?.rows.count
        == 1)
  }

  @Test func `a value is shown as it was`() {
    var rows = Nights.rows(1)
    rows[0].name = "a\\b\tc"
    let before = Nights.sample(rows)
    rows[0].name = String(repeating: "x", count: 61)
    let changes = Nights.sample(rows).changes(since: before)
    #expect(
      changes?.columns["name"]?.examples == [
        .init(
          kind: .changed, key: ["0"], before: "a\\b…",
          after: String(repeating: "x", count: 48) + "…")
      ])
    // Equal beginnings, other ends.
    let other = Nights.sample(rows)
    rows[0].name = String(repeating: "x", count: 60) + "y"
    #expect(Nights.sample(rows).changes(since: other)?.changed == 1)
  }

  @Test func `equal rows are sampled once`() throws {
    let table = TableDescription("t", columns: [ColumnDescription("a", .integer)], primaryKey: [])
    var sampler = RowSampler(table)
    for start in stride(from: 0, to: 1_000_000, by: 1000) {
      let values = (start..<start + 1000).map { Int64($0 % 10 == 0 ? $0 : 7) }
      let classes = values.map { _ in RowBatch.StorageClass.integer }
      sampler.add(RowBatch(columns: 1, values: values, classes: classes, text: []))
    }
    let sample = sampler.sample()
    #expect(sample.rows.count == RowSample.mostRows && !sample.isComplete)
    #expect(Set(sample.rows.map(\.hash)).count == RowSample.mostRows)
  }

  @Test func `a night's samples fit`() {
    var samples = [30_000, 10, 30_000].map { Nights.sample(Nights.rows($0)) }
    let before = samples
    samples.fit()
    #expect(samples == before)
    samples = Array(repeating: before[0], count: 40) + [before[1]]
    samples.fit()
    let sizes = samples.map { $0.rows.reduce(0) { $0 + $1.place.count } }
    #expect(sizes.reduce(0, +) <= RowSample.mostBytesOfNight)
    #expect(sizes[0] > RowSample.mostBytesOfNight / 42 && samples[40] == before[1])
  }
}
