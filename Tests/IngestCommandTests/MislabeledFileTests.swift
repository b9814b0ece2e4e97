import Foundation
import TestSupport
import Testing

/// Files with misleading names, and folders without source files.
@Suite struct MislabeledFileTests {
  private static let notGzip = "not a gzip file, although its name ends in .gz: "
  private static let notZip = "not a ZIP archive, although its name ends in .zip: "

  /// The name of a file, its bytes, and a part of the message.
  static let files: [(name: String, bytes: [UInt8], message: String)] = [
    (
      "parts.csv.gz", [0x50, 0x4b, 3, 4, 20, 0],
      notGzip + "this is a ZIP archive. Rename it to parts.csv.zip."
    ),
    (
      "parts.csv.gz", Array("\n<!DOCTYPE HTML><title>404</title>\n".utf8),
      notGzip
        + #"this is a web page (it begins with "<!DOCTYPE HTML><title>404</title>"), not the file "#
        + "itself. Check the address, and download the file again."
    ),
    (
      "parts.csv.gz", Array("part_num,name\r\n1,a\r\n".utf8),
      notGzip
        + #"this is plain text (it begins with "part_num,name"). If it is the source file, rename it to "#
        + "parts.csv; otherwise download it again."
    ),
    (
      "parts.csv.gz", [1, 2, 3],
      notGzip + "it does not begin with the bytes 1f 8b. Download the file again."
    ),
    (
      "parts.csv.zip", [0x1f, 0x8b, 8, 0],
      notZip + "this is a gzip file. Rename it to parts.csv.gz."
    ),
    (
      "parts.zip", Array("<html>\n".utf8),
      notZip + #"this is a web page (it begins with "<html>"), not the file itself. "#
    ),
    ("parts.zip", Array("part_num\n".utf8), "If it is the source file, rename it to parts.csv; "),
    ("parts.zip", [1, 2, 3], notZip + "it does not end like one. Download the file again."),
    (
      "parts.csv", [0x1f, 0x8b, 8, 0, 0xff],
      " Judging by its first bytes, this is a gzip file. Rename it to parts.csv.gz."
    ),
    (
      "parts.csv", [0x50, 0x4b, 3, 4, 0xff],
      " Judging by its first bytes, this is a ZIP archive. Rename it to parts.csv.zip."
    ),
    (
      "parts.csv", Array("<html>\n".utf8),
      #" Judging by its first bytes, this is a web page (it begins with "<html>"), "#
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
      ingest: file-missing: \(dumps.path): missing source files: themes.csv.gz, colors.csv.gz, \
      parts.csv.gz, sets.csv.gz. Found THEMES.CSV: if this is the file, rename it to themes.csv. Found \
      colors.csv.gz.1: if this is the file, rename it to colors.csv.gz. parts.csv.gz.part is an \
      incomplete download: wait for it to finish, or download it again. Found Sets.csv.gz: if this is \
      the file, rename it to sets.csv.gz. Download the missing files, or leave the tables empty with \
      --allow-missing TABLE.

      """
    #expect(result.errors.hasSuffix(message), "\(result)")
  }

  @Test func `a hint is printed once, not for every table`() throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    #expect(try command.shell("cd dumps && for f in *; do mv $f $f.part; done", []) == 0)
    let result = try command.load(dumps.path)
    #expect(result.status == 66)
    #expect(result.errors.components(separatedBy: "is an incomplete download").count == 5)
    #expect(result.errors.contains("8 more files like this. Download "), "\(result)")
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
          " Found source files in \(source)/\(expected): is this the folder? "), "\(result)")
    }
  }
}
