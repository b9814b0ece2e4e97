import Foundation
import TestSupport
import Testing

/// `ingest metadata`, and the documentation pages it prints.
struct MetadataCommandTests {
  static let pages = [("--dictionary", "DataDictionary.md"), ("--diagram", "Resources/tables.svg")]

  @Test(arguments: pages)
  func `the documentation matches the command's output`(form: String, page: String) throws {
    let folder = Command.package + "/Sources/RebrickableCatalog/RebrickableCatalog.docc/"
    let kept = try String(contentsOfFile: folder + page, encoding: .utf8)
    let printed = try Command().run(["metadata", form])
    #expect(printed.status == 0 && printed.errors == "")
    #expect(
      kept == printed.output,
      "The descriptions have changed: run  .build/release/ingest metadata \(form) > \(folder)\(page)"
    )
  }

  @Test(
    arguments: [
      ([], "catalog"), (["--database", "bricks"], "bricks"), (["--database=my.db"], "my.db"),
    ])
  func `Datasette's metadata is JSON for the named database`(
    words: [String], name: String
  ) throws {
    let printed = try Command().run(["metadata", "--datasette"] + words)
    #expect(printed.status == 0 && printed.errors == "")
    let metadata = try JSONSerialization.jsonObject(with: Data(printed.output.utf8))
    let databases = try #require((metadata as? NSDictionary)?["databases"] as? NSDictionary)
    #expect(databases.allKeys as? [String] == [name])
    let database = try #require(databases[name] as? NSDictionary)
    let tables = try #require(database["tables"] as? [String: NSDictionary])
    for (table, described) in tables {
      #expect(described["description"] is String, "\(table)")
      let isInternal = table.hasPrefix("ingest_") || table.hasPrefix("search_")
      #expect((described["hidden"] as? Bool == true) == isInternal, "\(table)")
    }
    #expect(tables["sets"]?["label_column"] as? String == "name")
    #expect((database["queries"] as? NSDictionary)?["parts-of-a-set"] != nil)
  }

  @Test func `any family has a dictionary, a diagram and metadata`() throws {
    let command = try Command()
    let words = ["--schema", "gtfs"]
    let dictionary = try command.run(["metadata", "--dictionary"] + words)
    #expect(dictionary.status == 0 && dictionary.output.contains("\n### stop_times\n"))
    #expect(!dictionary.output.lowercased().contains("lego"))
    #expect(dictionary.output.contains("gtfs: tables, views and columns."))
    let diagram = try command.run(["metadata", "--diagram"] + words)
    #expect(diagram.status == 0 && diagram.output.hasPrefix("<svg"))
    #expect(diagram.output.contains(">stop_times</text>"))
    let datasette = try command.run(["metadata", "--datasette", "--database", "feed"] + words)
    let json = try JSONSerialization.jsonObject(with: Data(datasette.output.utf8))
    let document = try #require(json as? [String: Any])
    #expect(document["title"] as? String == "gtfs" && document["source"] == nil)
    let databases = document["databases"] as? [String: [String: [String: Any]]]
    #expect(databases?["feed"]?["tables"]?["stops"] != nil)
  }

}
