import Foundation
import TestSupport
import Testing

/// Source files with keys made to use memory or time.
@Suite struct HostileKeyTests {
  private static let parts = "part_num,name,part_cat_id,part_material\n"
  private static let themes = "id,name,parent_id\n"

  @Test func `keys of megabytes are rejected one by one`() throws {
    let command = try Command()
    let key = String(repeating: "a", count: 1 << 20)
    let lines = (0..<100).map { "\($0)\(key),n,1,Plastic\n" }.joined()
    let dumps = try command.makeDumps([
      "parts.csv.gz": gzipMember(Array((Self.parts + lines + "1,n,1,Plastic\n").utf8)),
      "part_categories.csv": Array("id,name\n1,a\n".utf8),
    ])
    let run = try command.measure(loading: dumps, "--max-rejects=100", status: 3)
    #expect(run.result.errors.contains("column part_num: key-too-long: \"0aaa"), "\(run.result)")
    #expect(run.peakBytes < 100 << 20)
  }

  /// A source file whose keys use more than 1 MB.
  @Test(arguments: ["parts", "themes"])
  func `the key memory limit can be raised`(table: String) throws {
    let command = try Command()
    let dumps = try dumps(of: table, records: 30_000, command)
    let options = ["--source", dumps, "--out", command.catalog, "--allow-missing", "all"]
    let refused = try command.measure(options + ["--max-key-memory", "1M"], status: 65)
    #expect(
      refused.result.errors.contains("ingest: key-memory-exceeded: \(table).csv"),
      "\(refused.result)")
    #expect(
      refused.result.errors.contains("raise the limit: --max-key-memory 2M"), "\(refused.result)")
    #expect(try command.names() == ["dumps"])
    try command.run(options + ["--max-key-memory=100M"], status: 0)
  }

  @Test(
    .enabled(if: LongTests.areOn, "LONG_TESTS is not set"),
    arguments: [("parts", 2_000_000), ("themes", 4_000_000)])
  func `any number of keys uses bounded memory`(table: String, records: Int) throws {
    let command = try Command()
    let dumps = try dumps(of: table, records: records, command)
    let run = try command.measure(
      ["--source", dumps, "--dry-run", "--allow-missing", "all"], isLong: true, status: 65)
    #expect(run.result.errors.contains("key-memory-exceeded"), "\(run.result)")
    #expect(run.peakBytes < Command.memoryLimit)
    print("bomb of \(records) keys of \(table): \(run.peakBytes >> 20) MiB of memory")
  }

  /// The first 96 MB of sorted entries are stored in the memory file system, the rest on the disk.
  @Test(
    .enabled(if: LongTests.areOn, "LONG_TESTS is not set"), .needs(.strace),
    arguments: [(10_000, ["/dev/shm/"]), (110_000, ["/dev/shm/", "/var/tmp/"])])
  func `memory for sorting is bounded`(records: Int, folders: [String]) throws {
    let command = try Command()
    let dumps = try dumps(of: "parts", records: records, digits: 1000, command)
    let trace = command.folder + "/trace"
    let run = try command.start(
      [
        "--source", dumps, "--out", command.catalog, "--allow-missing", "all", "--quiet",
        "--max-key-memory=400M",
      ],
      by: ["/usr/bin/env", "-u", "TMPDIR", "-u", "SQLITE_TMPDIR", "strace", "-f", "-qq"]
        + ["-o", trace, "-e", "openat"])
    #expect(try run.outcome().status == 0)
    let opened = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("/ingest_") || $0.contains("/etilqs_") }
    #expect(opened.count == folders.count)
    for (opening, folder) in zip(opened, folders) {
      #expect(opening.contains("\"\(folder)ingest_"), "\(opening)")
    }
  }

  /// Parts with numbers of 150 bytes, or themes each of which is the parent of the next.
  private func dumps(
    of table: String, records: Int, digits: Int = 150, _ command: Command
  ) throws -> String {
    let dumps = try command.makeDumps(["part_categories.csv": Array("id,name\n1,a\n".utf8)])
    let header = table == "parts" ? Self.parts : Self.themes + "0,a,\n"
    let line =
      table == "parts" ? #"printf "%0\#(digits)d,n,1,Plastic\n", i"# : #"print i ",a," i - 1"#
    let script = """
      { printf '%s' "$1"; awk 'BEGIN { for (i = 1; i <= \(records); i++) \(line) }'; } >"$2"
      """
    try command.shell(script, [header, "\(dumps)/\(table).csv"])
    return dumps
  }

  /// IDs that collide in a hash with a well-known factor; they once took half a minute.
  @Test func `keys made to collide do not slow the run`() throws {
    let command = try Command()
    var lines = "id,name\n"
    var number: UInt64 = 0
    for _ in 0..<200_000 {
      var key: UInt64
      repeat {
        number += 1
        key = number &* 0xf1de_83e1_9937_733d &- 1
      } while key >= 1 << 62
      lines += "\(key),a\n"
    }
    let dumps = try command.makeDumps(["part_categories.csv": Array(lines.utf8)])
    let run = try command.measure(["--source", dumps, "--dry-run", "--allow-missing", "all"])
    #expect(run.result.status == 0, "\(run.result)")
  }
}
