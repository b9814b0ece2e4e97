import Foundation
import SQLiteSwiftly

/// One table, whose dump can be described in any way.
enum Places {
  static func schema(_ change: (inout DumpDescription) -> Void) -> SchemaDescription {
    var table = TableDescription(
      "places",
      columns: [
        ColumnDescription("id", .integer),
        ColumnDescription("name", .text, isNullable: true),
        ColumnDescription("note", .text, isNullable: true),
      ],
      primaryKey: ["id"])
    change(&table.dump)
    return SchemaDescription(tables: [table], applicationID: 78, version: 1)
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
