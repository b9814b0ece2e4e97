package import SQLiteSwiftly
package import Schema

/// A small family of tables with every kind of key.
package enum Family {
  /// A forest whose keys are texts.
  package static let nodes = TableDescription(
    "nodes",
    columns: [
      ColumnDescription("name", .text, domain: .singleLine),
      ColumnDescription("parent", .text, isNullable: true),
    ],
    primaryKey: ["name"],
    foreignKeys: [ForeignKeyDescription("parent", references: "nodes", "name")])

  package static let things = TableDescription(
    "things",
    columns: [
      ColumnDescription("id", .integer),
      ColumnDescription("node", .text),
      ColumnDescription("size", .integer, isNullable: true, domain: .within(1...10)),
      ColumnDescription("kind", .text, isNullable: true, domain: .oneOf(["a", "b"])),
      ColumnDescription("is_new", .boolean, isNullable: true),
      ColumnDescription("code", .text, isNullable: true, domain: .hexadecimalDigits(2)),
    ],
    primaryKey: ["id"], uniqueKeys: [["node", "code"]],
    foreignKeys: [ForeignKeyDescription("node", references: "nodes", "name")])

  package static let owners = TableDescription(
    "owners",
    columns: [
      ColumnDescription("owner", .text), ColumnDescription("of", .text),
      ColumnDescription("rank", .integer),
    ],
    primaryKey: ["owner", "of", "rank"],
    foreignKeys: [ForeignKeyDescription("of", references: "names", "name")])

  package static let labels = TableDescription(
    "labels", columns: [ColumnDescription("label", .text)], primaryKey: ["label"])

  /// Marks a database as one of the family.
  package static let identification = SQL(
    generated: "PRAGMA application_id = \(schema.applicationID)")

  package static let schema = SchemaDescription(
    tables: [nodes, things, labels, owners],
    keyUnions: [
      KeyUnionDescription(
        "names", column: "name", type: .text,
        members: [.init("nodes", "name"), .init("labels", "label")])
    ],
    applicationID: 77, version: 3)
}
