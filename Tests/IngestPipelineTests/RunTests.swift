@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Testing

@Suite struct RunTests {
  @Test func `sound dumps are loaded, counted and published`() throws {
    let workplace = try Family.workplace()
    let outcome = load(workplace, Family.schema, limit: .records(0))
    let report = try #require(outcome.report)
    #expect(report.tables.map(\.read) == [2, 1, 1, 2])
    #expect(report.tables.map(\.inserted) == [2, 1, 1, 2])
    #expect(report.tables.map(\.rejected) == [0, 0, 0, 0])
    #expect(report.tables.map(\.bytes) == [28, 41, 8, 31])
    #expect(try workplace.rows("SELECT * FROM nodes") == ["'leaf'|'root'", "'root'|-"])
    #expect(try workplace.rows("SELECT * FROM things") == ["1|'leaf'|-|-|-|-"])
    #expect(try workplace.rows("SELECT * FROM names") == ["'leaf'", "'root'", "'x'"])
    #expect(try workplace.rows("PRAGMA application_id") == ["77"])
    #expect(try workplace.rows("PRAGMA user_version") == ["3"])
    #expect(try workplace.names == ["dumps", "out.sqlite"])
    #expect(report.bytes == (try workplace.bytesOfOutput().count))
    #expect(report.readerWaited > 0 && report.writerWaited > 0)
    #expect(max(report.readerWaited, report.writerWaited) < report.seconds)
  }

  @Test func `bytes that are not UTF-8 reject their record`() throws {
    let workplace = try Family.workplace()
    var bytes = Data("label\nx\n".utf8)
    bytes.append(contentsOf: [0x61, 0xe9, 0x0a])
    bytes.append(Data("y\n".utf8))
    try bytes.write(to: URL(fileURLWithPath: workplace.path + "/dumps/labels.csv"))
    let outcome = load(workplace, Family.schema, limit: .records(1))
    #expect(outcome.rejected == ["labels.csv:3 invalid-utf8 label"])
    #expect(outcome.rejects[0].reasons[0].message.contains(#""a\xe9""#))
    #expect(try workplace.rows("SELECT label FROM labels") == ["'x'", "'y'"])
  }

  @Test func `a second key is enforced, and NULL differs from everything`() throws {
    let workplace = try Family.workplace([
      "things.csv": """
      id,node,size,kind,is_new,code
      1,leaf,,,,aa
      2,leaf,,,,aa
      3,root,,,,aa
      4,leaf,,,,
      5,leaf,,,,
      2,leaf,,,,ab

      """
    ])
    let outcome = load(workplace, Family.schema)
    #expect(outcome.rejected == ["things.csv:3 duplicate-key node"])
    // The key of a rejected record is free for another one.
    #expect(try workplace.rows("SELECT id FROM things ORDER BY id") == ["1", "2", "3", "4", "5"])
    #expect(outcome.rejects[0].reasons[0].message.contains("the same node, code"))
  }

