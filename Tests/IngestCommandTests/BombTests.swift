import Foundation
import TestSupport
import Testing

/// Files of a few megabytes that decompress to gigabytes.
@Suite(.serialized, .enabled(if: LongTests.areOn, "LONG_TESTS is not set"))
struct BombTests {
  private static let header = "id,name,parent_id\n"

  /// A bomb: its head, repeated byte, gibibytes and tail, and the expected message.
  @Test(
    arguments: [
      ("", "\0", 20, "", "the header is longer than 131,072 bytes"),
      ("", "\"", 20, "", "the header is longer than 131,072 bytes"),
      (header + "1,\"", "a", 2, "", "line 2: a record is longer than 268,435,456 bytes"),
      (header + "1,\"", "\"", 2, "\",\n", "line 2: a record is longer than 268,435,456 bytes"),
      (header + "1,", "a", 4, "12345,\n", "line 2: a record is longer than 268,435,456 bytes"),
    ])
  func `a decompression bomb uses little memory and no disk space`(
    head: String, unit: String, gibibytes: Int, tail: String, message: String
  ) throws {
    let command = try Command()
    let dumps = try command.makeDumps([:])
    try Bomb.write(dumps + "/themes.csv.gz", head: head, unit, gibibytes: gibibytes, tail: tail)
    let run = try command.measure(loading: dumps, isLong: true, status: 65)
    #expect(run.result.errors.contains(message), "\(run.result)")
    #expect(run.peakBytes < Command.memoryLimit)
    print("bomb of \(gibibytes) GiB: \(run.peakBytes >> 20) MiB of memory")
    #expect(!FileManager.default.fileExists(atPath: command.catalog))
  }

  /// A sparse file, which uses no disk space.
  @Test(arguments: ["", "1,", "1,\""])
  func `a file of zeros is not read to its end`(beginning: String) throws {
    let command = try Command()
    let dumps = try command.makeDumps(["themes.csv": Array((Self.header + beginning).utf8)])
    try FileHandle(forWritingTo: URL(fileURLWithPath: dumps + "/themes.csv"))
      .truncate(atOffset: 1 << 40)
    let run = try command.measure(loading: dumps, isLong: true, status: 65)
    #expect(
      run.result.errors.contains("record-endless: \(dumps)/themes.csv: line 2: "), "\(run.result)")
    #expect(run.peakBytes < Command.memoryLimit)
  }

  @Test func `rejected records have a size limit`() throws {
    let command = try Command()
    let dumps = try command.makeDumps([:])
    // Too long to be kept before the end of the file.
    let record = String(repeating: "a", count: 17 << 20) + "\n"
    try Bomb.write(dumps + "/themes.csv.gz", head: Self.header, record, gibibytes: 5)
    let run = try command.measure(loading: dumps, isLong: true, status: 65)
    #expect(
      run.result.errors.contains("rejected records and reasons exceed 4,294,967,296 bytes"),
      "\(run.result)")
    #expect(run.peakBytes < Command.memoryLimit)
  }

  /// The length field of a member is modulo 4 GiB.
  @Test
  func `a member over four gibibytes is read completely`() throws {
    let command = try Command()
    let dumps = try command.makeDumps([:])
    let script = """
      (printf 'id,name,parent_id\\n1,a,\\n'; head -c 4294967301 /dev/zero | tr '\\0' '\\n') \
        | gzip -1 >"$1/themes.csv.gz"
      """
    try command.shell(script, [dumps])
    let run = try command.measure(
      ["--source", dumps, "--dry-run", "--allow-missing", "all"], isLong: true, status: 0)
    #expect(run.result.errors.contains("4,294,967,301 blank lines skipped"))
    #expect(run.peakBytes < 100 << 20)
  }
}
