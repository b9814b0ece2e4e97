import GzipWriting
import Vocabulary
import Foundation
import SQLiteSwiftly
import Testing

/// What comes out of a damaged file is told and kept as nothing: it may never have been in the dump.
@Suite struct DamagedFileTests {
  /// Enough records for several batches after the ones that look bad.
  private static let many = (0..<60_000).map { "\($0 + 10),leaf\n" }.joined()
  private static let manyNodes = (0..<60_000).map { "node \($0),\n" }.joined()

  /// Dumps whose checksum belongs to other bytes than those that are in them.
  private static let damages: [(dump: String, text: String, original: String)] = [
    ("things.csv", "id,node\n1,loaf\n2\n", "id,node\n1,leaf\n2,leaf\n"),
    ("things.csv", "id,node\n1,loaf\n2\n\(many)", "id,node\n1,leaf\n"),
    ("things.csv", "id,node\n\(many)1x,leaf\n", "id,node\n\(many)12,leaf\n"),
    ("nodes.csv", "name,parent\nroot,nowhere\nleaf\n", "name,parent\nroot,\nleaf,\n"),
    ("nodes.csv", "name,parent\nroot,nowhere\nleaf\n\(manyNodes)", "name,parent\n"),
    // Headers that are not the dump's.
    ("things.csv", "ib,node\n1,leaf\n", "id,node\n1,leaf\n"),
    ("things.csv", "ib,node\n\(many)", "id,node\n\(many)"),
    ("things.csv", "id,node,siye\n1,leaf,\n", "id,node,size\n1,leaf,\n"),
    ("things.csv", "id,n\"ode\n\(many)", "id,node\n\(many)"),
    ("things.csv", "id,node\n\"1,leaf\n", "id,node\n1,leaf\n"),
    ("nodes.csv", "nume,parent\nroot,\n\(manyNodes)", "name,parent\nroot,\n"),
  ]

  @Test(arguments: damages.indices)
  func `damage takes precedence over other errors`(index: Int) throws {
    let (dump, text, original) = Self.damages[index]
    let workplace = try Family.workplace()
    try workplace.writeDamaged(dump, text, checksumOf: original)
    let outcome = load(workplace, Family.schema, limit: .records(0))
    #expect(outcome.error?.code == .file(.gzipCorrupt))
    #expect(outcome.rejects.isEmpty && outcome.whole.rejects.isEmpty)
    #expect(outcome.warnings.isEmpty)
    let account = try #require(outcome.whole.tables.first { "\($0.table).csv" == dump })
    #expect(account.failure == .gzipCorrupt && account.rejected == 0 && account.loaded == 0)
    #expect(account.rejectedByCode.isEmpty && account.reasonsByCode.isEmpty)
    #expect(outcome.whole.rejectsFolder == nil)
    #expect(try workplace.names == ["dumps"])
  }

  @Test func `a truncated file reports nothing about its records`() throws {
    let workplace = try Family.workplace()
    let bytes = gzip("id,node\n1,loaf\n2\n\(Self.many)")
    try workplace.replaceDump("things.csv", by: Array(bytes.dropLast(12)))
    let outcome = load(workplace, Family.schema)
    #expect(outcome.error?.code == .file(.gzipTruncated))
    #expect(outcome.rejects.isEmpty && outcome.whole.rejectsFolder == nil)
  }

  @Test func `an intact file reports its records`() throws {
    let workplace = try Family.workplace()
    try workplace.replaceDump("things.csv", by: gzip("id,node\n1,loaf\n2\n\(Self.many)"))
    let outcome = load(workplace, Family.schema, limit: .records(0))
    #expect(outcome.error?.code == .run(.rejectsOverLimit))
    #expect(
      outcome.rejected == [
        "things.csv.gz:2 missing-parent node", "things.csv.gz:3 wrong-field-count -",
      ])
    #expect(outcome.whole.rejectsFolder == workplace.kept.folder)
  }

  @Test func `an unusable header is reported if the file is intact`() throws {
    let workplace = try Family.workplace()
    try workplace.replaceDump("nodes.csv", by: gzip("nume,parent\nroot,\n\(Self.manyNodes)"))
    #expect(load(workplace, Family.schema).error?.code == .file(.columnMissing))
  }

  @Test func `rejects of other files are kept, and repaired with an intact copy`() throws {
    let workplace = try Family.workplace(["labels.csv": "label\nx\na\"b\n"])
    let things = try workplace.dump("things.csv")
    try workplace.writeDamaged("things.csv", "id,node\n1,loaf\n", checksumOf: "id,node\n1,leaf\n")
    let outcome = load(workplace, Family.schema)
    #expect(outcome.error?.code == .file(.gzipCorrupt))
    #expect(outcome.rejected == ["labels.csv:3 stray-quote label"])
    #expect(try workplace.kept.names == ["labels.csv", "labels.reasons.csv", "manifest.csv"])
    let entry = try #require(try workplace.kept.manifest.first { $0["table"] == "things" })
    #expect(entry["rejected"] == "0")
    #expect(entry["crc32"].isEmpty)
    try FileManager.default.removeItem(atPath: workplace.path + "/dumps/things.csv.gz")
    try things.write(to: URL(fileURLWithPath: workplace.path + "/dumps/things.csv"))
    try workplace.kept.replace("a\"b", by: "ab", in: "labels.csv")
    try repair(workplace)
    let repaired = loadRepaired(workplace)
    #expect(repaired.error == nil && repaired.rejects.isEmpty)
    #expect(try workplace.rows("SELECT label FROM labels ORDER BY 1") == ["'ab'", "'x'"])
  }
}

/// One gzip member with the text.
func gzip(_ text: String) -> [UInt8] { gzip(bytes: Array(text.utf8)) }

func gzip(bytes: [UInt8]) -> [UInt8] {
  var writer = GzipWriter()
  writer.write(bytes.span)
  return writer.finish()
}

extension Workplace {
  /// Puts a compressed dump, bytes of any kind, in the place of a plain one.
  fileprivate func replaceDump(_ name: String, by bytes: [UInt8]) throws {
    let path = self.path + "/dumps/" + name
    try FileManager.default.removeItem(atPath: path)
    try Data(bytes).write(to: URL(fileURLWithPath: path + ".gz"))
  }

  /// Puts a compressed dump in the place of a plain one, with the checksum and length of another text.
  fileprivate func writeDamaged(
    _ name: String, _ text: String, checksumOf original: String
  ) throws {
    try replaceDump(name, by: gzip(text).dropLast(8) + gzip(original).suffix(8))
  }
}
