import CSV
import TestSupport

/// The CSV reader: however the input is cut into buffers, it reads what a slow reader reads.
enum CSVTarget: FuzzTarget {
  static let name = "csv"

  static func check(_ input: FuzzInput, makesMistake: Bool) {
    var input = input
    var drive = Drive(
      capacity: input.number(1...400), records: input.number(1...4),
      fieldLimit: input.number(1...4), moreFields: input.number(0...4),
      recordLimit: input.flag() ? input.number(1...40) : 1000, exchanges: input.flag(),
      fillsAlways: input.flag())
    drive.takesEveryBlockForLast = makesMistake
    let dialect = input.number(0...WrittenDialect.samples.count)
    guard dialect == 0 else {
      check(input.data, drive, WrittenDialect.samples[dialect - 1])
      return
    }
    let text = input.data
    let expected = result { () throws(CSVError) in
      try ReferenceReader(text, recordLimit: drive.recordLimit, fieldLimit: drive.fieldLimit)
        .read()
    }
    check(text, drive, expected)
    // With every capacity, every place is a cut.
    if text.count < 48 {
      for capacity in 1...text.count + 1 {
        drive.capacity = capacity
        check(text, drive, expected)
      }
    }
    guard case .success(let reading) = expected else { return }
    require(reading.accounts(for: text), "\(text): the slow reader itself leaves something out")
    for record in reading.records { checkPlace(of: record, in: text) }
  }

  /// The same in a dialect that has a scan of its own.
  private static func check(_ text: [UInt8], _ drive: Drive, _ written: WrittenDialect) {
    guard let dialect = try? written.dialect(),
      let got = try? parse(text, drive, dialect: dialect),
      let expected = try? ReferenceReader(
        text, written, recordLimit: drive.recordLimit, fieldLimit: drive.fieldLimit
      ).read()
    else { return }
    require(got == expected, "\(text) \(written) \(drive): got \(got), expected \(expected)")
  }

  private static func check(
    _ text: [UInt8], _ drive: Drive, _ expected: Result<Reading, CSVError>
  ) {
    let got = result { () throws(CSVError) in try parse(text, drive) }
    require(got == expected, "\(text) \(drive): got \(got), expected \(expected)")
  }

  /// The first fault of a record is where the walk that looks for one kind of faults finds it.
  private static func checkPlace(of record: ReadRecord, in text: [UInt8]) {
    let bytes = text[record.offset..<record.offset + record.length]
    for fault in [
      Record.Faults.strayQuote, .textAfterQuote, .bareCarriageReturn, .nulByte, .invalidUTF8,
    ] where record.faults.contains(fault) {
      guard let place = fault.firstPlace(in: Array(bytes).span) else {
        fatalError("\(text): \(record): there is no \(fault.names)")
      }
      require(
        place.byte >= record.faultOffset - record.offset, "\(text): \(record): not the first fault")
      guard place.byte == record.faultOffset - record.offset else { continue }
      require(place.field == record.faultField, "\(text): \(record): \(place)")
    }
  }

  private static func result(
    _ read: () throws(CSVError) -> Reading
  ) -> Result<Reading, CSVError> {
    do throws(CSVError) { return .success(try read()) } catch { return .failure(error) }
  }

  static let seeds = [
    "id,name\n1,red\n2,\"blue, light\"\n3,\"4\"\" plate\"\n", "a\r\nb\r\n\r\n\"x\r\ny\"\r\n",
    "\u{feff}id,name\n1,\u{e9}\u{1F9F1}\n", "a,\"b\"c\nd\"e,f\n\"open", "a\rb\nc\0d\n,,,,\n",
    String(repeating: "0123456789,", count: 20) + "\n" + String(repeating: "é", count: 60) + "\n",
    "\"" + String(repeating: "line\n", count: 20) + "\",\"\"\"\"\n",
  ].map { Array($0.utf8) + [0, 0, 0, 0, 3, 3, 2, 64, 0] }
}
