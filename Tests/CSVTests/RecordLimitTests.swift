import CSV
import TestSupport
import Testing

struct RecordLimitTests {
  /// The limit, the text, and the result.
  @Test(arguments: [
    (3, "aa\nbb\n", ["1:0 aa", "2:3 bb"]),
    (3, "aaa", ["1:0 aaa"]),
    (3, "aaa\nb\n", ["1:0 record-too-long 0 in 0, uncertain", "2:4 b"]),
    (3, "aa\r\nb\n", ["1:0 record-too-long 0 in 0, uncertain", "2:4 b"]),
    (3, "b\naaaa", ["1:0 b", "2:2 record-too-long 2 in 0, uncertain"]),
    (3, "aaaa\r", ["1:0 record-too-long 0 in 0, uncertain"]),
    (3, "\"a\nb\n\",c\nd\n", ["1:0 record-too-long 0 in 0, uncertain", "4:9 d"]),
    (3, "\"a\"\"\nb\"\nd\n", ["1:0 record-too-long 0 in 0, uncertain", "3:8 d"]),
    (3, "a\n\"bcd\n\n", ["1:0 a", "2:2 record-too-long+unterminated-quote 2 in 0, uncertain"]),
    (3, "\"abc\"", ["1:0 record-too-long 0 in 0, uncertain"]),
    (3, "\"abc\"\"", ["1:0 record-too-long+unterminated-quote 0 in 0, uncertain"]),
    // Faults determine the end of the record, but are not reported one by one.
    (3, "abc\"d\nef\n", ["1:0 record-too-long 0 in 0, uncertain", "2:6 ef"]),
    (5, "a\r,\"b\nc\n", ["1:0 record-too-long 0 in 0, uncertain", "2:6 c"]),
    (5, "\"a\"\r\"b\nc\n", ["1:0 record-too-long 0 in 0, uncertain", "2:7 c"]),
    (5, "\"a\"b\"c\nd\n", ["1:0 record-too-long 0 in 0, uncertain", "2:7 d"]),
    (1, "\n\r\na\n", ["3:3 record-too-long 3 in 0, uncertain"]),
  ])
  func `a record over the limit is marked and skipped`(
    limit: Int, text: String, records: [String]
  ) throws {
    let input = Array(text.utf8)
    for capacity in 1...input.count + 2 {
      for var drive in Drive.all(capacity: capacity) {
        drive.recordLimit = limit
        let reading = try parse(input, drive)
        #expect(reading.records.map(\.description) == records, "\(drive)")
        #expect(reading.offset == input.count, "\(drive)")
      }
    }
  }

  @Test func `line ends of records over the limit are counted`() throws {
    for capacity in 1...16 {
      let drive = Drive(capacity: capacity, recordLimit: 3)
      let reading = try parse(Array("abcdef\r\nabcdef\n\"abc\r\n\"\r\n".utf8), drive)
      #expect(reading.carriageReturnLineFeeds == 2, "\(drive)")
      #expect(reading.lineFeeds == 1, "\(drive)")
      #expect(reading.line == 5, "\(drive)")
    }
  }

  /// One stray quote at the top of a large file must not bring the file into memory.
  @Test func `a record over the limit needs constant memory`() throws {
    var parser = Parser(recordLimit: 1000)
    var batch = RecordBatch(capacity: 100, records: 10, fields: 2000)
    var left = 1_000_000
    var isLast = false
    var lengths: [Int] = []
    repeat {
      isLast = batch.fill { room in
        let count = min(room.count, left)
        for index in 0..<count { room[index] = UInt8(ascii: left == 1_000_000 ? "\"" : "a") }
        left -= count
        return count
      }
      try parser.parse(&batch, isLast: isLast)
      lengths += batch.records.map(\.length)
      batch.discardParsed()
    } while !isLast
    #expect(lengths == [1_000_000])
    #expect(batch.bytes.count <= 3200)
  }

  /// One long record must not make the blocks of all that follow as long.
  @Test func `a batch that has grown goes back to its size`() throws {
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 100_000)
    let input = long + Array("\nb\n".utf8) + [UInt8](repeating: UInt8(ascii: "\n"), count: 100_000)
    var parser = Parser()
    var batch = RecordBatch(capacity: 1000, records: 10, fields: 4096)
    var handedOver: [[UInt8]] = [[], []]
    var sent = 0
    var lengths: [Int] = []
    var isLast = false
    repeat {
      isLast = batch.fill { room in
        let count = min(room.count, input.count - sent)
        for index in 0..<count { room[index] = input[sent + index] }
        sent += count
        return count
      }
      try parser.parse(&batch, isLast: isLast)
      lengths += batch.records.map(\.length)
      // As with a ring of them, each comes back later.
      batch.exchangeBytes(with: &handedOver[0])
      handedOver.swapAt(0, 1)
    } while !isLast || !batch.unparsed.isEmpty
    #expect(lengths == [100_001, 2])
    #expect(batch.bytes.count <= 4000 && handedOver.allSatisfy { $0.count <= 4000 })
  }

  /// Unescaped fields lie after the block, and must not make the next block larger.
  @Test(arguments: [false, true])
  func `doubled quotes do not make the batch grow`(exchanges: Bool) throws {
    let line = Array("\"a \"\"b\"\" c\",\"\"\"\"\n".utf8)
    var parser = Parser()
    var batch = RecordBatch(capacity: 1000, records: 1000, fields: 4096)
    var handedOver: [UInt8] = []
    var sent = 0
    var count = 0
    var isLast = false
    repeat {
      isLast = batch.fill { room in
        let size = min(room.count, 2000 * line.count - sent)
        for index in 0..<size { room[index] = line[(sent + index) % line.count] }
        sent += size
        return size
      }
      try parser.parse(&batch, isLast: isLast)
      count += batch.records.count { $0.faults.isEmpty && $0.fieldCount == 2 }
      if exchanges { batch.exchangeBytes(with: &handedOver) } else { batch.discardParsed() }
    } while !isLast
    #expect(count == 2000)
    #expect(batch.bytes.count <= 2000)
  }
}
