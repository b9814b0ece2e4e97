import SQLiteSwiftly
import TestSupport
import Testing
@testable import SQLiteFormat

/// Entries that are sorted as one integer each.
struct PackedEntriesTests {
  private static let parts = TableDescription(
    "parts", columns: [ColumnDescription("part", .text)], primaryKey: ["part"])
  private static let colors = TableDescription(
    "colors", columns: [ColumnDescription("id", .integer)], primaryKey: ["id"])

  /// A table with an index on columns; `t` is its name in both files.
  private func uses(_ indexes: [[String]], rowids: Bool = false) -> TableDescription {
    TableDescription(
      "t",
      columns: [
        ColumnDescription("part", .text, isNullable: rowids),
        ColumnDescription("color", .integer, isNullable: rowids),
        ColumnDescription("is_spare", .boolean, isNullable: rowids),
        ColumnDescription("quantity", .integer, isNullable: rowids),
        ColumnDescription("year", .integer, isNullable: true, domain: .within(1900...2199)),
      ],
      primaryKey: rowids ? [] : ["quantity", "part", "color", "is_spare"],
      foreignKeys: [
        ForeignKeyDescription("part", references: "parts", "part"),
        ForeignKeyDescription("color", references: "colors", "id"),
      ], indexes: indexes)
  }

  private static func texts(_ count: Int, using random: inout some RandomNumberGenerator)
    -> [String]
  {
    var texts: Set<String> = [
      "", "a", "ab", "a b", "a~", "ä", "\u{1}", String(repeating: "x", count: 300),
    ]
    while texts.count < count {
      let length = Int.random(in: 1...12, using: &random)
      texts.insert(
        String((0..<length).map { _ in "0123456789abz-_é".randomElement(using: &random) ?? "0" }))
    }
    return Array(texts).shuffled(using: &random)
  }

  private func ways(
    _ table: TableDescription, _ texts: [String], _ numbers: [Int64], pageBytes: Int = 1024
  ) -> BothWays {
    var ways = BothWays(table: table, pageBytes: pageBytes, memory: 100_000)
    ways.parents = [
      (Self.parts, texts.map { [.text($0)] }), (Self.colors, numbers.map { [.integer($0)] }),
    ]
    return ways
  }

