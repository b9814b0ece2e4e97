package import CSV

/// The result of reading a whole input, in a form that can be compared between two readers.
package struct Reading: Equatable {
  package var records: [ReadRecord] = []
  package var blankLines = 0
  package var firstBlankLine = 0
  /// The bytes of blank lines, and of comments and rows that are passed over.
  package var otherBytes = 0
  package var lineFeeds = 0
  package var carriageReturnLineFeeds = 0
  /// The line and the offset after the input.
  package var line = 1
  package var offset = 0

  /// Whether records, blank lines and the byte order mark make up the input, without gap or overlap.
  package func accounts(for input: [UInt8]) -> Bool {
    var between: [UInt8] = []
    var offset = input.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    for record in records {
      guard record.offset >= offset else { return false }
      between += input[offset..<record.offset]
      offset = record.offset + record.length
    }
    between += input[offset...]
    return between.allSatisfy { $0 == 10 || $0 == 13 }
      && between.count { $0 == 10 } == blankLines && self.offset == input.count
  }
}

/// One record of a reading.
package struct ReadRecord: Equatable, CustomStringConvertible {
  package var number: Int
  package var line: Int
  package var innerLineFeeds: Int
  package var offset: Int
  package var length: Int
  package var faults: Record.Faults
  package var faultOffset: Int
  package var faultField: Int
  package var extentIsCertain: Bool
  /// The text of the fields; none when there is a fault.
  package var fields: [[UInt8]]

  /// Such as `2:4 a|b`, or `2:4 stray-quote 6 in 1, certain`, where 6 is the offset of the fault.
  package var description: String {
    let place = "\(line):\(offset) "
    guard !faults.isEmpty else {
      return place + fields.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
    }
    let extent = extentIsCertain ? "certain" : "uncertain"
    return place + "\(faults.names) \(faultOffset) in \(faultField), \(extent)"
  }
}

extension Record.Faults {
  private static let all: [(Record.Faults, String)] = [
    (.strayQuote, "stray-quote"), (.textAfterQuote, "text-after-quote"),
    (.bareCarriageReturn, "bare-carriage-return"), (.nulByte, "nul-byte"),
    (.invalidUTF8, "invalid-utf8"), (.tooLong, "record-too-long"),
    (.unterminatedQuote, "unterminated-quote"), (.ambiguousEscape, "ambiguous-escape"),
  ]

  package var names: String { Self.all.filter { contains($0.0) }.map(\.1).joined(separator: "+") }
}

/// How the parser is driven: sizes of its buffers, and the way the caller goes on.
package struct Drive: CustomStringConvertible {
  package var capacity: Int
  package var records: Int
  package var fieldLimit: Int
  /// Room for fields over the limit of one record.
  package var moreFields: Int
  package var recordLimit: Int
  /// Hands the block over instead of keeping it.
  package var exchanges: Bool
  /// Reads more bytes before every call of the parser, not only when it needs them.
  package var fillsAlways: Bool
  /// A mistake: every block is passed to the parser as the end of the file.
  package var takesEveryBlockForLast = false

  package var description: String {
    "capacity \(capacity), records \(records), fields \(fieldLimit)+\(moreFields), limit "
      + "\(recordLimit), exchanges \(exchanges), fills always \(fillsAlways)"
  }

  /// Makes a drive.
  package init(
    capacity: Int = 1 << 10, records: Int = 100, fieldLimit: Int = 8, moreFields: Int = 100,
    recordLimit: Int = 1 << 20, exchanges: Bool = false, fillsAlways: Bool = false
  ) {
    self.capacity = capacity
    self.records = records
    self.fieldLimit = fieldLimit
    self.moreFields = moreFields
    self.recordLimit = recordLimit
    self.exchanges = exchanges
    self.fillsAlways = fillsAlways
  }

  /// Drives that have little in common, for the buffer size.
  package static func all(capacity: Int) -> [Drive] {
    [
      Drive(capacity: capacity),
      Drive(capacity: capacity, records: 1, exchanges: true),
      Drive(capacity: capacity, records: 2, fillsAlways: true),
      Drive(capacity: capacity, moreFields: 0, exchanges: true, fillsAlways: true),
    ]
  }
}

/// Reads `input` with the parser.
package func parse(
  _ input: [UInt8], _ drive: Drive = Drive(), dialect: Dialect = .standard, passedRows: [Int] = []
) throws(CSVError) -> Reading {
  var reading = Reading()
  var parser = Parser(
    recordLimit: drive.recordLimit, fieldLimit: drive.fieldLimit, dialect: dialect,
    passedRows: passedRows)
  var batch = RecordBatch(
    capacity: drive.capacity, records: drive.records, fields: drive.fieldLimit + drive.moreFields)
  var handedOver: [UInt8] = []
  var consumed = 0
  var isLast = false
  var isDone = false
  while !isDone {
    isLast = batch.fill { room in
      let count = min(room.count, input.count - consumed)
      for index in 0..<count { room[index] = input[consumed + index] }
      consumed += count
      return count
    }
    var wantsMore = false
    repeat {
      try parser.parse(&batch, isLast: isLast || drive.takesEveryBlockForLast)
      for record in batch.records {
        reading.records.append(ReadRecord(record, of: batch, fieldLimit: drive.fieldLimit))
      }
      wantsMore = batch.records.isEmpty
      if drive.exchanges {
        let bytes = Array(batch.bytes[batch.unparsed])
        batch.exchangeBytes(with: &handedOver)
        precondition(Array(batch.bytes[batch.unparsed]) == bytes, "the rest is carried over")
      } else {
        batch.discardParsed()
      }
    } while !wantsMore && !batch.unparsed.isEmpty && !drive.fillsAlways
    isDone = isLast && batch.unparsed.isEmpty
  }
  reading.blankLines = parser.blankLines
  reading.otherBytes = parser.blankBytes + parser.passedBytes
  reading.firstBlankLine = parser.firstBlankLine
  reading.lineFeeds = parser.lineFeeds
  reading.carriageReturnLineFeeds = parser.carriageReturnLineFeeds
  reading.line = parser.line
  reading.offset = parser.offset
  return reading
}

extension ReadRecord {
  init(_ record: Record, of batch: borrowing RecordBatch, fieldLimit: Int) {
    number = record.number
    line = record.line
    innerLineFeeds = record.innerLineFeeds
    offset = record.offset
    length = record.length
    faults = record.faults
    faultOffset = record.faultOffset
    faultField = record.faultField
    extentIsCertain = record.extentIsCertain
    fields = []
    guard faults.isEmpty else { return }
    for index in 0..<min(record.fieldCount, fieldLimit) {
      let field = batch.fields[record.firstField + index]
      fields.append(Array(batch.bytes[Int(field.start)..<Int(field.end)]))
    }
    // The others are counted only.
    while fields.count < record.fieldCount { fields.append(Array("?".utf8)) }
  }
}
