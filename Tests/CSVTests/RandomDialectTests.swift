import CSV
import Foundation
import TestSupport
import Testing

struct RandomDialectTests {
  @Test func `random text in random dialects reads as a slow reader reads it`() throws {
    #expect(try firstMismatch(among: LongTests.seeds(few: 8000, many: 200_000)) == nil)
  }

  /// The test above can fail: it detects a parser that mishandles cuts.
  @Test func `a mistake at the cuts is found`() throws {
    #expect(try firstMismatch(among: Array(0..<200), takesEveryBlockForLast: true) != nil)
  }

  /// The first text that the parser reads differently.
  private func firstMismatch(
    among seeds: [UInt64], takesEveryBlockForLast: Bool = false
  ) throws -> String? {
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      // The standard dialect has its own scan.
      let isStandard = Bool.random(using: &random)
      let sample = WrittenDialect.samples.randomElement(using: &random)
      let written = isStandard ? WrittenDialect() : sample ?? WrittenDialect()
      let dialect = try written.dialect()
      let input = text(in: written, &random)
      var drive = Drive(
        capacity: Int.random(in: 1...(Bool.random(using: &random) ? 12 : 400), using: &random),
        records: Int.random(in: 1...4, using: &random),
        fieldLimit: Int.random(in: 1...4, using: &random),
        moreFields: Int.random(in: 0...4, using: &random),
        recordLimit: Bool.random(using: &random) ? 1000 : Int.random(in: 1...12, using: &random),
        exchanges: Bool.random(using: &random), fillsAlways: Bool.random(using: &random))
      drive.takesEveryBlockForLast = takesEveryBlockForLast
      // A record over the limit is reported even in a row that is passed over, unless its end is near; and rows to
      // pass over select the other scan.
      let passesRows = drive.recordLimit == 1000 && Bool.random(using: &random)
      let rows = Set((0..<(passesRows ? 2 : 0)).map { _ in Int.random(in: 1...12, using: &random) })
      let expected = result { () throws(CSVError) in
        try ReferenceReader(
          input, written, passedRows: rows, recordLimit: drive.recordLimit,
          fieldLimit: drive.fieldLimit
        ).read()
      }
      let got = result { () throws(CSVError) in
        try parse(input, drive, dialect: dialect, passedRows: rows.sorted())
      }
      let isWhole = !isStandard || passesRows || (try? got.get().accounts(for: input)) != false
      guard got != expected || !isWhole else { continue }
      return "\(seed) \(written): \(String(decoding: input, as: UTF8.self).debugDescription) "
        + "\(rows) \(drive): got \(got), expected \(expected)"
    }
    return nil
  }

  private func result(_ read: () throws(CSVError) -> Reading) -> Result<Reading, CSVError> {
    do throws(CSVError) { return .success(try read()) } catch { return .failure(error) }
  }

  /// The standard dialect has its own scan; the other scan must agree with it.
  @Test func `the two scans agree on the standard dialect`() throws {
    for seed in 1...UInt64(1000) {
      var random = SeededGenerator(seed: seed)
      let input = text(in: WrittenDialect(), &random)
      let drive = Drive(capacity: Int.random(in: 1...100, using: &random))
      // A row to skip beyond the end selects the other scan.
      let other = result { () throws(CSVError) in try parse(input, drive, passedRows: [1000]) }
      #expect(result { () throws(CSVError) in try parse(input, drive) } == other, "\(seed)")
    }
  }

  /// Where no record has a fault, Python reads the same; it is not strict about quotes.
  @Test(.needs(.python)) func `Python reads the same`() throws {
    var texts: [[String: Any]] = []
    var expected: [[[String]]] = []
    for seed in 1...UInt64(4000) {
      var random = SeededGenerator(seed: seed)
      let written = Self.pythonDialects.randomElement(using: &random) ?? WrittenDialect()
      // To Python a file without a line feed at its end may be cut short if there was one behind an escape.
      let input = text(in: written, &random, isSound: true) + Array("\n\n".utf8)
      let reading = try parse(
        input, Drive(fieldLimit: 400, moreFields: 400), dialect: written.dialect())
      guard reading.records.allSatisfy(\.faults.isEmpty) else { continue }
      expected.append(reading.records.map { $0.fields.map { String(decoding: $0, as: UTF8.self) } })
      texts.append([
        "text": String(decoding: input, as: UTF8.self), "delimiter": written.delimiter,
        "quotechar": written.quote ?? NSNull(), "doublequote": written.doublesQuotes,
        "escapechar": written.escape ?? NSNull(), "skipinitialspace": written.skipsInitialSpace,
        "quoting": written.quote == nil ? 3 : 0,
      ])
    }
    #expect(expected.count > 1000)
    let file = try TemporaryFile(Array(try JSONSerialization.data(withJSONObject: texts)))
    let program = """
      import csv, io, json, sys
      rows = []
      for case in json.load(open(sys.argv[1])):
          text = io.StringIO(case.pop("text"), newline="")
          try:
              rows.append([row for row in csv.reader(text, strict=True, **case) if row])
          except csv.Error as error:
              rows.append([[str(error)]])
      print(json.dumps(rows))
      """
    let outcome = try ChildProcess(Tool.pythonPath, ["-c", program, file.path]).run()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let read = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[[String]]]
    for (place, rows) in expected.enumerated() where read?[place] != rows {
      Issue.record("\(texts[place]): \(rows), and Python \(String(describing: read?[place]))")
      break
    }
  }

  private static let pythonDialects = [
    WrittenDialect(delimiter: ";"), WrittenDialect(delimiter: "→", quote: "«", escape: "\\"),
    WrittenDialect(quote: nil, escape: "\\"), WrittenDialect(quote: nil),
    WrittenDialect(doublesQuotes: false, escape: "\\", skipsInitialSpace: true),
    WrittenDialect(delimiter: "\t", quote: "'", skipsInitialSpace: true),
    WrittenDialect(doublesQuotes: false),
  ]

  private func text(
    in dialect: WrittenDialect, _ random: inout SeededGenerator, isSound: Bool = false
  ) -> [UInt8] {
    let marks = [
      dialect.delimiter, dialect.quote ?? "\"", dialect.escape ?? "b", dialect.comment ?? "#",
      dialect.terminator ?? "\n",
    ].map { Array($0.utf8) }
    let usual: [[UInt8]] = [[97], [32], [10], Array("abc".utf8), [0xc3, 0xa9]]
    // Python ends a line at a carriage return even behind an escape.
    let ends: [[UInt8]] = isSound && dialect.escape != nil ? [] : [[13, 10]]
    let unsound: [[UInt8]] =
      isSound
      ? []
      : [[13], [0], [0xff], [0xe2, 0x86], Array(marks[0].dropLast()), [0xef, 0xbb, 0xbf]]
    // Often without bytes that are never valid, for longer records.
    let letters = marks + marks + usual + ends + (Bool.random(using: &random) ? unsound : [])
    // Long enough now and then for several windows of 64 bytes.
    let limit = !isSound && Int.random(in: 0..<10, using: &random) == 0 ? 300 : 40
    return (0...Int.random(in: 0...limit, using: &random)).flatMap { _ in
      letters.randomElement(using: &random) ?? []
    }
  }
}
