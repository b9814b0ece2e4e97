import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Source files in ZIP archives made by Python's `zipfile`.
@Suite(.needs(.python)) struct ZipSourceTests {
  /// Creates archives of the fixtures in the command's folder, and returns the source.
  private static func makeArchives(
    _ kind: String, shifting tables: String..., for command: Command
  ) throws -> String {
    let system = Command.package + "/Tests/System"
    let words = [system, "SourceFiles.archives", Command.fixtures + "/dumps", kind] + tables
    let outcome = try ChildProcess(Tool.pythonPath, words, folder: command.folder).run()
    try #require(outcome.status == 0, "\(outcome)")
    return kind.contains("all") ? "dumps.zip" : "dumps"
  }

  @Test(arguments: ["each-pipe", "prefix", "all-wide-pipe-folder-comment"])
  func `the database has the same rows as from gzip files`(kind: String) throws {
    let command = try Command()
    let source = try Self.makeArchives(kind, for: command)
    let result = try command.load(source)
    #expect(result.status == 0 && result.errors == "", "\(result)")
    try FixtureCatalog.today.put(at: command.folder + "/gzip.sqlite")
    try command.run(["diff", command.catalog, command.folder + "/gzip.sqlite"], status: 0)
    #expect(try command.load(source, "--if-changed").output.contains(": unchanged, "))
    // As read by unzip, with the times from Python.
    let list = """
      import glob, zipfile
      for path in sorted(glob.glob("dumps*") + glob.glob("dumps/*")):
        if path.endswith(".zip"):
          for info in zipfile.ZipFile(path).infolist():
            if not info.filename.endswith("/") and "MACOSX" not in info.filename:
              print(info.compress_size, "%08x" % info.CRC, info.filename, "%d-%02d-%02d %02d:%02d:%02d" % info.date_time)
      """
    let listed = try ChildProcess(Tool.pythonPath, ["-c", list], folder: command.folder).run()
    let stored = try command.rows(
      """
      SELECT group_concat(size || ' ' || crc32 || ' ' || zip_name || ' '
        || datetime(zip_local_time, 'unixepoch') || coalesce(gzip_members, '') || char(10), '')
      FROM (SELECT * FROM ingest_sources ORDER BY file_name)
      """)
    #expect(stored == [[.text(listed.output)]])
  }

  @Test func `a changed archive is loaded again`() throws {
    let command = try Command()
    let source = try Self.makeArchives("all", for: command)
    #expect(try command.load(source).status == 0)
    try FileManager.default.removeItem(atPath: command.folder + "/" + source)
    _ = try Self.makeArchives("all", shifting: "themes", for: command)
    let again = try command.load(source, "--if-changed")
    #expect(!again.output.contains(": unchanged, "))
    // Two hours are too long for source files of one day.
    #expect(
      again.errors.contains(
        "mixed-generations: themes.csv: compressed at 2025-04-01T05:08:10, but colors.csv at "
          + "2025-04-01T07:08:10: "), "\(again)")
  }

  @Test(arguments: ["each", "all"])
  func `rejected records are kept with their place, and repaired`(kind: String) throws {
    let command = try Command()
    let source = try Self.makeArchives(kind, for: command)
    let change = """
      import sys, zipfile
      path, copy = sys.argv[1], sys.argv[1] + ".new"
      with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
          text = old.read(name)
          new.writestr(name, text + (b"x,y,\\n" if "themes" in name else b""))
      import os; os.rename(copy, path)
      """
    let file = kind == "all" ? source : "dumps/themes.csv.zip"
    #expect(
      try ChildProcess(Tool.pythonPath, ["-c", change, file], folder: command.folder).run()
        .status == 0)
    let name = kind == "all" ? "themes.csv" : "themes.csv.zip"
    let result = try command.load(source, "--max-rejects=1", status: 3)
    #expect(
      result.errors.contains("\n\(name):")
        && result.errors.contains("column id: not-an-integer: \"x\""),
      "\(result)")
    let rejects = command.catalog + ".rejects"
    #expect(
      try String(contentsOfFile: rejects + "/themes.csv", encoding: .utf8)
        == "id,name,parent_id\r\nx,y,\n")
    try "id,name,parent_id\n9998,y,\n".write(
      toFile: rejects + "/themes.csv", atomically: true, encoding: .utf8)
    try command.repairAndLoad(source, status: 0)
    #expect(try command.rows("SELECT name FROM themes WHERE id = 9998") == [["y"]])
  }
}
