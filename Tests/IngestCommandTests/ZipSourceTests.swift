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

  @Test(arguments: [
    "each-pipe", "short-stored", "wide-folder", "wide-pipe-comment", "stored-pipe-mac", "prefix",
    "all",
    "all-stored-prefix-mac", "all-wide-pipe-folder-comment",
  ])
  func `the database has the same rows as from gzip files`(kind: String) throws {
    let command = try Command()
    let source = try Self.makeArchives(kind, for: command)
    let result = try command.load(source)
    #expect(result.status == 0 && result.errors == "", "\(result)")
    try FixtureCatalog.today.put(at: command.folder + "/gzip.sqlite")
    let diff = try command.run(["diff", command.catalog, command.folder + "/gzip.sqlite"])
    #expect(diff.status == 0, "\(diff)")
    #expect(try command.load(source, "--if-changed").output.contains(": unchanged, "))
    // As read by unzip, with the times from Python.
    let connection = try Connection(command.catalog, opening: .readOnly)
    let list = """
      import glob, zipfile
      for path in sorted(glob.glob("dumps*") + glob.glob("dumps/*")):
        if path.endswith(".zip"):
          for info in zipfile.ZipFile(path).infolist():
            if not info.filename.endswith("/") and "MACOSX" not in info.filename:
              print(info.compress_size, "%08x" % info.CRC, info.filename, "%d-%02d-%02d %02d:%02d:%02d" % info.date_time)
      """
    let listed = try ChildProcess(Tool.pythonPath, ["-c", list], folder: command.folder).run()
    let stored = try connection.value(
      of: """
        SELECT group_concat(size || ' ' || crc32 || ' ' || zip_name || ' '
          || datetime(zip_local_time, 'unixepoch') || coalesce(gzip_members, '') || char(10), '')
        FROM (SELECT * FROM ingest_sources ORDER BY file_name)
        """)
    #expect(stored == .text(listed.output))
  }

  @Test func `a changed archive is loaded again`() throws {
    for kind in ["each", "all"] {
      let command = try Command()
      let source = try Self.makeArchives(kind, for: command)
      #expect(try command.load(source).status == 0)
      try FileManager.default.removeItem(atPath: command.folder + "/" + source)
      _ = try Self.makeArchives(kind, shifting: "themes", for: command)
      let again = try command.load(source, "--if-changed")
      #expect(!again.output.contains(": unchanged, "))
      // Two hours are too long for source files of one day.
      #expect(
        again.errors.contains(
          "mixed-generations: themes.csv\(kind == "all" ? "" : ".zip"): compressed at 2025-04-01T05:08:10, but colors.csv\(kind == "all" ? "" : ".zip") at "
            + "2025-04-01T07:08:10: "), "\(again)")
    }
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
    let result = try command.load(source, "--max-rejects=1")
    #expect(result.status == 3, "\(result)")
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
    let night = try command.repairAndLoad(source)
    #expect(night.status == 0, "\(night)")
    let connection = try Connection(command.catalog, opening: .readOnly)
    #expect(try connection.value(of: "SELECT name FROM themes WHERE id = 9998") == .text("y"))
  }

  /// A Python script that writes `dumps/themes.csv.zip` or `dumps.zip`, and the expected message.
  static let faults: [(script: String, status: Int32, message: String)] = [
    (
      "write('dumps/themes.csv.zip', {})", 66,
      "file-missing: dumps/themes.csv.zip: no file in the archive; expected one. Download it again."
    ),
    (
      "write('dumps/themes.csv.zip', {'a': b'1', 'b/c\\n': b'2'})", 65,
      #"file-ambiguous: dumps/themes.csv.zip: 2 files in the archive; expected one. The first two are "a" and "b/c\n". "#
    ),
    (
      "write('dumps/themes.csv.zip', {'a': b'1'}, zipfile.ZIP_BZIP2)", 65,
      "zip-unsupported: dumps/themes.csv.zip: is compressed by method 12. Only stored or deflated files without a password, "
        + "in an archive of one part, are supported. Unpack it, and load its files."
    ),
    (
      "write('dumps/themes.csv.zip', {'a': b'1'}, cut=9)", 65,
      "zip-truncated: dumps/themes.csv.zip: the end of the ZIP archive is missing: the file is empty, truncated, "
    ),
    (
      "write('dumps/themes.csv.zip', {'a': b'1' * 99}, flip=31)", 65,
      "zip-corrupt: dumps/themes.csv.zip: damaged: incorrect data check, at byte 130 of the archive."
    ),
    (
      "write('dumps/themes.csv.zip', {'a': b''})", 65,
      "header-missing: dumps/themes.csv.zip: line 1: no header: the file is empty."
    ),
    (
      "write('dumps/themes.csv.zip', {'a': b'1'}); write('dumps/themes.zip', {'a': b'1'})", 65,
      "file-ambiguous: dumps: two files for one table: themes.csv.zip and themes.zip. "
    ),
    (
      "write('dumps.zip', {'themes.csv': b'1' * 99}, flip=40)", 65,
      "zip-corrupt: dumps.zip/themes.csv: damaged: incorrect data check"
    ),
    (
      "write('dumps.zip', {'../themes.csv': b'1'})", 65,
      #"zip-corrupt: dumps.zip: a file in the archive is named "../themes.csv", a path that leads outside it. "#
    ),
    (
      "write('dumps.zip', {'a/themes.csv': b'1', 'b\\n/themes.csv': b'1'})", 65,
      #"file-ambiguous: dumps.zip: source files in 2 folders: "a/", "b\n/". "#
    ),
    (
      "write('dumps.zip', {'themes.csv': b'1'}, cut=1)", 65,
      "zip-truncated: dumps.zip: the end of the ZIP archive is missing"
    ),
    (
      "open('dumps.zip', 'w').write('<html>')", 65,
      "not-zip: dumps.zip: neither a folder of source files nor a ZIP archive of them, although its name ends in .zip. "
    ),
    (
      "write('dumps.zip', {'read.me': b'1'})", 66,
      "file-missing: dumps.zip: no source files found. Check --source."
    ),
    (
      "import warnings; warnings.simplefilter('ignore'); write('dumps.zip', {'themes.csv': b'1', 'themes.cs': b'1'}, again='themes.csv')",
      65, #"zip-corrupt: dumps.zip: two files in the archive are named "themes.csv""#
    ),
    (
      "write('dumps/x.zip', {'themes.csv': b'1'})", 66,
      "If this archive contains the source files, use it: --source dumps/x.zip. Check --source."
    ),
  ]

  @Test(arguments: faults.indices) func `an unusable archive is reported`(index: Int)
    throws
  {
    let fault = Self.faults[index]
    let command = try Command()
    let script = """
      import os, zipfile
      os.mkdir("dumps")
      def write(path, files, method=zipfile.ZIP_STORED, cut=0, flip=None, again=None):
        with zipfile.ZipFile(path, "w", method) as archive:
          for name, data in files.items():
            archive.writestr(name, data)
          if again: archive.writestr(again, b"")
        data = bytearray(open(path, "rb").read())
        if flip: data[flip] ^= 1
        open(path, "wb").write(data[:len(data) - cut])
      \(fault.script)
      """
    let made = try ChildProcess(Tool.pythonPath, ["-c", script], folder: command.folder).run()
    try #require(made.status == 0, "\(made)")
    let source = fault.script.contains("'dumps.zip'") ? "dumps.zip" : "dumps"
    let result = try command.load(source, "--allow-missing=all")
    #expect(result.status == fault.status, "\(result)")
    #expect(result.errors.contains(fault.message), "\(result)")
  }

  @Test func `similar names in an archive are reported`() throws {
    let command = try Command()
    let script = """
      import zipfile
      with zipfile.ZipFile("dumps.zip", "w") as archive:
        for name in ["Sets.csv", "parts.csv.gz", "themes.csv", "news.csv"]: archive.writestr(name, b"id,name\\n")
      """
    #expect(
      try ChildProcess(Tool.pythonPath, ["-c", script], folder: command.folder).run().status == 0
    )
    let result = try command.load("dumps.zip")
    #expect(result.status == 66)
    #expect(
      result.errors.contains(" Found Sets.csv: if this is the file, rename it to sets.csv. "),
      "\(result)")
    #expect(
      result.errors.contains(
        " Found parts.csv.gz, but in an archive the file must be named parts.csv: unpack the archive, and "
          + "pass its folder to --source. "), "\(result)")
    let allowed = try command.load("dumps.zip", "--allow-missing=all")
    #expect(allowed.errors.contains("    file-unknown news.csv\n"), "\(allowed)")
  }
}
