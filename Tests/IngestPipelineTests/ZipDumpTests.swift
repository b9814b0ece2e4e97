import Schema
@testable import SourceFiles
@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Testing

/// Dumps in ZIP archives that are damaged, changed, or read more than once.
@Suite struct ZipDumpTests {
  private static let sound = "id,node\n1,leaf\n"

  private static func archive(_ text: String, _ change: (inout ZipBuilder.Entry) -> Void = { _ in })
    -> [UInt8]
  {
    var entry = ZipBuilder.Entry("things.csv", text)
    change(&entry)
    return ZipBuilder([entry]).bytes
  }

  /// Puts an archive in the place of the plain dump of `things`.
  private static func put(_ archive: [UInt8], in workplace: Workplace) throws {
    let path = workplace.path + "/dumps/things.csv"
    try FileManager.default.removeItem(atPath: path)
    try Data(archive).write(to: URL(fileURLWithPath: path + ".zip"))
  }

  @Test func `damage takes precedence over other errors`() throws {
    for text in ["id,node\n1,loaf\n2\n", "ib,node\n1,leaf\n"] {
      let workplace = try Family.workplace()
      try Self.put(Self.archive(text) { $0.crc32 ^= 1 }, in: workplace)
      let outcome = load(workplace, Family.schema)
      #expect(outcome.error?.code == .zipCorrupt)
      #expect(outcome.rejects.isEmpty && outcome.warnings.isEmpty)
      #expect(outcome.whole.rejectsFolder == nil)
    }
  }

  @Test func `a record that is too long is kept from the archive`() throws {
    let workplace = try Family.workplace()
    let long = "2," + String(repeating: "x", count: 300_000) + "\n"
    try Self.put(Self.archive(Self.sound + long), in: workplace)
    let outcome = load(workplace, Family.schema, recordLimit: 200_000)
    #expect(outcome.rejected == ["things.csv.zip:3 record-too-long id"])
    #expect(try workplace.kept.data("things.csv") == Data(("id,node\n" + long).utf8))
    let account = try #require(outcome.whole.tables.first { $0.table == "things" }?.sources.first)
    #expect(account.zip == SourceCounts.Zip(name: "things.csv", localTime: 1_743_491_290))
    #expect(
      account.gzip == nil && account.size < 1000
        && account.bytes == Self.sound.utf8.count + long.utf8.count)
  }

  @Test func `replacing the archive during a run ends it`() throws {
    let workplace = try Workplace()
    let path = workplace.path + "/dumps.zip"
    let builder = ZipBuilder([.init("things.csv", Self.sound)])
    try Data(builder.bytes).write(to: URL(fileURLWithPath: path))
    let things = Family.schema.sources.filter { $0.table == "things" }
    let folder = try SourceFolder(path, sources: things, allowedMissing: .all)
    let file = try #require(folder.files[0].first)
    _ = try SourceReader(file)
    try Data(builder.bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
    #expect {
      _ = try SourceReader(file)
    } throws: { error in
      (error as? IngestError)?.message
        == "\(path)/things.csv: was changed while it was being read. Run "
        + "again once writing has finished."
    }
  }
}
