import GzipWriting
import Schema
@testable import Quarantine
@testable import Validation
@testable import SourceFiles
@testable import Vocabulary
import CSV
import Foundation
import SQLiteSwiftly
import Testing
import Text

/// Rejected records are kept, all of them and byte for byte, with all their reasons.
@Suite struct RejectsWriterTests {
  /// Damage in `things`, and which records are rejected for it.
  private static let damages: [(lines: [String], rejected: [Int])] = [
    (["2,nowhere,12x,c,yes,zz\n"], [2]),
    (["2,leaf,,,,\n", "2,leaf,,,,\r\n", "3,leaf\n"], [3, 4]),
    (["\"2\",\"no\"\"where\",,,,\r\n", "3,leaf,,,,\n"], [2]),
    (["\n", "x,\"le\naf\",,,,\n", "\r\n", "y,\u{e9},,,,\n"], [2, 3]),
    (["2,le\"af,,,,\n", "3,\"leaf\"s,,,,\n", "4,leaf,,,,\n"], [2, 3]),
    (["2,leaf,\r3,leaf,,,,\n"], [2]),
    (["2,leaf,11,,,"], [2]), (["2,leaf,11,,,\r"], [2]), (["\r"], [2]),
    (["2\0,leaf,,,,\n", "3,leaf,,,,a\0\n"], [2, 3]),
    (["=cmd|' /C calc'!A0,\"a,b\",\u{202e},,,\n"], [2]),
  ]

  @Test(arguments: damages.indices)
  func `records are kept byte for byte`(index: Int) throws {
    let (lines, rejected) = Self.damages[index]
    let header = "id,node,size,kind,is_new,code\r\n"
    let workplace = try Family.workplace([
      "things.csv": header + "1,leaf,,,,\n" + lines.joined()
    ])
    let outcome = load(workplace, Family.schema)
    #expect(outcome.report?.rejectsFolder == workplace.kept.folder)
    #expect(try workplace.kept.names == ["manifest.csv", "things.csv", "things.reasons.csv"])
    let dump = try workplace.dump("things.csv")
    let reasons = try workplace.kept.reasons("things")
    var expected = Data(header.utf8)
    var numbers: [Int] = []
    for reason in reasons where Int(reason["record"]) != numbers.last {
      numbers.append(try #require(Int(reason["record"])))
      let slice = dump[reason.bytes]
      expected.append(slice)
      expected.append(contentsOf: addedLineEnd(after: slice))
      let isText = !slice.contains(0)
      #expect(reason["record_base64"] == (isText ? "" : slice.base64EncodedString()))
    }
    #expect(numbers == rejected)
    #expect(try workplace.kept.data("things.csv") == expected)
    // What is told of the records is what was there.
    let told = outcome.rejects.flatMap { reject in
      reject.reasons.map { reason in
        [
          reject.file, "\(reject.record)", "\(reject.lines.lowerBound)",
          "\(reject.lines.upperBound)", reject.extentIsCertain ? "certain" : "doubtful",
          reason.column ?? "", reason.code.rawValue, reason.value ?? "", reason.message,
        ]
      }
    }
    let columns = [
      "file", "record", "first_line", "last_line", "extent", "column", "code", "value", "message",
    ]
    #expect(reasons.map { reason in columns.map { reason[$0] } } == told)
  }

  @Test func `a carriage return makes the end of a record doubtful`() throws {
    let workplace = try Family.workplace(["labels.csv": "label\nx\na\rb\nc\"d\ne\n"])
    #expect(load(workplace, Family.schema).error == nil)
    #expect(try workplace.kept.records("labels") == "label\na\rb\nc\"d\n")
    #expect(try workplace.kept.reasons("labels").map { $0["extent"] } == ["doubtful", "doubtful"])
  }

  @Test func `bytes that are not UTF-8 are kept twice`() throws {
    let workplace = try Family.workplace()
    let record = Data([0x61, 0xe9, 0x2c, 0x62, 0x0a])
    try (Data("label\nx\n".utf8) + record).write(
      to: URL(fileURLWithPath: workplace.path + "/dumps/labels.csv"))
    let outcome = load(workplace, Family.schema)
    #expect(outcome.rejects.count == 1)
    #expect(try workplace.kept.data("labels.csv") == Data("label\n".utf8) + record)
    let reasons = try workplace.kept.reasons("labels")
    #expect(reasons.map { $0["code"] } == ["invalid-utf8", "wrong-field-count"])
    #expect(reasons.map { $0["record_base64"] } == [record.base64EncodedString(), ""])
  }

  @Test(arguments: [false, true])
  func `records that are too long are copied from the dump`(isCompressed: Bool) throws {
    let long = (0..<3).map { String(repeating: "0123456789", count: 30_000 + 10_000 * $0) }
    let dump = "label\nx\n\(long[0])\nlast\nx\n\"\(long[1])\n\(long[1])\"\r\ny\n\(long[2])"
    let workplace = try Family.workplace(["labels.csv": dump])
    if isCompressed {
      try FileManager.default.removeItem(atPath: workplace.path + "/dumps/labels.csv")
      var writer = GzipWriter()
      writer.write(dump.utf8.span)
      try Data(writer.finish()).write(
        to: URL(fileURLWithPath: workplace.path + "/dumps/labels.csv.gz"))
    }
    loaded(workplace, Family.schema, recordLimit: 200_000)
    #expect(try workplace.rows("SELECT label FROM labels") == ["'last'", "'x'", "'y'"])
    #expect(
      try workplace.kept.records("labels")
        == "label\nx\n\(long[0])\n\"\(long[1])\n\(long[1])\"\r\n\(long[2])\n")
    let bytes = Data(dump.utf8)
    let reasons = try workplace.kept.reasons("labels")
    #expect(reasons.map { $0["record"] } == ["2", "4", "5", "7"])
    #expect(bytes[reasons[2].bytes] == Data("\"\(long[1])\n\(long[1])\"\r\n".utf8))
  }

