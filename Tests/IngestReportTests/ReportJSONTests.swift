@testable import Vocabulary
import DataPackage
import Foundation
import TestSupport
import Testing
@testable import IngestReport

@Suite struct ReportJSONTests {
  private typealias Object = [String: Any]

  private func object(_ facts: ReportFacts) throws -> Object {
    let json = try JSONSerialization.jsonObject(with: Data(facts.json.utf8))
    return try #require(json as? Object)
  }

  /// All kinds of reports and the schema are validated by another implementation.
  @Test(.needs(.jsonschema)) func `reports of every kind match the schema`() throws {
    let problems = try SchemaCheck.problems(of: Reports.all.map(\.facts.json))
    #expect(problems.count == Reports.all.count)
    #expect(problems.flatMap(\.self) == [])
  }

  @Test(.needs(.jsonschema)) func `a modified report does not match the schema`()
    throws
  {
    let sound = Reports.rejects.json
    let changes: [(from: String, to: String, complaint: String)] = [
      ("\"exit_code\" : 3", "\"exit_code\" : -3", "$.exit_code"),
      ("\"exit_code\" : 3", "\"exit_kode\" : 3", "'exit_kode' was unexpected"),
      ("\"total\" : 36", "\"total\" : 36.5", "$.rejects[1].total"),
      ("\"code\" : \"duplicate-key\"", "\"code\" : \"duplicate key\"", "$.rejects[0].code"),
      ("\"crc32\" : \"0000beef\"", "\"crc32\" : \"beef\"", "$.files[0].crc32"),
      ("\"changes\" : null,", "", "'changes' is a required property"),
      ("\"outcome\" : \"published", "\"outcome\" : \"is_published", "$.verdict.outcome"),
      ("\"message\" : \"1 blank line\"", "\"message\" : null", "$.warnings[1].message"),
      ("\"missing-parent\" : 36", "\"missing parent\" : 36", "$.tables[0].re"),
    ]
    let tampered = changes.map { change in
      #expect(sound.contains(change.from), "\(change.from)")
      return sound.replacingOccurrences(of: change.from, with: change.to)
    }
    let problems = try SchemaCheck.problems(of: tampered)
    for (change, problem) in zip(changes, problems) {
      #expect(problem.contains { $0.contains(change.complaint) }, "\(change.to)")
    }
    #expect(problems.count == changes.count)
  }