  @Test(arguments: LongTests.seeds(few: 30, many: 3000))
  func `the indexes are those of SQLite, packed or not`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let texts = Self.texts(Int.random(in: 8...400, using: &random), using: &random)
    let numbers = (0..<Int64.random(in: 1...300, using: &random)).map { $0 - 2 }
    let rowids = Bool.random(using: &random)
    let columns = ["part", "color", "is_spare", "year"].shuffled(using: &random)
    let table = uses([Array(columns.prefix(Int.random(in: 1...4, using: &random)))], rowids: rowids)
    let count = Int.random(in: 0...3000, using: &random)
    // In half of the tables, one entry does not fit.
    let misfit = Bool.random(using: &random) ? Int.random(in: 0...2 * count, using: &random) : -1
    let isNull = { (random: inout SeededGenerator) in
      rowids && Int.random(in: 0..<9, using: &random) == 0
    }
    let rows: [[SQLiteValue]] = (0..<count).map { row in
      let part = row == misfit ? "unknown" : texts.randomElement(using: &random) ?? ""
      return [
        isNull(&random) ? .null : .text(part),
        isNull(&random) ? .null : .integer(numbers.randomElement(using: &random) ?? 0),
        isNull(&random) ? .null : .integer(Int64.random(in: 0...1, using: &random)),
        .integer(Int64(row)),
        Bool.random(using: &random)
          ? .null : .integer(Int64.random(in: 1900...2199, using: &random)),
      ]
    }
    try ways(table, texts, numbers).expectSameIndexes(rows)
  }

  @Test func `many runs are merged, and unpacked at the first entry that does not fit`() throws {
    var random = SeededGenerator(seed: 7)
    let texts = Self.texts(2000, using: &random)
    let table = uses([["part", "color"], ["color", "part"]])
    var rows: [[SQLiteValue]] = (0..<80_000).map { row in
      [
        .text(texts[row * 7919 % texts.count]), .integer(Int64(row * 31 % 200)),
        .integer(Int64(row % 2)), .integer(Int64(row)), .null,
      ]
    }
    let ways = ways(table, texts, Array(0..<200), pageBytes: 4096)
    let workplace = try Workplace()
    let packed = try ways.load(workplace, rows).indexes
    #expect(packed.allSatisfy { $0.packing != nil })
    try ways.expectSameIndexes(rows)
    rows[70_000][0] = .text("unknown")
    rows[75_000][3] = .integer(-1)
    let unpacked = try ways.load(try Workplace(), rows).indexes
    #expect(unpacked.allSatisfy { $0.packing == nil })
    try ways.expectSameIndexes(rows)
  }

  /// Entries of two fields: a text or NULL, and a number.
  private func pairs() throws -> (layout: EntryLayout, packing: PackedLayout) {
    let collection = TextCollection()
    for text in ["", "a", String(repeating: "b", count: 40)] {
      collection.add(textAt: 0..<text.utf8.count, of: Array(text.utf8).span)
    }
    let ranks = try #require(collection.ranks())
    let table = TableDescription(
      "t",
      columns: [
        ColumnDescription("text", .text, isNullable: true), ColumnDescription("number", .integer),
      ], primaryKey: ["number"])
    let layout = try #require(EntryLayout(ofIndexOn: ["text"], isUnique: false, in: table))
    let packing = PackedLayout(layout) { $0 == 0 ? .texts(ranks, column: 0) : .integers(0...9_999) }
    return (layout, try #require(packing))
  }

  @Test func `adjacent entries share their first fields`() throws {
    let packing = try pairs().packing
    #expect(packing.fields.map(\.shift) == [14, 0])
    let entries: [(UInt64, UInt64, Int)] = [
      (0, 0, 2), (0, 1, 1), (1 << 14, 0, 0), (1 << 14 | 7, 1 << 14 | 8, 1), (0, 3 << 14, 0),
    ]
    for (entry, other, common) in entries {
      #expect(packing.commonFields(entry, other) == common)
      #expect(packing.commonFields(other, entry) == common)
    }
    #expect(packing.hasNull(7, fields: 1) && !packing.hasNull(1 << 14, fields: 2))
    #expect(!packing.hasNull(0, fields: 0))
  }

  /// Records and rows are the same, whether they are made from packed entries or from their keys.
  @Test func `what entries share is written once`() throws {
    let (layout, packing) = try pairs()
    var key = ByteBuffer(count: packing.longestKey + EntryKey.slack)
    var records = PackedRecords(packing)
    var encoder = RecordEncoder(layout, longestKey: packing.longestKey)
    var rows = EntryBatch(layout, longestKey: packing.longestKey)
    var others = EntryBatch(layout, longestKey: packing.longestKey)
    var last: UInt64?
    var batches: [Int] = []
    // More than a batch, each text often enough that it is shared.
    let numbers: [UInt64] = [0, 1, 2, 127, 128, 255, 256] + Array(300..<1800) + [9_999]
    let texts: [UInt64] = [0, 1, 2, 3]
    let entries = texts.flatMap { text in numbers.map { text << 14 | $0 } }
    for entry in entries {
      let common = last.map { packing.commonFields(entry, $0) } ?? 0
      last = entry
      let unpacked = packing.unpack(entry, into: &key)
      let range = try #require(unpacked)
      let made = records.encode(entry, sharing: common)
      let expected = encoder.encode(range, of: key)
      #expect(
        records.bytes.bytes(try #require(made)) == encoder.bytes.bytes(try #require(expected)))
      let isAdded = rows.append(entry, of: packing, sharing: common)
      #expect(isAdded && others.append(range, of: key))
      guard rows.isFull || entry == entries.last else { continue }
      let taken = values(of: rows.take())
      #expect(taken == values(of: others.take()))
      batches.append(taken.count)
    }
    #expect(batches.count > 1 && batches.reduce(0, +) == entries.count)
    // No text has this rank.
    let invalid = UInt64(4) << 14
    let record = records.encode(invalid, sharing: 0)
    #expect(record == nil && packing.unpack(invalid, into: &key) == nil)
    let isAdded = rows.append(invalid, of: packing, sharing: 0)
    #expect(!isAdded)
  }

  private func values(of batch: borrowing RowBatch) -> [String] {
    (0..<batch.rows).map { row in
      let value = batch.values[2 * row]
      let (number, storageClass) = (batch.values[2 * row + 1], batch.classes[2 * row + 1])
      guard batch.classes[2 * row] == RowBatch.StorageClass.text else {
        return "\(batch.classes[2 * row]) \(number) \(storageClass)"
      }
      let (start, count) = RowBatch.textPlace(value)
      return String(decoding: batch.text[start..<start + count], as: UTF8.self)
        + " \(number) \(storageClass)"
    }
  }

  /// Rows, and whether a unique index on both of the first columns allows them.
  private static let unique: [(rows: [[SQLiteValue]], areUnique: Bool)] = [
    ([[.text("a"), .integer(1)], [.text("a"), .integer(2)], [.text("b"), .integer(1)]], true),
    ([[.text("a"), .integer(1)], [.text("b"), .integer(1)], [.text("a"), .integer(1)]], false),
    (
      [[.null, .integer(1)], [.null, .integer(1)], [.text("a"), .null], [.text("a"), .null]], true
    ),
    ([[.null, .null], [.null, .null]], true),
    ([[.text("b"), .integer(-2)], [.text("b"), .integer(-2)]], false),
  ]

  @Test(arguments: unique.indices)
  func `a unique index has no key twice, except with NULL`(index: Int) throws {
    let (rows, areUnique) = Self.unique[index]
    let table = TableDescription(
      "t",
      columns: [
        ColumnDescription("part", .text, isNullable: true),
        ColumnDescription("color", .integer, isNullable: true),
      ], primaryKey: [], uniqueKeys: [["part", "color"]],
      foreignKeys: [
        ForeignKeyDescription("part", references: "parts", "part"),
        ForeignKeyDescription("color", references: "colors", "id"),
      ])
    let ways = ways(table, ["a", "b"], [-2, 1, 2])
    if areUnique {
      let loaded = try ways.load(try Workplace(), rows)
      #expect(loaded.indexes.map { $0.packing != nil } == [true])
      try ways.expectSameIndexes(rows)
    } else {
      #expect(throws: DatabaseError.duplicate) { try ways.load(try Workplace(), rows) }
    }
  }

  /// The first field needs no bits, and all others together need 64.
  @Test(arguments: [["color"], ["color", "number"]])
  func `keys with a column of one value are repeated or not`(columns: [String]) throws {
    let table = TableDescription(
      "t",
      columns: [
        ColumnDescription("color", .integer), ColumnDescription("number", .integer),
      ], primaryKey: [], uniqueKeys: [columns],
      foreignKeys: [ForeignKeyDescription("color", references: "colors", "id")])
    let layout = try #require(EntryLayout(ofIndexOn: columns, isUnique: true, in: table))
    let packing = PackedLayout(layout) { $0 == 0 ? .integers(5...5) : .integers(0...1 << 40) }
    #expect(packing?.fields.map(\.shift).first == 64)
    #expect(
      packing?.commonFields(0, 1 << 63) == 1 && packing?.commonFields(0, 0) == columns.count + 1)
    var ways = ways(table, [], [5])
    ways.parents = ways.parents.filter { $0.table.name == "colors" }
    let different: [[SQLiteValue]] = [[.integer(5), .integer(3)], [.integer(5), .integer(4)]]
    let equal = different + [[.integer(5), .integer(3)]]
    #expect(throws: DatabaseError.duplicate) { try ways.load(try Workplace(), equal) }
    if columns.count == 1 {
      #expect(throws: DatabaseError.duplicate) { try ways.load(try Workplace(), different) }
      try ways.expectSameIndexes([different[0]])
    } else {
      try ways.expectSameIndexes(different)
    }
  }

  @Test func `texts are ranked by their bytes, and others have no rank`() throws {
    var random = SeededGenerator(seed: 3)
    let texts = Self.texts(5000, using: &random)
    let collection = TextCollection()
    var batch = RowBatch(cells: 10_000, textCapacity: 0)
    batch.restart(columns: 1)
    for text in texts { batch.append([.text(text)]) }
    for row in texts.indices {
      let (start, count) = RowBatch.textPlace(batch.values[row])
      collection.add(textAt: start..<start + count, of: batch.text.span)
    }
    for other in ["B", "aB", "a ", String(repeating: "x", count: 299)] {
      batch.append([.text(other)])
    }
    batch.append([.null])
    let ranks = try #require(collection.ranks())
    let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var found = [UInt32](repeating: 9, count: batch.rows + 2)
    ranks.find(column: 0, of: batch, into: &found, at: 2)
    let expected = Dictionary(uniqueKeysWithValues: zip(sorted, 1...))
    let wrong = zip(found.dropFirst(2), texts.map { UInt32(expected[$0] ?? 0) } + [0, 0, 0, 0, 0])
      .enumerated().first { $1.0 != $1.1 }
    #expect(wrong == nil)
    var bytes = ByteBuffer(count: 400)
    for (rank, text) in sorted.enumerated() {
      let count = ranks.copy(Int64(rank), to: 1, in: &bytes)
      #expect(bytes.bytes(1..<1 + count) == Array(text.utf8))
      var appended: [UInt8] = [7]
      ranks.append(Int64(rank), to: &appended)
      #expect(appended == [7] + Array(text.utf8))
    }
  }

  @Test func `texts with NUL have no ranks`() {
    let collection = TextCollection()
    collection.add(textAt: 0..<3, of: Array("a\0b".utf8).span)
    #expect(collection.ranks() == nil)
  }

  @Test func `fields have as many bits as their values need`() throws {
    let layout = try #require(
      EntryLayout(ofIndexOn: ["color", "year"], isUnique: false, in: uses([])))
    let packed = try #require(
      PackedLayout(layout) { place in
        [nil, .integers(-1...254), .integers(0...1), .integersFrom(0), .integers(1900...2199)][
          place]
          ?? .integers(7...7)
      })
    // Colour, year or NULL, quantity with the rest, part and is_spare.
    #expect(packed.fields.map(\.shift) == [56, 47, 1, 1, 0])
    #expect(packed.bits(of: -1, inField: 0) == 0)
    #expect(packed.bits(of: 254, inField: 0) == 255 << 56)
    #expect(packed.bits(of: 255, inField: 0) == nil && packed.bits(of: -2, inField: 0) == nil)
    #expect(packed.bits(of: 1900, inField: 1) == 1 << 47)
    #expect(packed.bits(of: .max, inField: 2) == nil && packed.bits(of: .min, inField: 2) == nil)
    #expect(packed.bits(of: 1 << 46 - 1, inField: 2) == (1 << 46 - 1) << 1)
    #expect(packed.bits(of: 1 << 46, inField: 2) == nil)
    #expect(packed.bits(of: 7, inField: 3) == 0 && packed.bits(of: 8, inField: 3) == nil)
    #expect(packed.bits(of: 1, inField: 4) == 1)
  }

  @Test func `entries that need more bits are not packed`() throws {
    let layout = try #require(
      EntryLayout(ofIndexOn: ["color", "year"], isUnique: false, in: uses([])))
    func packing(_ values: ColumnValues?) -> PackedLayout? { PackedLayout(layout) { _ in values } }
    #expect(packing(.integers(.min ... .max)) == nil)
    #expect(packing(.integers(0...1 << 20)) == nil)
    #expect(packing(.integersFrom(0)) == nil)
    #expect(packing(nil) == nil)
    #expect(packing(.integers(0...4095)) != nil)
  }

  @Test func `numbers are ranked if their distances need too many bits`() throws {
    let layout = try #require(
      EntryLayout(ofIndexOn: ["color", "year"], isUnique: false, in: uses([])))
    let ranks = try #require(NumberRanks([9_999, -5, 0]))
    func packing(parts: Int64) -> PackedLayout? {
      PackedLayout(layout) { place in
        [
          .integers(0...parts), .ranked(ranks), .integers(0...1), .integersFrom(0),
          .integers(1900...2199),
        ][place]
      }
    }
    #expect(
      packing(parts: 1 << 24 - 1)?.fields.map(\.isRanked) == [false, false, false, false, false])
    let packed = try #require(packing(parts: 1 << 32 - 1))
    #expect(packed.fields.map(\.isRanked) == [true, false, false, false, false])
    #expect(packed.fields.map(\.shift) == [62, 53, 33, 1, 0])
    let numbers: [Int64] = [.min, -6, -5, -4, 0, 9_998, 9_999, 10_000, .max]
    #expect(
      numbers.map { packed.bits(of: $0, inField: 0) }
        == [nil, nil, 0, nil, 1 << 62, nil, 2 << 62, nil, nil])
    var bytes = ByteBuffer(count: packed.longestKey + EntryKey.slack)
    for (rank, number) in [-5, 0, 9_999].enumerated() {
      let key = try #require(packed.unpack(UInt64(rank) << 62 | 1 << 53, into: &bytes))
      var offset = key.lowerBound
      #expect(EntryKey.integer(in: bytes, at: &offset) == Int64(number))
    }
    let beyond = packed.unpack(3 << 62 | 1 << 53, into: &bytes)
    #expect(beyond == nil)
    #expect(packing(parts: 1 << 41 - 1) == nil)
  }

  @Test func `an index of ranked numbers is that of SQLite`() throws {
    var random = SeededGenerator(seed: 5)
    let columns = ["a", "b", "c"]
    let table = TableDescription(
      "t",
      columns: columns.map { ColumnDescription($0, .integer, isNullable: true) } + [
        ColumnDescription("is_spare", .boolean), ColumnDescription("number", .integer),
      ], primaryKey: ["number"],
      foreignKeys: columns.map { ForeignKeyDescription($0, references: "colors", "id") },
      indexes: [columns + ["is_spare"]])
    let numbers = Set((0..<200).map { _ in Int64.random(in: -9...65_000, using: &random) }).sorted()
    let rows: [[SQLiteValue]] = (0..<3000).map { row in
      columns.map { _ in
        Int.random(in: 0..<9, using: &random) == 0
          ? .null : .integer(numbers.randomElement(using: &random) ?? 0)
      } + [.integer(Int64(row % 2)), .integer(Int64(row))]
    }
    let ways = ways(table, [], numbers)
    let packing = try ways.load(try Workplace(), rows).indexes.map(\.packing)
    #expect(packing.map { $0?.fields.count { $0.isRanked } } == [3])
    try ways.expectSameIndexes(rows)
    let unknown = rows + [[.integer(65_001), .null, .null, .integer(0), .integer(3000)]]
    #expect(try ways.load(try Workplace(), unknown).indexes.allSatisfy { $0.packing == nil })
    try ways.expectSameIndexes(unknown)
  }

  /// Numbers, and whether ranks save a bit and take little memory.
  static let ranked: [([Int64], Bool)] = [
    ([], false), ([7], false), ([0, 1], false), ([0, 4], true), ([0, 2, 5], false),
    ([0, 2, 6], true), ([-65_535, 0], true), ([-65_536, 0], false), ([.min, .max], false),
    ([.max - 9, .max], true), ([.min, .min + 9], true),
  ]

  @Test(arguments: ranked)
  func `numbers have ranks if that saves a bit`(numbers: [Int64], isRanked: Bool) {
    let ranks = NumberRanks(numbers.reversed())
    #expect((ranks != nil) == isRanked)
    guard let ranks else { return }
    #expect(ranks.range == numbers[0]...numbers[numbers.count - 1] && ranks.count == numbers.count)
    #expect(numbers.map { ranks.rank(of: $0) } == numbers.indices.map { Int64($0) })
    #expect(numbers.indices.map { ranks.number(of: Int64($0)) } == numbers)
    #expect(ranks.rank(of: numbers[0] &- 1) == nil && ranks.rank(of: numbers[0] &+ 1) == nil)
    #expect(ranks.number(of: Int64(numbers.count)) == nil)
  }

  @Test func `as many numbers have ranks as they save a bit for`() {
    let even = Array(stride(from: Int64(0), to: 65_532, by: 2))
    let most = even + [65_535]
    #expect(most.count == NumberRanks.mostNumbers)
    #expect(NumberRanks(most)?.rank(of: 65_535) == 32_766)
    #expect(NumberRanks(most + [65_533]) == nil)
  }
}