  @Test(arguments: ["untouched", "replaced", "rewritten"])
  func `records are copied from the dump that was read and from no other`(change: String) throws {
    let workplace = try Family.workplace()
    let path = workplace.path + "/dumps/labels.csv"
    let file = SourceFolder.File(name: "labels.csv", path: path)
    let identity = try SourceReader(file).identity
    switch change {
    case "replaced":
      try workplace.write("other.csv", "label\ny\n")
      #expect(unsafe rename(workplace.path + "/dumps/other.csv", path) == 0)
    case "rewritten":
      // In place, with the same size, and the time of its writing set back.
      let times = try FileManager.default.attributesOfItem(atPath: path)
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.write(contentsOf: Data("label\ny\n".utf8))
      try handle.close()
      try FileManager.default.setAttributes(
        [.modificationDate: times[.modificationDate] as Any], ofItemAtPath: path)
    default: break
    }
    var error: IngestError?
    do throws(IngestError) {
      var copy = try FileWriter(creating: workplace.path + "/copy")
      try copy.append([6..<8], of: file, identity)
      #expect(copy.addedBytes == 0)
      try copy.flush()
    } catch let thrown {
      error = thrown
    }
    #expect((error == nil) == (change == "untouched"))
    let words = "was changed while it was being read"
    #expect(change == "untouched" || error?.message.contains(words) == true)
    let copied = try String(contentsOfFile: workplace.path + "/copy", encoding: .utf8)
    #expect(copied == (change == "untouched" ? "x\n" : ""))
  }

  @Test func `all records are kept, however many are alike`() throws {
    let bad = (0..<40_000).map { "\($0),nowhere,,,,\n" }.joined()
    let header = "id,node,size,kind,is_new,code\n"
    let workplace = try Family.workplace(["things.csv": header + bad])
    let outcome = load(workplace, Family.schema, limit: .records(0))
    #expect(outcome.error?.code == .run(.rejectsOverLimit))
    #expect(outcome.whole.rejectsFolder == workplace.kept.folder)
    #expect(try workplace.kept.records("things") == header + bad)
    #expect(try workplace.kept.reasons("things").count == 40_000)
  }

