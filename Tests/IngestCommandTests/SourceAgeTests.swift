import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// The date of the data: refused if it is older than before, reported, and limited by `--max-age`.
struct SourceAgeTests {
  /// 2026-11-21 and 2026-11-22, 3:00 UTC.
  private static let (first, second) = (1_795_230_000, 1_795_316_400)

  /// Sets the time stamps of all gzip headers (RFC 1952, section 2.3: bytes 4 to 7).
  private func stamp(_ dumps: DumpCopy, _ seconds: Int, only table: String? = nil) throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: dumps.path) {
      let name = String(file.dropLast(".csv.gz".count))
      guard table == nil || name == table else { continue }
      try dumps.changeBytes(of: name) { data in
        var bytes = Data(data)
        for place in 0..<4 { bytes[4 + place] = UInt8(truncatingIfNeeded: seconds >> (8 * place)) }
        return bytes
      }
    }
  }

  private func dumps(_ command: Command, _ seconds: Int) throws -> DumpCopy {
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try stamp(dumps, seconds)
    return dumps
  }

  @Test func `older source files are refused, and loaded on request`() throws {
    let command = try Command()
    let dumps = try dumps(command, Self.second)
    #expect(try command.load(dumps.path).status == 0)
    let bytes = try command.bytesOfCatalog()
    try stamp(dumps, Self.first)
    let message =
      "ingest: sources-older: themes.csv.gz: written at 2026-11-21T03:00:00Z, but themes.csv.gz of "
      + "the previous database at 2026-11-22T03:00:00Z. Nothing was published. Download the source files again, or "
      + "run once with --allow-older to publish these."
    for options in [[], ["--dry-run"], ["--if-changed"], ["--max-rejects", "5%"]] {
      let refused = try command.run(["--source", dumps.path, "--out", command.catalog] + options)
      #expect(refused.status == 65 && refused.errors.contains(message), "\(refused)")
      #expect(try command.bytesOfCatalog() == bytes)
    }
    let loaded = try command.load(dumps.path, "--allow-older", "--report", "r.json")
    #expect(loaded.status == 0 && loaded.output.contains("data of 2026-11-21, "), "\(loaded)")
    let data = try #require(try command.json("r.json")["data"] as? [String: Any])
    #expect(data["time"] as? String == "2026-11-21T03:00:00Z")
    #expect(data["age_seconds"] as? Int != nil)
    // Loaded once, they are the measure.
    #expect(try command.load(dumps.path).status == 0)
  }

  @Test func `one older file is enough, and one without a time is not compared`() throws {
    let command = try Command()
    let dumps = try dumps(command, Self.second)
    #expect(try command.load(dumps.path).status == 0)
    try stamp(dumps, Self.second - 60, only: "parts")
    let refused = try command.load(dumps.path)
    #expect(refused.status == 65 && refused.errors.contains("sources-older: parts.csv.gz: "))
    try stamp(dumps, 0, only: "parts")
    #expect(try command.load(dumps.path).status == 0)
    try stamp(dumps, 0)
    let unknown = try command.load(dumps.path, "--max-age", "1h")
    #expect(unknown.status == 0 && !unknown.output.contains("data of"), "\(unknown)")
  }

  @Test func `an age above the limit is a warning of each run, also of an unchanged one`() throws {
    let command = try Command()
    let now = Int(Date().timeIntervalSince1970)
    let dumps = try dumps(command, now - 5 * 86_400)
    let words = ["--metrics", "m.prom", "--detailed-status"]
    let young = try command.run(
      ["--source", dumps.path, "--out", command.catalog, "--max-age", "6d"] + words)
    #expect(young.status == 0 && young.output.contains(", 5 days before this run"), "\(young)")
    let old = try command.run(
      ["--source", dumps.path, "--out", command.catalog, "--max-age", "36h", "--if-changed"] + words
    )
    #expect(old.status == 4 && old.output.contains(": unchanged, "), "\(old)")
    #expect(
      old.errors.contains(
        "sources-outdated: \(dumps.path): the newest source file was written at "), "\(old)")
    #expect(old.errors.contains("5 days before this run; --max-age allows 36 hours. "), "\(old)")
    let metrics = try command.text("m.prom")
    #expect(
      metrics.contains(
        "ingest_data_timestamp_seconds{catalog=\"\(command.catalog)\"} \(now - 432_000)\n"))
    #expect(metrics.contains("code=\"sources-outdated\"} 1\n"))
    #expect(try command.rows("SELECT count(*) FROM ingest_warnings") == [[0]])
    // The clock leaves no trace in the file.
    #expect(try command.load(dumps.path, "--max-age", "1h").status == 0)
    #expect(try command.rows("SELECT state FROM ingest_verdict") == [["clean"]])
  }

  /// 2040, and the last time that gzip can express.
  @Test(arguments: [2_208_988_800, 4_294_967_295])
  func `a time in the future is stored, but is neither an age nor a measure`(future: Int) throws {
    let command = try Command()
    let dumps = try dumps(command, future)
    let options = ["--source", dumps.path, "--out", command.catalog, "--detailed-status"]
    for words in [[], ["--if-changed"], ["--max-age", "1d"]] {
      let result = try command.run(options + words, status: 4)
      let text = result.errors + result.output
      #expect(text.contains("sources-in-future"), "\(result)")
      #expect(text.contains("themes.csv.gz and 11 other files written at 2"), "\(result)")
      #expect(!text.contains("before this run") && !text.contains("sources-outdated"), "\(result)")
    }
    #expect(
      try command.rows("SELECT DISTINCT gzip_time_stamp FROM ingest_sources")
        == [[.integer(Int64(future))]])
    // The clock leaves no trace in the file.
    #expect(try command.rows("SELECT count(*) FROM ingest_warnings") == [[0]])
    #expect(try command.rows("SELECT state FROM ingest_verdict") == [["clean"]])
    // Every right time is earlier.
    try stamp(dumps, Self.second)
    let right = try command.run(options)
    #expect(right.status == 0 && right.output.contains("data of 2026-11-22, "), "\(right)")
    // A file from the future does not hide the age of the others.
    try stamp(dumps, future, only: "parts")
    let mixed = try command.run(options + ["--max-age", "1h"])
    #expect(mixed.output.contains("data of 2026-11-22, "), "\(mixed)")
    #expect(mixed.errors.contains("sources-outdated") || mixed.output.contains("sources-outdated"))
  }

}
