import Schema
@testable import Inference
@testable import Vocabulary
import Foundation
import RebrickableCatalog
import SQLiteSwiftly
import Testing
@testable import Run
import SQLiteDestination

/// What is found of whole families of dumps, against what is known of them.
struct FamilyInferenceTests {
  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  static let snapshots = [
    "../shared/data/rebrickable-2020-06-09",
    "../shared/data/rebrickable-2025-04-01-no-inventory-parts",
  ].filter { FileManager.default.fileExists(atPath: "\(package)/\($0)") }

  @Test(
    arguments: ["fixtures/dumps"] + (LongTests.areOn ? ["fixtures/dumps-2020"] + snapshots : []))
  func `the keys and references of the catalog are found, and its dumps load`(
    folder: String
  ) throws {
    let family = try infer(folder)
    for table in family.schema.tables {
      let known = try #require(RebrickableCatalog.schema.tables.first { $0.name == table.name })
      // No two relations of these dumps have the same parts, so that their kind is not needed.
      let isRelation = table.name == "part_relationships" && table.primaryKey.count == 2
      let key = isRelation ? Array(known.primaryKey.dropFirst()) : known.primaryKey
      #expect(table.primaryKey == key, "\(table.name)")
      // A set's number there can be a minifig's as well, so that neither table has them all.
      let references = known.foreignKeys.filter { $0.table != "set_nums" }
      #expect(Set(table.foreignKeys) == Set(references), "\(table.name)")
    }
    #expect(family.schema.tables.count >= 11 && family.skipped.isEmpty)
    try checkLoads(family, from: folder)
  }

  @Test func `the keys and references of a feed are found, and it loads`() throws {
    let family = try infer("fixtures/gtfs/feed")
    let found = family.tables.map { table in
      "\(table.table)(\(table.key.joined(separator: ", ")))"
        + table.references.map { " \($0.column)>\($0.table)" }.joined()
    }
    // Keys of several columns take more records than most files here have, and trips have a service that is only in
    // calendar_dates.
    #expect(
      found.sorted() == [
        "agency(agency_id)",
        "attributions(attribution_id)",
        "calendar(service_id)",
        "calendar_dates()",
        "fare_attributes(fare_id)",
        "fare_rules() fare_id>fare_attributes route_id>routes",
        "feed_info()",
        "frequencies() trip_id>trips",
        "levels(level_id)",
        "pathways(pathway_id) from_stop_id>stops to_stop_id>stops",
        "routes(route_id) agency_id>agency",
        "shapes()",
        "stop_times(trip_id, stop_sequence) trip_id>trips stop_id>stops",
        "stops(stop_id) parent_station>stops level_id>levels",
        "transfers() from_stop_id>stops to_stop_id>stops",
        "translations()",
        "trips(trip_id) route_id>routes",
      ])
    try checkLoads(family, from: "fixtures/gtfs/feed")
  }

  private func infer(_ folder: String) throws -> InferredFamily {
    try FamilyInference(options: InferenceOptions(source: "\(Self.package)/\(folder)")).run()
  }

  /// Loads the dumps by what was found of them: no record is rejected.
  private func checkLoads(_ family: InferredFamily, from folder: String) throws {
    let workplace = try Workplace()
    let options = IngestOptions(
      source: "\(Self.package)/\(folder)", output: .file(path: workplace.output))
    let outcome = IngestRun(
      family.schema, into: FileDestination(options.output.name), options: options
    ) { _ in }
    .run()
    #expect(outcome.failure == nil)
    #expect(outcome.tables.map(\.inserted) == family.tables.map(\.records))
  }
}
