import Foundation
import TestSupport
import Testing
@testable import IngestReport

@Suite struct MetricsTests {
  /// The samples of a file: values by name and labels.
  private func samples(_ text: String) throws -> [String: String] {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    let pairs = try lines.map { line in
      let space = try #require(line.lastIndex(of: " "))
      return (String(line[..<space]), String(line[line.index(after: space)...]))
    }
    return Dictionary(pairs) { _, _ in "twice" }
  }

  @Test func `metrics of a run with rejected records`() throws {
    let found = try samples(Reports.rejects.metrics(after: nil))
    let catalog = "catalog=\"out.sqlite\""
    let expected = [
      "ingest_last_run_timestamp_seconds{\(catalog)}": "1763744463",
      "ingest_last_success_timestamp_seconds{\(catalog)}": "1763744463",
      "ingest_exit_status{\(catalog)}": "3",
      "ingest_published{\(catalog)}": "1",
      "ingest_unchanged{\(catalog)}": "0",
      "ingest_run_duration_seconds{\(catalog)}": "2.5",
      "ingest_verdict_warnings{\(catalog)}": "4",
      "ingest_warnings{\(catalog),code=\"column-unknown\"}": "1",
      "ingest_warnings{\(catalog),code=\"file-unknown\"}": "1",
      "ingest_warnings{\(catalog),code=\"blank-line\"}": "1",
      "ingest_catalog_size_bytes{\(catalog)}": "4096",
      "ingest_data_timestamp_seconds{\(catalog)}": "1591693680",
      "ingest_rejects{\(catalog)}": "37",
      "ingest_table_rejects{\(catalog),table=\"nodes\",code=\"missing-parent\"}": "36",
      "ingest_table_rejects{\(catalog),table=\"nodes\",code=\"duplicate-key\"}": "1",
      "ingest_table_rows{\(catalog),table=\"nodes\"}": "963",
      "ingest_table_rows{\(catalog),table=\"things\"}": "0",
      "ingest_stage_duration_seconds{\(catalog),stage=\"survey\"}": "0.1",
      "ingest_stage_duration_seconds{\(catalog),stage=\"read\"}": "0.8",
      "ingest_stage_duration_seconds{\(catalog),stage=\"index\"}": "0.25",
    ]
    for (series, value) in expected { #expect(found[series] == value, "\(series)") }
    let info = try #require(found.first { $0.key.hasPrefix("ingest_info{") })
    #expect(info.key.contains(",version=\"9.8.7\",sqlite_version=\"3.") && info.value == "1")
    // Besides those, the other six stages.
    #expect(found.count == expected.count + 7)
  }

  @Test func `changes are reported by table, and unknown values are omitted`() throws {
    let found = try samples(Reports.changes.metrics(after: nil))
    for (change, value) in [("added", "5"), ("removed", "1005"), ("changed", "17")] {
      let labels = "catalog=\"out.sqlite\",table=\"nodes\",change=\"\(change)\""
      #expect(found["ingest_table_key_changes{\(labels)}"] == value)
    }
    #expect(found.keys.count { $0.hasPrefix("ingest_table_key_changes") } == 3)
    #expect(found["ingest_published{catalog=\"out.sqlite\"}"] == "0")
    let uncertain = try samples(Reports.uncertain.metrics(after: nil)).keys
    #expect(!uncertain.contains { $0.hasPrefix("ingest_published") })
    let absent = try samples(Reports.empty.metrics(after: nil)).keys
    for name in ["last_success", "catalog_size", "table_", "stage_", "warnings"] {
      #expect(!absent.contains { $0.hasPrefix("ingest_\(name)") }, "\(name)")
    }
    let unchanged = try samples(Reports.unchanged.metrics(after: nil))
    #expect(unchanged["ingest_unchanged{catalog=\"out.sqlite\"}"] == "1")
    #expect(unchanged["ingest_rejects{catalog=\"out.sqlite\"}"] == "2")
    #expect(unchanged["ingest_catalog_size_bytes{catalog=\"out.sqlite\"}"] == "4096")
    #expect(unchanged["ingest_verdict_warnings{catalog=\"out.sqlite\"}"] == "2")
    let change = "code=\"changes-unusual\",table=\"nodes\",column=\"mood\""
    #expect(
      unchanged["ingest_change_percent{catalog=\"out.sqlite\",\(change)}"] == "26.086957")
    let nodes = "catalog=\"out.sqlite\",table=\"nodes\""
    #expect(unchanged["ingest_table_rows{\(nodes)}"] == "1000000")
    #expect(unchanged["ingest_table_rejects{\(nodes),code=\"nul-byte\"}"] == "2")
    #expect(unchanged["ingest_table_key_changes{\(nodes),change=\"changed\"}"] == "0")
  }

