import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Source files with malicious content, of sizes that a test can write.
@Suite struct HostileContentTests {
  private static let header = "id,name,parent_id\n"

  /// The beginning of a themes file, and the expected message.
  @Test(
    arguments: [
      (LongText(unit: "id,name\0,parent_id\n", count: 1), "nul-byte at byte 7"),
      (LongText(unit: "id,\"na\"me,parent_id\n", count: 1), "text-after-quote at byte 7"),
      (LongText(unit: "id,na\"me,parent_id\n", count: 1), "stray-quote at byte 5"),
      (LongText(unit: "id,name,name\n", count: 1), "column-duplicate"),
      (LongText(unit: "id,\u{1b}[31mname,\n", count: 1), "in the header \"id,\\x1b[31mname,\""),
      (LongText(unit: "\0", count: 1_000_000), "the header is longer than 131,072 bytes"),
      (LongText(unit: "\"", count: 1_000_000), "the header is longer than 131,072 bytes"),
      (LongText(head: "id,name,", unit: "x", count: 10_000_000), "longer than 131,072 bytes"),
      (LongText(head: "id,name,", unit: "\r", count: 10_000_000), "longer than 131,072 bytes"),
      (LongText(head: "id,name,\"", unit: "\"\"", count: 5_000_000), "longer than 131,072 bytes"),
      (LongText(head: "id,name", unit: ",", count: 60_000), "too-many-columns: "),
      (LongText(head: "id,name", unit: ",c", count: 100_000), "longer than 131,072 bytes"),
    ])
  func `a header of any bytes is refused with its place`(text: LongText, message: String) throws {
    let command = try Command()
    let dumps = try command.makeDumps(["themes.csv": text.bytes])
    let run = try command.measure(loading: dumps)
    let result = run.result
    #expect(result.status == 65 && result.errors.contains(message), "\(result)")
    #expect(result.errors.contains("\(dumps)/themes.csv: line 1: "), "\(result)")
    #expect(result.errors.utf8.count < 1000 && controls(in: result.errors) == [])
    #expect(run.peakBytes < 100 << 20)
    #expect(try command.names() == ["dumps"])
  }

  @Test func `bytes that are not text are not a header`() throws {
    let command = try Command()
    let dumps = try command.makeDumps(["themes.csv": Array("id,name,".utf8) + [0xff, 0xfe, 0x0a]])
    let result = try command.load(dumps, "--allow-missing", "all")
    #expect(result.status == 65 && result.errors.contains("invalid-utf8 at byte 8"), "\(result)")
  }

