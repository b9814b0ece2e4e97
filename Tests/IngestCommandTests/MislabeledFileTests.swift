import Foundation
import TestSupport
import Testing

/// Files with misleading names, and folders without source files.
@Suite struct MislabeledFileTests {
  private static let notGzip = "not a gzip file, though its name ends in .gz: "
  private static let notZip = "not a ZIP archive, though its name ends in .zip: "

  /// The name of a file, its bytes, and a part of the message.
  static let files: [(name: String, bytes: [UInt8], message: String)] = [
    (
      "parts.csv.gz", [0x50, 0x4b, 3, 4, 20, 0],
      notGzip + "this is a ZIP archive. Name it parts.csv.zip."
    ),
    (
      "parts.csv.gz", Array("\n<!DOCTYPE HTML><title>404</title>\n".utf8),
      notGzip
        + #"this is a page of a web server (it begins with "<!DOCTYPE HTML><title>404</title>"), "#
        + "as one sends in place of a file. Check the address, and download the file again."
    ),
    (
      "parts.csv.gz", Array("part_num,name\r\n1,a\r\n".utf8),
      notGzip
        + #"this is plain text (it begins with "part_num,name"). If that is the dump, name it "#
        + "parts.csv; otherwise download it again."
    ),
    (
      "parts.csv.gz", [1, 2, 3],
      notGzip + "it does not begin with the bytes 1f 8b. Download the file again."
    ),
    (
      "parts.csv.zip", [0x1f, 0x8b, 8, 0],
      notZip + "this is a gzip file. Name it parts.csv.gz."
    ),
    (
      "parts.zip", Array("<html>\n".utf8),
      notZip + #"this is a page of a web server (it begins with "<html>"), "#
    ),
    ("parts.zip", Array("part_num\n".utf8), "If that is the dump, name it parts.csv; "),
    ("parts.zip", [1, 2, 3], notZip + "it does not end as one does. Download the file again."),
    (
      "parts.csv", [0x1f, 0x8b, 8, 0, 0xff],
      " By its first bytes this is a gzip file. Name it parts.csv.gz."
    ),
    (
      "parts.csv", [0x50, 0x4b, 3, 4, 0xff],
      " By its first bytes this is a ZIP archive. Name it parts.csv.zip."
    ),
    (
      "parts.csv", Array("<html>\n".utf8),
      #" By its first bytes this is a page of a web server (it begins with "<html>"), "#
    ),
  ]

  @Test(arguments: files.indices) func `messages use the name of the file`(index: Int) throws {
    let file = Self.files[index]
    let command = try Command()
    let dumps = try command.makeDumps([file.name: file.bytes])
    let result = try command.load(dumps, "--allow-missing", "all")
    #expect(result.status == 65)
    #expect(result.errors.contains(file.message), "\(result)")
  }

  @Test func `similar names are reported`() throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    let script = """
      cd dumps && mv sets.csv.gz Sets.csv.gz && mv parts.csv.gz parts.csv.gz.part &&
        mv colors.csv.gz colors.csv.gz.1 && mv themes.csv.gz THEMES.CSV
      """
    #expect(try command.shell(script, []) == 0)
    let result = try command.load(dumps.path)
    #expect(result.status == 66)
    let message = """
      ingest: file-missing: \(dumps.path): not there: themes.csv.gz, colors.csv.gz, parts.csv.gz, \
      sets.csv.gz. There is THEMES.CSV: if that is meant, name it themes.csv. There is \
      colors.csv.gz.1: if that is meant, name it colors.csv.gz. parts.csv.gz.part is an unfinished \
      download: wait for its end, or download it again. There is Sets.csv.gz: if that is meant, name \
      it sets.csv.gz. Download what is missing, or leave the tables empty with --allow-missing TABLE.

      """
    #expect(result.errors.hasSuffix(message), "\(result)")
  }

  @Test func `a hint is printed once, not for every table`() throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    #expect(try command.shell("cd dumps && for f in *; do mv $f $f.part; done", []) == 0)
    let result = try command.load(dumps.path)
    #expect(result.status == 66)
    #expect(result.errors.components(separatedBy: "is an unfinished download").count == 5)
    #expect(result.errors.contains("There is more like that: 8 files. Download "), "\(result)")
  }

  @Test(arguments: [("..", "dumps"), ("empty", "..")])
  func `the likely folder is suggested`(from: String, expected: String) throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    let source = dumps.path + "/" + from
    try FileManager.default.createDirectory(
      atPath: dumps.path + "/empty", withIntermediateDirectories: false)
    for options in [[], ["--allow-missing", "all"]] {
      let result = try command.run(["--source", source, "--out", command.catalog] + options)
      #expect(result.status == 66)
      #expect(
        result.errors.contains(
          " There are dumps in \(source)/\(expected): is that the folder? "), "\(result)")
    }
  }
}
