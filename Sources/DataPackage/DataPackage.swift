import Platform
package import Schema
package import SQLiteSwiftly
import Text

/// Descriptions of source files in the Data Package standard (<https://datapackage.org/standard/data-package/>),
/// version 2 or 1.
package enum DataPackage {
  package struct Contents: Sendable {
    package let name: String
    package let schema: SchemaDescription
    /// Unsupported features that the description uses, if they are ignored.
    package let warnings: [DescriptionFault]
  }

  /// Reads a description from a file; its paths are relative to the file's folder.
  ///
  /// With `ignoringUnsupported`, an unsupported feature is a warning instead of a fault. With `needsPlaces`, every
  /// resource must have a path or data. Schemas and dialects with a URL are files of that name in `schemas`.
  package static func read(
    path: String, schemas: String? = nil, ignoringUnsupported: Bool, needsPlaces: Bool
  ) throws(DataPackageError) -> Contents {
    let bytes = try mapError(
      contentsOfFile(path, mostBytes: Findings.mostBytes),
      as: { (error: FileError) in
        let fault = DescriptionFault(
          code: .descriptionUnreadable, file: path, line: 0, column: 0, pointer: "",
          problem: "cannot read the file: \(error.message)",
          expectation: "a JSON file of at most 16 MiB")
        return DataPackageError(faults: [fault], unlisted: 0, cause: error)
      })
    return try read(
      bytes, named: path, folder: parentFolder(of: path), schemas: schemas,
      ignoringUnsupported: ignoringUnsupported, needsPlaces: needsPlaces)
  }

  /// Reads a description from its text, which without a `folder` cannot refer to other files.
  package static func read(
    _ bytes: [UInt8], named name: String, folder: String? = nil, schemas: String? = nil,
    ignoringUnsupported: Bool = false, needsPlaces: Bool = false
  ) throws(DataPackageError) -> Contents {
    let findings = Findings(ignoresUnsupported: ignoringUnsupported)
    let package = findings.read(bytes, of: name).flatMap {
      Properties($0, expected: "an object with resources")
    }
    let companions = CompanionFile(folder: folder, schemas: schemas)
    let contents = package.flatMap {
      PackageReader(properties: $0, companions: companions, needsPlaces: needsPlaces).read()
    }
    if let error = findings.error { throw error }
    guard let contents else { throw DataPackageError(faults: [], unlisted: 0) }
    return contents
  }

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
    let distributed = schema.distributed.map {
      JSON(members: [("table", JSON($0.table)), ("column", JSON($0.column))])
    }
    let own = JSON(members: [
      ("exact", exact ? JSON(true) : nil),
      ("inferredTypes", schema.hasInferredTypes ? JSON(true) : nil),
      // Without its own number, a family has one derived from its name.
      ("applicationID", schema.applicationID == 0 ? nil : JSON(schema.applicationID)),
      ("version", JSON(schema.version)),
      ("keyUnions", JSON(schema.keyUnions.map(json)).unlessEmpty),
      ("distribute", distributed),
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
