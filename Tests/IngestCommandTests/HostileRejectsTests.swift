import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Rejects folders with arbitrary contents.
@Suite struct HostileRejectsTests {
  private static let header = "id,name,parent_id\n"
  private static let manifest = "table,file,size,crc32,bytes,records,rejected,replaced\n"

  /// An edited manifest, the status, and part of the message.
  @Test(
    arguments: [
      ("themes,themes.csv,1,00000000,1,1,9223372036854775807,0\n", 65, "themes.reasons.csv"),
      ("themes,themes.csv,1,00000000,1,2,0,9223372036854775807\n", 66, "themes.replaced.csv"),
      (
        "sets,sets.csv,1,00000000,1,1,9223372036854775807,9223372036854775807\n", 65,
        "source file \"sets.csv\" is missing"
      ),
      ("themes,themes.csv,99999999999999999999,00000000,1,1,1,0\n", 65, "size is"),
      ("themes,themes.csv,1,00000000,1,1,-1,0\n", 65, "rejected is \"-1\", expected a number"),
      ("themes,themes.csv,1,+0000000,1,2,1,0\n", 65, "not the source file"),
      ("../../etc/passwd,x.csv,1,00000000,1,1,1,0\n", 65, "unknown table"),
      ("themes,../../etc/passwd,1,00000000,1,1,1,0\n", 65, "come from another file"),
      ("\u{1b}[31m,\u{1b},1,00000000,1,1,1,0\n", 65, "unknown table \"\\x1b[31m\""),
      ("themes\n", 65, "not a CSV record of 8 fields"),
      ("themes,\"x", 65, "ends inside quotes"),
      (
        String(repeating: "themes,x.csv,1,00000000,1,1,0,0\n", count: 10_001), 65,
        "the end of the list"
      ),
    ] as [(String, Int32, String)])
  func `a manifest is not trusted`(entries: String, status: Int32, message: String) throws {
    let (command, dumps) = try prepare()
    let folder = command.catalog + ".rejects"
    try command.write("catalog.sqlite.rejects/manifest.csv", Self.manifest + entries)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let result = try command.run(repair(command, dumps), status: status)
    #expect(result.errors.contains(message) && controls(in: result.errors) == [], "\(result)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
    #expect(!FileManager.default.fileExists(atPath: command.folder + "/repairs"))
  }

  /// Record numbers that do not match the source file.
  @Test(
    arguments: [
      ("9223372036854775807", 65), ("0", 65), ("-1", 65), ("18446744073709551616", 65),
      ("1\nthemes.csv,1\nthemes.csv,2", 65), ("3", 65),
      ("2\nthemes.csv,1", 65),
    ] as [(String, Int32)])
  func `the list of reasons is validated`(numbers: String, status: Int32) throws {
    let (command, dumps) = try prepare()
    try command.write(
      "catalog.sqlite.rejects/themes.reasons.csv", "file,record\nthemes.csv,\(numbers)\n")
    let result = try command.run(repair(command, dumps))
    #expect(result.status == status && controls(in: result.errors) == [], "\(result)")
    #expect(!FileManager.default.fileExists(atPath: command.folder + "/repairs"))
  }

  @Test(arguments: ["manifest.csv", "themes.csv", "themes.reasons.csv"])
  func `a pipe is refused, not waited for`(name: String) throws {
    let (command, dumps) = try prepare()
    let path = command.catalog + ".rejects/" + name
    try FileManager.default.removeItem(atPath: path)
    try command.shell("mkfifo \"$1\"", [path])
    let result = try command.run(repair(command, dumps))
    let message = "not a regular file: a pipe or a device"
    #expect(result.status == 66 && result.errors.contains(message), "\(result)")
  }

  @Test(.enabled(if: LongTests.areOn, "LONG_TESTS is not set"))
  func `a long list uses little memory`() throws {
    let (command, dumps) = try prepare()
    let large = "\"" + String(repeating: "a", count: 60_000_000) + "\""
    try command.write("catalog.sqlite.rejects/manifest.csv", Self.manifest + large)
    let run = try command.measure(repair(command, dumps), status: 65)
    #expect(run.peakBytes < Command.memoryLimit)
  }

  @Test(.enabled(if: LongTests.areOn, "LONG_TESTS is not set"))
  func `record numbers use little memory`() throws {
    let (command, dumps) = try prepare()
    let count = 20_000_000
    let entry = "themes,themes.csv,28,00000000,28,\(2 * count),\(count),0\n"
    try command.write("catalog.sqlite.rejects/manifest.csv", Self.manifest + entry)
    let script = "(echo file,record; seq -f themes.csv,%.0f 1 2 \(2 * count)) >\"$1\""
    try command.shell(script, [command.catalog + ".rejects/themes.reasons.csv"])
    let run = try command.measure(repair(command, dumps), isLong: true, status: 65)
    #expect(run.peakBytes < 100 << 20)
  }

  private func repair(_ command: Command, _ dumps: String) -> [String] {
    [
      "repair", "--source", dumps, "--rejects", command.catalog + ".rejects", "--repairs",
      command.folder + "/repairs",
    ]
  }

  /// A run with a rejected record, which was edited since.
  private func prepare() throws -> (Command, String) {
    let command = try Command()
    let dumps = try command.makeDumps(["themes.csv": Array((Self.header + "1,a,\nx,b,\n").utf8)])
    #expect(try command.load(dumps, "--allow-missing", "all").status == 65)
    try command.write("catalog.sqlite.rejects/themes.csv", Self.header + "2,b,\n")
    return (command, dumps)
  }
}