  @Test func `a table that refers to itself is settled at its end`() throws {
    let workplace = try Family.workplace([
      "nodes.csv": """
      name,parent
      grandchild,child
      child,root
      leaf,root
      lost,nobody
      lost child,lost
      lost grandchild,lost child
      a,b
      b,a
      itself,itself
      root,
      lost,root

      """
    ])
    let outcome = load(workplace, Family.schema)
    #expect(outcome.rejected == ["nodes.csv:5 missing-parent parent"])
    // The second record named "lost" is sound, so its children have a parent after all.
    #expect(
      try workplace.rows("SELECT name FROM nodes ORDER BY name") == [
        "'a'", "'b'", "'child'", "'grandchild'", "'itself'", "'leaf'", "'lost'", "'lost child'",
        "'lost grandchild'", "'root'",
      ])
  }

  @Test func `the children of a rejected parent are rejected, too`() throws {
    let workplace = try Family.workplace([
      "nodes.csv": "name,parent\nroot,\nleaf,root\nlost,nobody\nchild,lost\nlower,child\n",
      "things.csv": "id,node,size,kind,is_new,code\n1,lower,,,,\n2,leaf,,,,\n",
    ])
    let outcome = load(workplace, Family.schema)
    #expect(
      outcome.rejected == [
        "nodes.csv:4 missing-parent parent", "nodes.csv:5 missing-parent parent",
        "nodes.csv:6 missing-parent parent", "things.csv:2 missing-parent node",
      ])
    #expect(
      outcome.rejects[0].reasons[0].message
        == #""nobody" is not in nodes.name, or its record was rejected"#)
    #expect(try workplace.rows("SELECT id FROM things") == ["2"])
  }

  @Test func `keys are compared by bytes`() throws {
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let workplace = try Family.workplace([
      "labels.csv": "label\n\(composed)\n\(decomposed)\nX\nx\n x\n",
      "owners.csv": "owner,of,rank\n\(composed),x,1\n\(decomposed),x,1\na,\(decomposed),1\n",
    ])
    loaded(workplace, Family.schema, limit: .records(0))
    #expect(try workplace.rows("SELECT count(*) FROM labels") == ["5"])
    #expect(
      try workplace.rows("SELECT hex(of) FROM owners WHERE owner = 'a'") == ["'63616665CC81'"])
  }

  @Test func `columns are matched by name, in any order, and drift is reported`() throws {
    let workplace = try Family.workplace([
      "things.csv": "\u{feff}kind,new column,node,id\r\na,\"1,2\",leaf,7\r\n",
      "extra.csv": "a\n",
    ])
    let outcome = load(workplace, Family.schema, limit: .records(0))
    #expect(try workplace.rows("SELECT * FROM things") == ["7|'leaf'|-|'a'|-|-"])
    #expect(
      outcome.warnings.map { "\($0.file) \($0.code.rawValue)" } == [
        "extra.csv file-unknown", "things.csv column-absent", "things.csv column-absent",
        "things.csv column-absent", "things.csv column-unknown", "things.csv column-order",
      ])
  }

  @Test(
    arguments: [
      ("things.csv", "id,node,size,id,node\n", FileCode.columnDuplicate),
      ("things.csv", "node,size\n", .columnMissing),
      ("things.csv", "id;node;size\n", .columnMissing),
      ("things.csv", "", .headerMissing),
      ("things.csv", "\n\n", .headerMissing),
      ("things.csv", "id,no\"de\n", .headerMissing),
      ("things.csv", "id,no\"de\n1,\"leaf\n", .headerMissing),
      ("things.csv", String(repeating: ",", count: 5000) + "\n\"leaf\n", .tooManyColumns),
      ("things.csv", "id,kind\n1,\"a\n", .columnMissing),
      ("things.csv", "id,node,id\n1,\"leaf\n", .columnDuplicate),
      ("things.csv", "id,node\r1,leaf\r", .headerMissing),
      ("things.csv", String(repeating: ",", count: 100_000), .tooManyColumns),
      ("things.csv", "id,node\n1,leaf\n2,\"leaf\n3,leaf\n", .unterminatedQuote),
      ("things.csv.gz", "id,node\n", .notGzip),
      ("things.csv.gz", "", .gzipTruncated),
    ])
  func `a damaged file ends the run, and the old catalog stays`(
    name: String, text: String, code: FileCode
  ) throws {
    let workplace = try Family.workplace()
    #expect(load(workplace, Family.schema).error == nil)
    let before = try workplace.bytesOfOutput()
    try FileManager.default.removeItem(atPath: workplace.path + "/dumps/things.csv")
    try workplace.write(name, text)
    let error = try #require(load(workplace, Family.schema).error)
    #expect(error.code == .file(code))
    #expect(error.kind == .data)
    #expect(error.message.contains("/dumps/\(name): "))
    #expect(try workplace.bytesOfOutput() == before)
    #expect(try workplace.names == ["dumps", "out.sqlite"])
  }

  @Test(
    arguments: [
      (RejectLimit.records(2), true), (.records(1), false), (.records(0), false),
      (.percent(34), true), (.percent(33), false), (.percent(0), false), (.percent(100), true),
    ])
  func `the limit decides whether a catalog is published`(
    limit: RejectLimit, isPublished: Bool
  ) throws {
    // 2 of 6 records are bad: 33.3 %.
    let workplace = try Family.workplace([
      "owners.csv": "owner,of,rank\nme,nobody,1\nme,x,y\n"
    ])
    let outcome = load(workplace, Family.schema, limit: limit)
    #expect((outcome.report != nil) == isPublished)
    #expect(FileManager.default.fileExists(atPath: workplace.output) == isPublished)
    #expect(outcome.rejected.count == 2)
    if !isPublished {
      #expect(outcome.error?.kind == .data)
      #expect(outcome.error?.message.hasPrefix("2 of 6 records are rejected") == true)
    }
  }

  @Test func `ten of many similar rejects are reported, and all are counted`() throws {
    let bad = (0..<2500).map { "\($0),nowhere,,,,\n" }.joined()
    let workplace = try Family.workplace([
      "things.csv": "id,node,size,kind,is_new,code\n" + bad + "x,leaf,,,,\n"
    ])
    let outcome = load(workplace, Family.schema, limit: .records(0))
    #expect(outcome.rejected.count == 11)
    #expect(outcome.error?.message.hasPrefix("2,501 of 2,506 records are rejected") == true)
  }

  @Test func `a file error does not hide the rejects before it`() throws {
    let bad = (0..<25).map { "\($0)\n" }.joined()
    let workplace = try Family.workplace([
      "nodes.csv": "name,parent\nroot,\nleaf,root\n" + bad, "labels.csv": "label\n\"x\n",
    ])
    let outcome = load(workplace, Family.schema)
    #expect(outcome.error?.code == .file(.unterminatedQuote))
    let accounts = try #require(
      outcome.events.compactMap { event in
        if case .readingEnded(let tables) = event { tables } else { nil }
      }.first)
    #expect(accounts.map(\.table) == ["nodes", "things", "labels", "owners"])
    #expect(accounts.map(\.rejected) == [25, 0, 0, 0])
    #expect(accounts[0].rejectedByCode == [.wrongFieldCount: 25])
  }

  @Test func `all unusable files are reported in one run, and what refers to them is not rejected`()
    throws
  {
    let workplace = try Family.workplace([
      "nodes.csv": "nam,parent\nroot,\n", "labels.csv": "label\n\"x\n",
      "things.csv": "id,node,size,kind,is_new,code\n1,leaf,,,,\nx,leaf,,,,\n",
    ])
    let outcome = load(workplace, Family.schema)
    #expect(outcome.whole.failures.map(\.code?.file) == [.columnMissing, .unterminatedQuote])
    #expect(outcome.rejected == ["things.csv:3 not-an-integer id"])
    #expect(try workplace.names == ["dumps", "out.sqlite.rejects"])
  }

  @Test func `the first of several faults is named, with its place`() throws {
    let workplace = try Family.workplace(["owners.csv": "owner,of,rank\na\0b \"x\" c,x,1\n"])
    let reject = try #require(load(workplace, Family.schema).rejects.first)
    #expect(reject.reasons[0].code == .nulByte)
    #expect(reject.reasons[0].message.hasPrefix("NUL at byte 15; "))
  }

  @Test func `an error in the header names its line`() throws {
    let workplace = try Family.workplace(["labels.csv": "\n\nname\nx\n"])
    let error = try #require(load(workplace, Family.schema).error)
    #expect(error.message.contains("labels.csv: line 3: no column label in the header"))
  }

  @Test func `a pipe is refused, not waited for`() throws {
    let workplace = try Family.workplace()
    let path = workplace.path + "/dumps/labels.csv"
    try FileManager.default.removeItem(atPath: path)
    let isMade = unsafe mkfifo(path, 0o600) == 0
    #expect(isMade)
    let error = try #require(load(workplace, Family.schema).error)
    #expect(error.code == .file(.fileUnreadable) && error.kind == .inputMissing)
  }

  @Test func `a folder without source files is refused`() throws {
    let error = try #require(load(try Workplace(), Family.schema, allowedMissing: .all).error)
    #expect(error.code == .file(.fileMissing) && error.kind == .inputMissing)
  }

  @Test func `a table without a source file is left empty if allowed`() throws {
    let workplace = try Family.workplace()
    try FileManager.default.removeItem(atPath: workplace.path + "/dumps/things.csv")
    let refused = try #require(load(workplace, Family.schema).error)
    #expect(refused.code == .file(.fileMissing) && refused.kind == .inputMissing)
    #expect(refused.message.contains("missing source files: things.csv. "))
    let outcome = load(workplace, Family.schema, allowedMissing: .tables(["things"]))
    #expect(outcome.report?.tables.map(\.file) == ["nodes.csv", nil, "labels.csv", "owners.csv"])
    #expect(try workplace.rows("SELECT count(*) FROM things") == ["0"])
  }
}
