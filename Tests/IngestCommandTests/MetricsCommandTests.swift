import Foundation
import TestSupport
import Testing

/// `--metrics` of the built command.
@Suite struct MetricsCommandTests {
  /// The values of a metrics file by their series.
  private func samples(_ command: Command) throws -> [String: Int] {
    let text = try command.text("ingest.prom")
    let labels = "catalog=\"\(command.catalog)\""
    var samples: [String: Int] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ").map(String.init)
      let name = words[0].replacing("{\(labels)}", with: "").replacing("\(labels),", with: "")
      samples[name] = Int(words[1])
    }
    return samples
  }

  @Test func `each run writes metrics that agree with its report`() async throws {
    let command = try Command()
    let dumps = Command.fixtures + "/dumps"
    let files = ["--metrics", "ingest.prom", "--report", "report.json"]
    try command.run(["--source", dumps, "--out", command.catalog] + files, status: 0)
    let published = try samples(command)
    let report = try command.json("report.json")
    let tables = try #require(report["tables"] as? [[String: Any]])
    #expect(tables.count == 12)
    for table in tables {
      let name = try #require(table["name"] as? String)
      #expect(published["ingest_table_rows{table=\"\(name)\"}"] == table["inserted"] as? Int)
    }
    #expect(published["ingest_published"] == 1 && published["ingest_exit_status"] == 0)
    let size = try command.bytesOfCatalog().count
    #expect(published["ingest_catalog_size_bytes"] == size)
    let success = try #require(published["ingest_last_success_timestamp_seconds"])
    #expect(abs(Date().timeIntervalSince1970 - Double(success)) < 600)

    let copy = try DumpCopy(of: dumps, for: command)
    try copy.changeLines(of: "colors") { $0.append(Data("9001,Wrong,GG0000,maybe,0,0,,\n".utf8)) }
    try await Task.sleep(for: .seconds(1))
    try command.run(["--source", copy.path, "--out", command.catalog] + files, status: 65)
    let failed = try samples(command)
    #expect(failed["ingest_exit_status"] == 65 && failed["ingest_published"] == 0)
    #expect(failed["ingest_table_rejects{table=\"colors\",code=\"wrong-format\"}"] == 1)
    #expect(failed["ingest_last_success_timestamp_seconds"] == success)
    #expect(try #require(failed["ingest_last_run_timestamp_seconds"]) > success)
    #expect(
      try command.names() == [
        "catalog.sqlite", "catalog.sqlite.rejects", "dumps", "ingest.prom", "report.json",
      ])
  }

  @Test func `an unwritable file is reported before the run`() throws {
    let command = try Command()
    let result = try command.load(
      Command.fixtures + "/dumps", "--metrics", "nowhere/a.prom", status: 73)
    #expect(
      result.errors.hasPrefix("ingest: nowhere/a.prom: the metrics file cannot be created"),
      "\(result)")
    #expect(try command.names() == [])
  }
}
