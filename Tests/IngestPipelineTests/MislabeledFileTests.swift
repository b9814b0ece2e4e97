import SQLiteSwiftly
import Schema
import Foundation
import RebrickableCatalog
import Testing

@testable import Vocabulary

/// Files with misleading names, and folders without source files.
@Suite struct MislabeledFileTests {
  private static let notGzip = "not a gzip file, although its name ends in .gz: "
  private static let notZip = "not a ZIP archive, although its name ends in .zip: "

  /// The name of a file, its bytes, and a part of the message.
  static let files: [(name: String, bytes: [UInt8], message: String)] = [
    (
      "places.csv.gz", [0x50, 0x4b, 3, 4, 20, 0],
      notGzip + "this is a ZIP archive. Rename it to places.csv.zip."
    ),
    (
      "places.csv.gz", Array("\n<!DOCTYPE HTML><title>404</title>\n".utf8),
      notGzip
        + #"this is a web page (it begins with "<!DOCTYPE HTML><title>404</title>"), not the file "#
        + "itself. Check the address, and download the file again."
    ),
    (
      "places.csv.gz", Array("id,name\r\n1,a\r\n".utf8),
      notGzip
        + #"this is plain text (it begins with "id,name"). If it is the source file, rename it to "#
        + "places.csv; otherwise download it again."
    ),
    (
      "places.csv.gz", [1, 2, 3],
      notGzip + "it does not begin with the bytes 1f 8b. Download the file again."
    ),
    (
      "places.csv.zip", [0x1f, 0x8b, 8, 0],
      notZip + "this is a gzip file. Rename it to places.csv.gz."
    ),
    (
      "places.zip", Array("<html>\n".utf8),
      notZip + #"this is a web page (it begins with "<html>"), not the file itself. "#
    ),
    ("places.zip", Array("id\n".utf8), "If it is the source file, rename it to places.csv; "),
    ("places.zip", [1, 2, 3], notZip + "it does not end like one. Download the file again."),
    (
      "places.csv", [0x1f, 0x8b, 8, 0, 0xff],
      " Judging by its first bytes, this is a gzip file. Rename it to places.csv.gz."
    ),
    (
      "places.csv", [0x50, 0x4b, 3, 4, 0xff],
      " Judging by its first bytes, this is a ZIP archive. Rename it to places.csv.zip."
    ),
    (
      "places.csv.gz", gzip(bytes: gzip("id,name,note\n")),
      " Judging by its first bytes, it contains a gzip file instead of text. Decompress it once."
    ),
    (
      "places.csv", Array("version https://git-lfs.github.com/spec/v1\noid sha256:1\n".utf8),
      " Judging by its first bytes, this is a pointer of Git LFS, not the file itself. "
        + "Fetch the file with git lfs pull."
    ),
    (
      "places.csv", Array("<html>\n".utf8),
      #" Judging by its first bytes, this is a web page (it begins with "<html>"), "#
    ),
  ]

  @Test(arguments: files.indices) func `messages use the name of the file`(index: Int) throws {
    let file = Self.files[index]
    let workplace = try Workplace()
    try Data(file.bytes).write(to: URL(filePath: "\(workplace.path)/dumps/\(file.name)"))
    let error = try #require(load(workplace, Places.schema { _ in }).error)
    #expect(error.kind == .data && error.message.contains(file.message), "\(error)")
  }

  private func write(_ names: [String], to workplace: Workplace) throws {
    for name in names { try workplace.write(name, "") }
  }

  @Test(arguments: [
    SourceDescription.Place.named, .files(["places.csv"]),
  ])
  func `an unsupported compression is named`(place: SourceDescription.Place) throws {
    let workplace = try Workplace()
    try write(["places.csv.zst"], to: workplace)
    let error = try #require(load(workplace, Places.schema { $0.place = place }).error)
    #expect(error.code == .file(.fileMissing))
    let hint =
      "Found places.csv.zst, but Zstandard is not supported: decompress it, or compress it with gzip. "
    #expect(error.message.contains(hint), "\(error)")
  }

  @Test func `similar names are reported`() throws {
    let workplace = try Workplace()
    try write(
      ["Nodes.csv.gz", "things.csv.gz.part", "labels.csv.gz.1", "OWNERS.CSV"], to: workplace)
    let error = try #require(load(workplace, Family.schema).error)
    #expect(error.kind == .inputMissing && error.code == .file(.fileMissing))
    #expect(
      error.message == """
        \(workplace.path)/dumps: missing source files: nodes.csv.gz, things.csv.gz, labels.csv.gz, \
        owners.csv.gz. Found Nodes.csv.gz: if this is the file, rename it to nodes.csv.gz. \
        things.csv.gz.part is an incomplete download: wait for it to finish, or download it again. Found \
        labels.csv.gz.1: if this is the file, rename it to labels.csv.gz. Found OWNERS.CSV: if this is the \
        file, rename it to owners.csv. Download the missing files, or leave the tables empty with \
        --allow-missing TABLE.
        """)
  }

  @Test func `a hint is printed once, not for every table`() throws {
    let workplace = try Workplace()
    let tables = RebrickableCatalog.schema.tables.map(\.name)
    try write(tables.map { $0 + ".csv.part" }, to: workplace)
    let message = try #require(load(workplace, RebrickableCatalog.schema).error?.message)
    #expect(message.components(separatedBy: "is an incomplete download").count == 5)
    #expect(message.contains("8 more files like this. Download "), "\(message)")
  }

  @Test(arguments: [("..", "dumps"), ("empty", "..")])
  func `the likely folder is suggested`(from: String, expected: String) throws {
    let workplace = try Family.workplace()
    let source = "\(workplace.path)/dumps/\(from)"
    try makeFolder(workplace.path + "/dumps/empty")
    for allowedMissing in [AllowedMissing.tables([]), .all] {
      let outcome = load(workplace, Family.schema, allowedMissing: allowedMissing) {
        $0.source = source
      }
      #expect(outcome.error?.kind == .inputMissing)
      let words = " Found source files in \(source)/\(expected): is this the folder? "
      #expect(outcome.error?.message.contains(words) == true, "\(outcome)")
    }
  }
}
