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
      #expect(outcome.error?.code == .file(.zipCorrupt))
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

  private static func stored(_ entries: (name: String, text: String)...) -> [UInt8] {
    ZipBuilder(entries.map { .init($0.name, $0.text, isStored: true) }).bytes
  }

  /// Files by their names, the code, and a part of the message; the source is `dumps.zip` if it is there.
  static let faults: [(files: [String: [UInt8]], code: FileCode, message: String)] = [
    (
      ["dumps/things.zip": stored()], .fileMissing,
      "/things.zip: no file in the archive; expected one. Download it again."
    ),
    (
      ["dumps/things.zip": stored(("a", "1"), ("b/c\n", "2"))], .fileAmbiguous,
      #"/things.zip: 2 files in the archive; expected one. The first two are "a" and "b/c\n". "#
    ),
    (
      ["dumps/things.zip": archive("1") { $0.method = 12 }], .zipUnsupported,
      "is compressed by method 12. Only stored or deflated files without a password, in an archive of one "
        + "part, are supported. Unpack it, and load its files."
    ),
    (
      ["dumps/things.zip": stored(("a", "1")).dropLast(9)], .zipTruncated,
      "the end of the ZIP archive is missing: the file is empty, truncated, "
    ),
    (
      ["dumps/things.zip": stored(("a", ""))], .headerMissing,
      "line 1: no header: the file is empty."
    ),
    (
      ["dumps/things.csv.zip": stored(("a", "1")), "dumps/things.zip": stored(("a", "1"))],
      .fileAmbiguous, "two files for one table: things.csv.zip and things.zip. "
    ),
    (
      ["dumps.zip": archive("id\n") { $0.crc32 ^= 1 }], .zipCorrupt,
      "dumps.zip/things.csv: damaged: incorrect data check, at byte "
    ),
    (
      ["dumps.zip": stored(("../things.csv", "1"))], .zipCorrupt,
      #"a file in the archive is named "../things.csv", a path that leads outside it. "#
    ),
    (
      ["dumps.zip": stored(("a/things.csv", "1"), ("b\n/things.csv", "1"))], .fileAmbiguous,
      #"dumps.zip: source files in 2 folders: "a/", "b\n/". "#
    ),
    (
      ["dumps.zip": stored(("things.csv", "1")).dropLast()], .zipTruncated,
      "the end of the ZIP archive"
    ),
    (
      ["dumps.zip": Array("<html>".utf8)], .notZip,
      "neither a folder of source files nor a ZIP archive of them, although its name ends in .zip. "
    ),
    (
      ["dumps.zip": stored(("read.me", "1"))], .fileMissing,
      "dumps.zip: no source files found. Check --source."
    ),
    (
      ["dumps.zip": stored(("things.csv", "1"), ("things.csv", ""))], .zipCorrupt,
      #"dumps.zip: two files in the archive are named "things.csv""#
    ),
    (
      ["dumps/x.zip": stored(("things.csv", "1"))], .fileMissing,
      "If this archive contains the source files, use it: --source "
    ),
  ]

  @Test(arguments: faults.indices) func `an unusable archive is reported`(index: Int) throws {
    let (files, code, message) = Self.faults[index]
    let workplace = try Workplace()
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(filePath: "\(workplace.path)/\(name)"))
    }
    let error = load(workplace, Family.schema, allowedMissing: .all) {
      if files.keys.contains("dumps.zip") { $0.source = workplace.path + "/dumps.zip" }
    }.error
    #expect(
      error?.code == .file(code) && error?.message.contains(message) == true,
      "\(error?.message ?? "")")
  }

  @Test func `similar names in an archive are reported`() throws {
    let workplace = try Workplace()
    let archive = workplace.path + "/dumps.zip"
    let names = ["Labels.csv", "owners.csv.gz", "things.csv", "news.csv"]
    try Data(ZipBuilder(names.map { .init($0, "id,node\n") }).bytes).write(
      to: URL(filePath: archive))
    let missing = load(workplace, Family.schema) { $0.source = archive }.error?.message ?? ""
    #expect(
      missing.contains(" Found Labels.csv: if this is the file, rename it to labels.csv. "),
      "\(missing)")
    #expect(
      missing.contains(
        " Found owners.csv.gz, but in an archive the file must be named owners.csv: unpack the archive, "
          + "and pass its folder to --source. "), "\(missing)")
    let allowed = load(workplace, Family.schema, allowedMissing: .all) { $0.source = archive }
    #expect(allowed.warnings.contains { $0.code == .fileUnknown && $0.file == "news.csv" })
  }
}
