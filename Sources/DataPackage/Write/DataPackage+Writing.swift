import Text
package import SQLiteSwiftly
package import Schema

extension DataPackage {
  /// A description of a schema's tables and key unions; reading it returns an equal schema.
  ///
  /// A table whose source file is found by name is written with the path of Rebrickable's downloads: `NAME.csv.gz`.
  package static func json(of schema: SchemaDescription, name: String) -> String {
    let exact = zip(schema.tables, schema.sources).allSatisfy { table, source in
      zip(table.columns, source.formats).allSatisfy { column, format in
        ![.integer, .boolean].contains(column.type) || format.spelling == .exact
      }
    }
    let tables = Set(schema.tables.map(\.name))
    let resources = zip(schema.tables, schema.sources).map { table, source in
      ResourceWriter(table: table, source: source, isExact: exact, tables: tables).json
    }
    let own = JSON(members: [
      ("exact", exact ? JSON(true) : nil),
      ("inferredTypes", schema.hasInferredTypes ? JSON(true) : nil),
      // Without its own number, a family has one derived from its name.
      ("applicationID", schema.applicationID == 0 ? nil : JSON(schema.applicationID)),
      ("version", JSON(schema.version)),
      ("keyUnions", JSON(schema.keyUnions.map(json)).unlessEmpty),
      (
        "distribute",
        schema.distributed.map {
          JSON(members: [("table", JSON($0.table)), ("column", JSON($0.column))])
        }
      ),
    ])
    let package = JSON(members: [
      ("$schema", "https://datapackage.org/profiles/2.0/datapackage.json"),
      ("name", JSON(name)),
      ("resources", JSON(resources)),
      ("ingest", own),
    ])
    return package.written(as: .description) + "\n"
  }

  /// A column as a field, on one line, which reads as an equal column in any description.
  package static func field(of column: ColumnDescription) -> String {
    FieldWriter(
      column: column, values: FieldFormat(), isExact: column.type != .boolean,
      commonMissingValues: [""]
    ).json.written(as: .line)
  }

  /// A table as a resource, on one line, which reads as an equal table in any description.
  package static func resource(of table: TableDescription, _ source: SourceDescription) -> String {
    let isExact = !table.columns.contains { $0.type == .boolean }
    return ResourceWriter(table: table, source: source, isExact: isExact, tables: [])
      .json.written(as: .line)
  }

  private static func json(of union: KeyUnionDescription) -> JSON {
    let members = union.members.map { member in
      JSON(members: [
        ("table", JSON(member.table)), ("column", JSON(member.keyColumn)),
        ("reference", member.reference.map { JSON($0) }),
      ])
    }
    return JSON(members: [
      ("name", JSON(union.name)),
      ("description", union.meaning.map { JSON($0) }),
      ("column", JSON(union.column)),
      ("type", union.type == .integer ? "integer" : "string"),
      ("members", JSON(members)),
    ])
  }
}