  @Test func `the schema lists every stage and outcome, and its pattern matches every code`() throws
  {
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: SchemaCheck.schema)))
        as? Object)
    let definitions = try #require(schema["$defs"] as? [String: Object])
    func names(_ definition: Object?) -> [String]? { definition?["enum"] as? [String] }
    let pattern = try Regex(#require(definitions["code"]?["pattern"] as? String))
    #expect(CodeExplanation.all.filter { $0.code.wholeMatch(of: pattern) == nil } == [])
    let stage = (definitions["stage"]?["properties"] as? [String: Object])?["stage"]
    #expect(names(stage) == StageTime.Stage.allCases.map(\.rawValue))
    let verdict = (schema["properties"] as? [String: Object])?["verdict"]
    let outcome = (verdict?["properties"] as? [String: Object])?["outcome"]
    #expect(names(outcome).map(Set.init) == Set(Self.outcomes.map { $0.facts.outcomeName }))
    let samples = (definitions["reject_group"]?["properties"] as? [String: Object])?["samples"]
    #expect(samples?["maxItems"] as? Int == IngestEvent.describedRejectsPerCode)
  }

  @Test func `the facts have their keys`() throws {
    let report = try object(Reports.rejects)
    #expect(report["written_at"] as? String == "2025-11-21T17:01:03Z")
    #expect(report["exit_code"] as? Int == 3)
    #expect(report["seconds"] as? Double == 2.5)
    let search = report["search"] as? Object
    #expect(search?["entries"] as? Int == 12 && search?["bytes"] as? Int == 65_536)
    let versions = try #require(report["versions"] as? Object)
    #expect(versions["tool"] as? String == "9.8.7")
    #expect(versions["report"] as? Int == 2)
    #expect(versions["schema"] as? Int == 3)
    let options = try #require(report["options"] as? Object)
    let limits = try #require(options["max_rejects"] as? Object)
    #expect(limits["run"] as? String == "5%")
    #expect(limits["tables"] as? [String: String] == ["nodes": "40"])
    #expect(options["allow_missing"] as? [String] == ["labels", "things"])
    let totals = try #require(report["totals"] as? Object)
    #expect(totals["read"] as? Int == 1000)
    #expect(totals["inserted"] as? Int == 963)
    #expect(totals["rejected"] as? Int == 37)
    #expect(totals["bytes"] as? Int == 10013)
    #expect(report["unread_tables"] as? [String] == ["labels", "owners"])
    let waits = try #require(report["waits"] as? [String: Double])
    #expect(waits == ["reader_seconds": 0.125, "writer_seconds": 0, "lock_seconds": 0])
  }

  @Test func `a file has its gzip headers and counts`() throws {
    let file = try #require((object(Reports.rejects)["files"] as? [Object])?.first)
    #expect(file["crc32"] as? String == "0000beef")
    #expect(file["warnings"] as? [String] == ["column-unknown", "blank-line"])
    let gzip = try #require(file["gzip"] as? Object)
    #expect(gzip["time_stamp_utc"] as? String == "2020-06-09T09:08:00Z")
    #expect(gzip["original_name"] as? String == "\"nodes.csv\"")
    let bytes = try #require(file["bytes"] as? [String: Int])
    #expect(
      bytes == [
        "read": 10013, "header": 12, "blank": 1, "loaded": 9630, "rejected": 370,
        "left_out": 0,
        "unaccounted": 0,
      ])
    let damaged = try #require((object(Reports.failed)["files"] as? [Object])?.first)
    #expect((damaged["bytes"] as? [String: Int])?["unaccounted"] == 500)
  }

  @Test func `rejected records have exact totals and samples`() throws {
    let rejects = try #require(object(Reports.rejects)["rejects"] as? [Object])
    #expect(rejects.map { $0["code"] as? String } == ["duplicate-key", "missing-parent"])
    #expect(rejects.map { $0["total"] as? Int } == [1, 36])
    let samples = try #require(rejects[1]["samples"] as? [Object])
    #expect(samples.count == 10)
    #expect(samples[2]["extent_is_certain"] as? Bool == false)
    #expect(samples[0]["first_line"] as? Int == 2)
    #expect(samples[0]["last_line"] as? Int == 3)
    let reasons = try #require(samples[0]["reasons"] as? [Object])
    #expect(reasons.map { $0["column"] as? String } == ["parent", nil])
    #expect(reasons.map { $0["value"] as? String } == ["\"x\"", nil])
  }

  /// Rows are counted in a finished database; 0 would be wrong before that.
  @Test func `rows that were not counted are null`() throws {
    for (facts, isCounted) in [
      (Reports.clean, true), (Reports.changes, true), (Reports.failed, false),
      (Reports.dryRun, false),
    ] {
      let report = try object(facts)
      #expect(((report["totals"] as? Object)?["inserted"] is Int) == isCounted)
      let table = try #require((report["tables"] as? [Object])?.first)
      for key in ["inserted", "seconds", "nulls"] {
        #expect((table[key] is NSNull) == !isCounted, "\(key)")
      }
    }
  }

  private static let outcomes: [(facts: ReportFacts, outcome: String)] = [
    (Reports.clean, "published"), (Reports.rejects, "published_with_rejects"),
    (Reports.failed, "not_published"), (Reports.dryRun, "dry_run_passed_with_rejects"),
    (Reports.changes, "not_published"), (Reports.empty, "not_published"),
    (Reports.unchanged, "unchanged"), (Reports.unfinished, "published"),
    (Reports.uncertain, "unknown"), (dryRun(Reports.clean), "dry_run_passed"),
    (dryRun(Reports.failed), "dry_run_failed"),
  ]

  private static func dryRun(_ facts: ReportFacts) -> ReportFacts {
    var report = facts.outcome
    report.ending = .checked
    return Reports.facts(report) { $0.isDryRun = true }
  }

  @Test(arguments: outcomes)
  func `the outcome matches the run`(_ facts: ReportFacts, _ outcome: String) throws {
    let verdict = try #require(object(facts)["verdict"] as? Object)
    #expect(verdict["outcome"] as? String == outcome)
    let failures = try #require(verdict["failures"] as? [Object])
    #expect(failures.isEmpty == (facts.outcome.failure == nil))
    #expect(verdict["previous_database"] as? String == facts.outcome.previousDatabase?.rawValue)
    #expect(failures.map { $0["message"] as? String } == facts.outcome.failures.map(\.message))
  }

  @Test func `the verdict has a state, a text and warnings`() throws {
    let expected: [(facts: ReportFacts, state: String, words: String, codes: [String])] = [
      (Reports.clean, "clean", "published, clean", []),
      (
        Reports.rejects, "warnings", "published with 4 warnings",
        ["duplicate-key", "missing-parent", "column-unknown", "file-unknown"]
      ),
      (Reports.dryRun, "warnings", "would be published with 1 warning", ["nul-byte"]),
      (
        Reports.unfinished, "incomplete", "published, but its folder cannot be synced to the disk",
        ["file-unknown"]
      ),
      (Reports.changes, "not_published", "not published: too many rows were lost", []),
      (
        Reports.unchanged, "warnings", "unchanged, nothing was loaded; 2 warnings",
        ["changes-unusual", "nul-byte"]
      ),
      (
        Reports.uncertain, "unknown",
        "possibly published: the connection was lost while publishing", []
      ),
    ]
    for (facts, state, words, codes) in expected {
      let verdict = try #require(object(facts)["verdict"] as? Object)
      #expect(verdict["state"] as? String == state)
      #expect(verdict["text"] as? String == words)
      let warnings = try #require(verdict["warnings"] as? [Object])
      #expect(warnings.map { $0["code"] as? String } == codes)
      // The page says the same.
      let title = words.prefix(1).uppercased() + words.dropFirst()
      #expect(facts.html.contains(state == "warnings" && facts.options.isDryRun ? words : title))
      for item in warnings {
        let message = try #require(item["message"] as? String)
        #expect(facts.html.contains(("\(message)" as HTML).text))
      }
    }
  }

  @Test func `a warning about a change has its facts`() throws {
    let warnings = try #require(object(Reports.unchanged)["warnings"] as? [Object])
    let warning = try #require(warnings.first)
    #expect(warning["suppression"] as? String == "changes-unusual nodes.mood: as of run 7")
    let facts = try #require(warning["difference"] as? Object)
    #expect(facts["first_run"] as? Int == 7 && facts["since_run"] as? Int == 5)
    #expect(facts["since_data_time"] as? String == "2025-11-19T00:00:00Z")
    #expect(facts["count"] as? Int == 48 && facts["compared"] as? Int == 184)
    #expect(facts["percent"] as? Double == 26.087 && facts["usual_percent"] as? Double == 0.5)
    #expect(facts["is_sampled"] as? Bool == true && facts["is_slow"] as? Bool == false)
    #expect(facts["added"] is NSNull && facts["value"] is NSNull)
    let examples = try #require(facts["examples"] as? [Object])
    #expect(examples.map { $0["key"] as? [String] } == [["14", "a"]])
    #expect(examples[0]["before"] as? String == "F2" && examples[0]["after"] is NSNull)
    let others = try #require(object(Reports.rejects)["warnings"] as? [Object])
    #expect(others.allSatisfy { $0["difference"] is NSNull })
  }

  @Test func `hostile texts are preserved`() throws {
    let report = try object(Reports.hostile)
    #expect((report["options"] as? Object)?["source"] as? String == Reports.attack)
    let file = try #require((report["files"] as? [Object])?.first)
    #expect(file["name"] as? String == Reports.attack)
    #expect((file["header"] as? [String])?.first == Reports.attack)
  }
}