  @Test func `text is data and never a statement`() throws {
    let command = try Command()
    let texts = [
      "'); DROP TABLE sets;--", "\"; DROP TABLE themes; --", "Robert'); DELETE FROM themes;",
      "` OR 1=1 --", "[x]", "?1", ":name", "@a", "$b", "%s%n", "\\", "\u{1b}[2J", "a\u{202e}b",
      "=cmd|'/c calc'!A0", "<script>alert(1)</script>", "../../etc/passwd", "NULL", "x''y",
    ]
    var dump = "id,\"'); DROP TABLE sets;--\",name,\"\"\"; DROP TABLE themes;--\",parent_id\n"
    for (index, text) in texts.enumerated() {
      let field = text.replacingOccurrences(of: "\"", with: "\"\"")
      dump += "\(index),\"\(field)\",\"\(field)\",x,\n"
    }
    let dumps = try command.makeDumps(["themes.csv": Array(dump.utf8)])
    let report = command.folder + "/r.html"
    let result = try command.load(dumps, "--allow-missing", "all", "--report", report, status: 0)
    #expect(controls(in: result.errors + result.output) == [])
    let names = try command.rows("SELECT name FROM themes ORDER BY id").map(\.[0].textValue)
    #expect(names.map { $0.map { Array($0.utf8) } } == texts.map { Array($0.utf8) })
    #expect(
      try command.rows("SELECT header FROM ingest_sources")
        == [["id,'); DROP TABLE sets;--,name,\"\"\"; DROP TABLE themes;--\",parent_id"]])
    #expect(try command.rows("SELECT count(*) FROM sets") == [[0]])
    let page = try String(contentsOfFile: report, encoding: .utf8)
    #expect(!page.contains("<script>alert"))
  }

  /// The factor by which files are smaller in short tests.
  private static let fraction = LongTests.areOn ? 1 : 10

  /// Many or large records of themes, and the expected rejected records.
  private static let largeDumps: [(LongText, Int32, Int, Int)] = [
    (LongText(head: header, unit: "\n", count: 1_000_000 / fraction), 0, 0, 0),
    (LongText(head: header, unit: ",", count: 10_000_000 / fraction, tail: "\n1,a,\n"), 65, 2, 1),
    (
      LongText(
        head: header, unit: String(repeating: ",", count: 100_000 / fraction) + "\n", count: 20),
      65, 20, 20
    ),
    (LongText(head: header, unit: "x\n", count: 20_000), 65, 20_000, 20_000),
  ]
  /// A record over the size limit.
  private static let endless: [(LongText, Int32, Int, Int)] = [
    (LongText(head: header + "1,", unit: "x", count: 17_000_000, tail: ",\n2,b,\n"), 65, 2, 1)
  ]

  @Test(arguments: LongTests.areOn ? largeDumps + endless : largeDumps)
  func `many large records use little memory and short messages`(
    dump: LongText, status: Int32, read: Int, rejected: Int
  ) throws {
    let command = try Command()
    let dumps = try command.makeDumps(["themes.csv": dump.bytes])
    let report = command.folder + "/r.json"
    let run = try command.measure(loading: dumps, "--report", report, status: status)
    #expect(run.peakBytes < Command.memoryLimit)
    #expect(run.result.errors.utf8.count < 10_000)
    let totals = try #require(try command.json("r.json")["totals"] as? [String: Any])
    #expect(totals["read"] as? Int == read && totals["rejected"] as? Int == rejected)
  }

  /// Values of a column that has a list of known values.
  @Test func `long unknown values are counted but not shown`() throws {
    let command = try Command()
    var dump = "part_num,name,part_cat_id,part_material\n"
    for index in 0..<5 {
      dump += "\(index),a,1,\(index)" + String(repeating: "a", count: 2_000_000) + "\n"
    }
    dump += "5,a,1,?\n"
    let dumps = try command.makeDumps([
      "parts.csv": Array(dump.utf8), "part_categories.csv": Array("id,name\n1,a\n".utf8),
    ])
    let run = try command.measure(loading: dumps, status: 0)
    #expect(run.result.output.utf8.count < 10_000)
    let warning = run.result.errors.split(separator: "\n").first { $0.contains("value-unknown") }
    #expect(
      warning?.contains("loaded: \"?\" (1 record, first in line 7), and others in 5 records")
        == true,
      "\(run.result)")
    #expect(run.peakBytes < 150 << 20)
  }

  @Test func `a million empty members are read like one`() throws {
    let command = try Command()
    var bytes = gzipMember(Array((Self.header + "1,a,\n").utf8))
    let empty = gzipMember([])
    var members = empty
    for _ in 0..<20 { members += members }
    bytes += members
    let dumps = try command.makeDumps(["themes.csv.gz": bytes])
    let run = try command.measure(loading: dumps, status: 0)
    #expect(try command.rows("SELECT gzip_members FROM ingest_sources") == [[1_048_577]])
    #expect(run.peakBytes < 100 << 20)
  }

  /// A repeated theme is a duplicate, and uses no memory however often it is repeated.
  @Test(.enabled(if: LongTests.areOn, "LONG_TESTS is not set"))
  func `a record repeated ten million times is stored once`() throws {
    let command = try Command()
    let dumps = try command.makeDumps([:])
    let line = "2,b,1\n"
    let records = String(repeating: line, count: 1_000_000)
    var bytes = gzipMember(Array((Self.header + "1,a,\n").utf8))
    let member = gzipMember(Array(records.utf8))
    for _ in 0..<10 { bytes += member }
    try Data(bytes).write(to: URL(fileURLWithPath: dumps + "/themes.csv.gz"))
    let run = try command.measure(
      ["--source", dumps, "--dry-run", "--allow-missing", "all", "--max-rejects", "100%", "-q"],
      status: 3)
    #expect(run.peakBytes < 100 << 20)
  }
}
