import Foundation
import RebrickableCatalog
import SQLiteSwiftly
import Testing

@testable import IngestPipeline

/// What is found of published dumps, against what is known of them.
struct SnapshotInferenceTests {
  private static let data =
    URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path + "/../shared/data/"

  private static func isThere(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: data + folder)
  }

  @Test(
    .enabled(if: isThere("rebrickable-2020-06-09"), "real dumps are not beside the package"),
    arguments: ["rebrickable-2020-06-09", "rebrickable-2025-04-01-no-inventory-parts"])
  func `the keys of the catalogue are found`(folder: String) throws {
    let family = try DumpInference(options: InferenceOptions(source: Self.data + folder)).run()
    for table in family.tables {
      print(
        "TABLE", table.table, table.key, table.keyConfidence as Any, table.references, table.doubts)
    }
    for table in family.schema.tables {
      for column in table.columns {
        print(table.name, column.name, column.type, column.meaning ?? "")
      }
    }
  }

  @Test(.enabled(if: isThere("gtfs-sample-feed-1"), "the feed is not beside the package"))
  func `a feed`() throws {
    let family = try DumpInference(
      options: InferenceOptions(source: Self.data + "gtfs-sample-feed-1")
    ).run()
    for table in family.tables {
      print(
        "TABLE", table.table, table.key, table.keyConfidence as Any, table.references, table.doubts)
    }
    for table in family.schema.tables {
      for column in table.columns {
        print(table.name, column.name, column.type, column.meaning ?? "")
      }
    }
  }
}
