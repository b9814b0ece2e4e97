import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Entries of the source folder that are not source files, and unusual names.
@Suite struct HostileFileTests {
  private static let header = "id,name,parent_id\n"

  /// A script that creates an entry instead of `themes.csv.gz`, and the expected message.
  @Test(
    arguments: [
      ("mkdir themes.csv.gz", "Is a directory"),
      ("mkdir themes.csv", "Is a directory"),
      ("mkfifo themes.csv.gz", "not a regular file: a pipe or a device"),
      ("mkfifo themes.csv", "not a regular file: a pipe or a device"),
      ("ln -s /dev/zero themes.csv", "not a regular file: a pipe or a device"),
      ("ln -s /dev/zero themes.csv.gz", "not a regular file: a pipe or a device"),
      ("ln -s /dev/random themes.csv", "not a regular file: a pipe or a device"),
      ("ln -s /dev/stdin themes.csv", "not a regular file: a pipe or a device"),
      ("ln -s themes.csv themes.csv", "Too many levels of symbolic links"),
      ("ln -s nowhere themes.csv.gz", "No such file or directory"),
      (
        "\(Tool.pythonPath) -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"themes.csv\")'",
        "not a regular file: a pipe or a device"
      ),
    ])
  func `a source that is not a regular file is refused`(script: String, message: String) throws {
    let command = try Command()
    let dumps = try command.makeDumps([:])
    let made = try ChildProcess("/bin/sh", ["-c", script], folder: dumps).run()
    guard made.status == 0 else { try Test.cancel("this cannot be made here: \(made)") }
    let result = try command.load(dumps, "--allow-missing", "all", status: 66)
    #expect(
      result.errors.contains("\ningest: file-unreadable: \(dumps)/themes.csv")
        && result.errors.contains(message), "\(result)")
    #expect(try command.names() == ["dumps"])
    // A file without a table only produces a warning.
    try command.shell("cd dumps && mv -T themes.csv* unknown.csv; : >themes.csv")
    let other = try command.makeDumps(["themes.csv": Array(Self.header.utf8)])
    let unknown = try command.load(other, "--allow-missing", "all", status: 0)
    #expect(unknown.errors.contains("file-unknown: files without a table, not loaded; line"))
  }

  @Test func `no name controls a terminal`() throws {
    let command = try Command()
    let report = [command.folder + "/r.json", command.folder + "/r.html"]
    let names = [
      "a\nb.csv", "a\u{1b}]0;title\u{7}\u{1b}[31m.csv", "a\u{202e}vsc.csv", "a\u{9b}31m.csv",
      "a\u{7f}\r.csv", "<script>alert(1)</script>.csv", "'; DROP TABLE sets;--.csv",
      String(repeating: "x", count: 251) + ".csv", "\u{e0001}.csv", "\\x1b.csv",
    ]
    var files = [
      "themes.csv": Array(("\u{1b}[2J\u{9b}2J\u{202e}," + Self.header + "x,1,a,\n").utf8)
    ]
    for name in names.dropLast(2) where !name.contains("/") { files[name] = Array("a\n".utf8) }
    let dumps = try command.makeDumps(files)
    // A name of bytes that are not UTF-8.
    try command.shell("printf 'a\\n' >\"$(printf 'dumps/\\377\\033.csv')\"")
    let moved = command.folder + "/d\u{1b}[31m\u{9b}1m"
    try FileManager.default.moveItem(atPath: dumps, toPath: moved)
    let options = ["--allow-missing", "all", "--report", report[0], "--report", report[1]]
    let result = try command.run(
      ["--source", moved, "--out", command.catalog] + options, status: 0)
    #expect(result.errors.contains("    file-unknown a\\nb.csv\n"), "\(result)")
    let texts = try report.map { try String(contentsOfFile: $0, encoding: .utf8) }
    for text in [result.output, result.errors] + texts { #expect(controls(in: text) == []) }
    #expect(!texts[1].contains("<script>alert"))
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(texts[0].utf8)) as? [String: Any])
    let files2 = try #require(json["files"] as? [[String: Any]])
    // Escaping does not change the stored name.
    #expect(
      files2[0]["header"] as? [String] == ["\u{1b}[2J\u{9b}2J\u{202e}", "id", "name", "parent_id"])
    // The same in failures and usage errors.
    let missing = try command.run(["--source", moved + "\nx", "--out", command.catalog])
    #expect(missing.status == 66 && controls(in: missing.errors) == [], "\(missing)")
    #expect(missing.errors.split(separator: "\n").count == 3, "\(missing)")
    let usage = try command.run(["--source", moved, "--\u{1b}[31m\n"])
    #expect(usage.status == 64 && controls(in: usage.errors) == [], "\(usage)")
  }

  @Test func `a folder with many other files is handled`() throws {
    let command = try Command()
    let dumps = try command.makeDumps(["themes.csv": Array(Self.header.utf8)])
    try command.shell(
      "cd dumps && seq -f 'f%.0f.csv' 3000 | xargs touch && seq -f 'f%.0f' 20000 | xargs touch")
    let result = try command.load(dumps, "--allow-missing", "all", status: 0)
    let lines = result.errors.split(separator: "\n").filter { $0.contains("    file-unknown ") }
    #expect(lines.count == 51, "\(lines.count) lines")
    #expect(lines.last?.hasSuffix(".csv: and 2,949 more") == true)
  }

  /// On tmpfs, a file can have a size of nearly 8 EiB.
  @Test func `a sparse file of any size is handled`() throws {
    let command = try Command()
    let dumps = "/dev/shm/ingest-hostile-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: dumps) }
    let script = """
      mkdir "$0" && cd "$0" && truncate -s 4E x.csv.gz y.csv && printf 'id,name\\n' >themes.csv
      """
    let made = try ChildProcess("/bin/sh", ["-c", script, dumps]).run()
    guard made.status == 0 else { try Test.cancel("/dev/shm does not take such files here") }
    try command.load(dumps, "--allow-missing", "all", status: 0)
  }

  @Test func `a member's name never becomes a path`() throws {
    let command = try Command()
    let header: [UInt8] = [0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]
    let member = gzipMember(Array((Self.header + "1,a,\n").utf8))
    let name = Array("../../../../tmp/../evil\u{1b}[31m/\n".utf8) + [0]
    let dumps = try command.makeDumps(["themes.csv.gz": header + name + member.dropFirst(10)])
    let report = command.folder + "/r.json"
    let result = try command.load(
      dumps, "--allow-missing", "all", "--report", report, "-v", status: 0)
    #expect(controls(in: result.output + result.errors) == [])
    #expect(try command.names() == ["catalog.sqlite", "dumps", "r.json"])
    #expect(
      try command.rows("SELECT gzip_original_name FROM ingest_sources")
        == [["../../../../tmp/../evil\\x1b[31m/\\n"]])
  }

  /// The paths that are written to, in and around the source folder.
  @Test(
    arguments: [
      (["--out", "dumps/c.sqlite"], 0, "c.sqlite"),
      (["--out", "dumps/unknown.csv"], 0, "unknown.csv"),
      (["--out", "dumps/themes.csv"], 73, ""),
      (["--out", "dumps/c.sqlite", "--rejects", "dumps/r"], 0, "c.sqlite"),
      (["--out", "c.sqlite", "--rejects", "dumps"], 73, ""),
      (["--out", "c.sqlite", "--rejects", "."], 64, ""),
      (["--out", "c.sqlite", "--report", "dumps/r.json"], 0, "r.json"),
      (["--out", "dumps"], 73, ""),
      (["--out", "dumps/"], 73, ""),
    ] as [([String], Int32, String)])
  func `files written beside the source files do not harm them`(
    options: [String], status: Int32, name: String
  ) throws {
    let command = try Command()
    _ = try command.makeDumps(["themes.csv": Array((Self.header + "1,a,\n").utf8)])
    let whole = ["--source", "dumps", "--allow-missing", "all"] + options
    for _ in 0..<2 {
      try command.run(whole, status: status)
    }
    let dump = command.folder + "/dumps/themes.csv"
    #expect(try String(contentsOfFile: dump, encoding: .utf8) == Self.header + "1,a,\n")
    let names = try FileManager.default.contentsOfDirectory(atPath: command.folder + "/dumps")
    #expect(Set(names) == Set(["themes.csv"] + (name.isEmpty ? [] : [name])))
  }

}