  @Test func `the manifest lists the source files`() throws {
    let workplace = try Family.workplace(["things.csv": "id,node\n1,leaf\n2,\n"])
    let outcome = load(workplace, Family.schema)
    let entries = try workplace.kept.manifest
    #expect(entries.map { $0["table"] } == ["nodes", "things", "labels", "owners"])
    #expect(entries.map { $0["rejected"] } == ["0", "1", "0", "0"])
    #expect(entries.map { $0["records"] } == ["2", "2", "1", "2"])
    // As Python's zlib say.
    #expect(entries[2]["crc32"] == "a01dac2d" && entries[2]["size"] == "8")
    let crc32 = outcome.whole.tables.map { $0.sources[0].crc32.hexadecimal }
    #expect(entries.map { $0["crc32"] } == crc32)
  }

  @Test func `records rejected before a file error are kept`() throws {
    let workplace = try Family.workplace([
      "nodes.csv": "name,parent\nroot,\nleaf,root\nlost\n",
      "things.csv": "id,node\n1\n2,\"leaf\n",
    ])
    let outcome = load(workplace, Family.schema)
    #expect(outcome.error?.code == .file(.unterminatedQuote))
    #expect(outcome.whole.rejectsFolder == workplace.kept.folder)
    #expect(try workplace.kept.records("nodes") == "name,parent\nlost\n")
    let entries = try workplace.kept.manifest
    #expect(entries.map { $0["crc32"].isEmpty } == [false, true, false, false])
  }

  @Test func `a header without a reject leaves nothing`() throws {
    let workplace = try Family.workplace()
    let outcome = load(workplace, Family.schema)
    #expect(outcome.report != nil && outcome.whole.rejectsFolder == nil)
    #expect(try workplace.names == ["dumps", "out.sqlite"])
  }

  @Test func `missing bytes end the run`() throws {
    let workplace = try Workplace()
    let folder = RejectsFolder(workplace.path + "/kept", sources: Family.schema.sources)
    var writer = RejectsWriter(folder)
    var batch = RecordBatch(capacity: 100, records: 10, fields: 4096)
    var parser = Parser()
    var isGiven = false
    _ = batch.fill { room in
      guard !isGiven else { return 0 }
      isGiven = true
      for (index, byte) in "label\nbad\n".utf8.enumerated() { room[index] = byte }
      return 10
    }
    try parser.parse(&batch, isLast: true)
    let file = SourceFolder.File(name: "labels.csv", path: workplace.path + "/labels.csv")
    let head = Header(names: ["label"], line: 1, bytes: Array("label\n".utf8), end: 6)
    let header = try HeaderMatch(
      head, table: Family.labels, permitting: .known, file: file, in: batch)
    let reasons = ReasonWriter(
      schema: Family.schema, table: Family.labels, fileName: "labels.csv", header: header,
      recordLimit: 100)
    let faults = [RecordFault(code: .duplicateKey, column: 0, key: 0)]
    var messages: [TextBuffer] = []
    reasons.write(&messages, of: faults, batch.records[1], in: batch)
    for (rejected, isBalanced) in [(4, true), (5, false)] {
      writer.begin(table: "labels", source: file, header: head, identity: nil, isKept: true)
      if !isBalanced { unsafe unlink(folder.newPath + "/labels.csv") }
      if !isBalanced { unsafe unlink(folder.newPath + "/labels.reasons.csv") }
      try writer.keep(batch.records[1], faults, messages, in: batch, reasons)
      var error: IngestError?
      do throws(IngestError) {
        try writer.endTable(rejected: rejected)
      } catch let thrown {
        error = thrown
      }
      #expect((error == nil) == isBalanced)
      #expect(isBalanced || error?.code == .run(.accountsUnbalanced))
    }
  }
}
