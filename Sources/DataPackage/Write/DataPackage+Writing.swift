import JSON
package import SQLiteSwiftly
package import Schema

extension DataPackage {
  /// A description of the tables and of the key unions of a schema, which reads as an equal one: of its columns, those types
  /// and domains that the standard has words for.
  ///
  /// Tables whose dumps are found by name get paths as Rebrickable's downloads have them: `NAME.csv.gz`.
  package static func json(of schema: SchemaDescription, name: String) -> String {
    let exact = zip(schema.tables, schema.sources).allSatisfy { table, source in
      zip(table.columns, source.formats).allSatisfy { column, format in
        ![.integer, .boolean].contains(column.type) || format.spelling == .exact
      }
    }
    let resources = zip(schema.tables, schema.sources).map { table, source in
      ResourceWriter(
        table, source, isExact: exact, tables: Set(schema.tables.map(\.name))
      ).json
    }
    let own = JSON(members: [
      ("exact", exact ? JSON(true) : nil),
      // Without a number of its own a family gets one that is made of its name.
      ("applicationID", schema.applicationID == 0 ? nil : JSON(schema.applicationID)),
      ("version", JSON(schema.version)),
      ("keyUnions", schema.keyUnions.isEmpty ? nil : JSON(schema.keyUnions.map(json))),
    ])
    let package = JSON(members: [
      ("$schema", "https://datapackage.org/profiles/2.0/datapackage.json"),
      ("name", JSON(name)),
      ("resources", JSON(resources)),
      ("ingest", own),
    ])
    return package.written(as: .description) + "\n"
  }

  /// A column as a field, on one line, which reads as an equal one in any description.
  package static func field(of column: ColumnDescription) -> String {
    FieldWriter(column, FieldFormat(), isExact: column.type != .boolean, commonMissingValues: [""])
      .json.written(as: .line)
  }

  /// A table as a resource, on one line, whose values read as equal ones in any description.
  package static func resource(
    of table: TableDescription, _ source: SourceDescription
  ) -> String {
    let isExact = !table.columns.contains { $0.type == .boolean }
    return ResourceWriter(table, source, isExact: isExact, tables: []).json.written(as: .line)
  }

  private static func json(of union: KeyUnionDescription) -> JSON {
    JSON(members: [
      ("name", JSON(union.name)),
      ("description", union.meaning.map { JSON($0) }),
      ("column", JSON(union.column)),
      ("type", union.type == .integer ? "integer" : "string"),
      (
        "members",
        JSON(
          union.members.map { member in
            JSON(members: [
              ("table", JSON(member.table)), ("column", JSON(member.keyColumn)),
              ("reference", member.reference.map { JSON($0) }),
            ])
          })
      ),
    ])
  }
}
