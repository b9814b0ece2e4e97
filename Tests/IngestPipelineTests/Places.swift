import Foundation
import SQLiteSwiftly
import Schema

/// One table, whose dump can be described in any way.
enum Places {
  static func schema(_ change: (inout SourceDescription) -> Void) -> SchemaDescription {
    let table = TableDescription(
      "places",
      columns: [
        ColumnDescription("id", .integer),
        ColumnDescription("name", .text, isNullable: true),
        ColumnDescription("note", .text, isNullable: true),
      ],
      primaryKey: ["id"])
    return SchemaDescription(tables: [table], applicationID: 78, version: 1).withSources(change)
  }

  /// A workplace with these files; their names can have folders.
  static func workplace(_ files: [String: String]) throws -> Workplace {
    let workplace = try Workplace()
    for (name, text) in files {
      let path = workplace.path + "/dumps/" + name
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: path).deletingLastPathComponent(),
        withIntermediateDirectories: true)
      try workplace.write(name, text)
    }
    return workplace
  }
}

extension Workplace {
  var places: [String] { get throws { try rows("SELECT * FROM places ORDER BY 1") } }
}
