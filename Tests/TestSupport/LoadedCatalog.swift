import Foundation
import Testing

/// A catalog that the built command has loaded from some dumps, and that goes away with the value.
package final class LoadedCatalog {
  /// The package's own folder.
  package static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  package let dumps: String
  private let workplace: Workplace

  package var path: String { workplace.output }
  /// A path for another database, where nothing is.
  package var copy: String { workplace.path + "/copy.sqlite" }

  /// Loads the dumps in a folder, or those of some of the tables.
  package init(of folder: String, only tables: [String]? = nil) throws {
    workplace = try Workplace()
    dumps = tables == nil ? folder : workplace.path + "/dumps"
    for table in tables ?? [] {
      try FileManager.default.createSymbolicLink(
        atPath: dumps + "/\(table).csv.gz", withDestinationPath: folder + "/\(table).csv.gz")
    }
    if let fixtures = FixtureCatalog.allCases.first(where: { $0.dumps == dumps }) {
      try fixtures.put(at: workplace.output)
      return
    }
    try load(dumps)
  }

  /// Loads the dumps in a folder over the catalog, as the next night would.
  package func load(_ dumps: String) throws {
    let bundle = try #require(CommandLine.arguments.first { $0.hasSuffix(".xctest") })
    let command = URL(fileURLWithPath: bundle).deletingLastPathComponent().path + "/ingest"
    let outcome = try ChildProcess(
      command, ["--source", dumps, "--out", path, "--quiet", "--allow-missing", "all"]
    ).run()
    try #require(outcome.status == 0, "\(outcome)")
  }

  /// The records of a dump as Python reads them: of each the fields of some columns, in their order, with
  /// bars between; `nil` stands for an empty one, and for a column that the dump does not have.
  package func rows(ofDump table: String, columns: [String]) throws -> [String] {
    let outcome = try ChildProcess(
      Tool.pythonPath, ["-c", Self.reader, dumps + "/\(table).csv.gz"] + columns
    ).run()
    try #require(outcome.status == 0, "\(outcome)")
    return outcome.output.utf8.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
  }

  private static let reader = """
    import csv, gzip, sys
    booleans = {"t": "true", "True": "true", "f": "false", "False": "false"}
    with gzip.open(sys.argv[1], "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            fields = [row.get(column) or "nil" for column in sys.argv[2:]]
            fields = [
                booleans[field] if column.startswith("is_") else field
                for column, field in zip(sys.argv[2:], fields)
            ]
            sys.stdout.buffer.write(("|".join(fields) + "\\n").encode())
    """
}