  @Test func `each metric is described before its samples`() throws {
    for (name, facts) in Reports.all {
      let lines = facts.metrics(after: nil).split(separator: "\n")
      var described: [Substring] = []
      for (index, line) in lines.enumerated() {
        let words = line.split(separator: " ")
        if line.hasPrefix("# HELP ") {
          described.append(words[2])
          #expect(lines[index + 1] == "# TYPE \(words[2]) gauge", "\(name)")
        } else if !line.hasPrefix("#") {
          #expect(line.prefix { $0 != "{" } == described.last, "\(name): \(line)")
        }
      }
      #expect(Set(described).count == described.count, "\(name)")
    }
  }

  @Test(
    arguments: [
      ("plain.sqlite", "plain.sqlite"), ("a\"b", #"a\"b"#), (#"a\b"#, #"a\\b"#),
      ("a\nb", #"a\nb"#), ("é\u{1b}[31m", #"é\\u{1b}[31m"#), ("\u{202e}", #"\\u{202e}"#),
    ])
  func `labels are escaped`(path: String, label: String) {
    let metrics = Metrics(of: path)
    #expect(metrics.series("a") == "ingest_a{catalog=\"\(label)\"} ")
  }

  @Test func `a failed run keeps the time of the last success`() throws {
    let success = Reports.clean.metrics(after: nil)
    let series = "ingest_last_success_timestamp_seconds{catalog=\"out.sqlite\"}"
    let before = "x \(series) 1\n" + success.replacing("1763744463", with: "1763658063")
    let cases: [(facts: ReportFacts, old: String?, time: String?)] = [
      (Reports.failed, before, "1763658063"), (Reports.clean, before, "1763744463"),
      (Reports.unchanged, before, "1763744463"), (Reports.dryRun, before, "1763658063"),
      (Reports.unfinished, before, "1763744463"), (Reports.uncertain, before, "1763658063"),
      (Reports.failed, nil, nil), (Reports.failed, "", nil),
      // The end of this run, and a wrong clock.
      (Reports.failed, before.replacing("1763658063", with: "1763744463"), "1763744463"),
      (Reports.failed, before.replacing("1763658063", with: "1763744464"), nil),
      (Reports.failed, before.replacing("1763658063", with: "2208988800"), nil),
      (Reports.failed, "\(series) soon", nil),
      (Reports.failed, success.replacing("out.sqlite", with: "other"), nil),
      // A second failure keeps the time kept by the first.
      (Reports.failed, Reports.failed.metrics(after: before), "1763658063"),
    ]
    for (facts, old, time) in cases {
      #expect(try samples(facts.metrics(after: old))[series] == time, "\(old ?? "nothing")")
    }
  }

  @Test func `the previous file has the time of the last success`() throws {
    let workplace = try Workplace()
    let path = workplace.path + "/ingest.prom"
    let file = try #require(ReportFile(path, [.prom]))
    try file.write(Reports.clean)
    try file.write(Reports.failed)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == Reports.failed.metrics(after: Reports.clean.metrics(after: nil)))
    #expect(
      text.contains("ingest_last_success_timestamp_seconds{catalog=\"out.sqlite\"} 1763744463\n"))
    #expect(text.contains("ingest_exit_status{catalog=\"out.sqlite\"} 65\n"))
    // Other contents do not prevent writing.
    for bytes in [[0xff, 0x0a], [UInt8](repeating: 0x0a, count: 2 << 20)] as [[UInt8]] {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      try file.write(Reports.failed)
      #expect(
        try String(contentsOfFile: path, encoding: .utf8) == Reports.failed.metrics(after: nil))
    }
    #expect(ReportFile("a.json", [.prom]) == nil && ReportFile("a.prom") == nil)
  }
}
