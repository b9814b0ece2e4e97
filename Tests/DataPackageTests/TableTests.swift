import Foundation
import SQLiteSwiftly
import Schema
import Testing

@testable import DataPackage

@Suite struct TableTests {
  private func schema(_ text: String) throws -> SchemaDescription {
    try DataPackage.read(Array(text.utf8), named: "d").schema
  }

  private static let trips = """
    {"name": "feed", "resources": [
      {"name": "trips", "schema": {"fields": [
          {"name": "trip", "type": "string"}, {"name": "route", "type": "string"},
          {"name": "shape", "type": "string"}],
        "primaryKey": "trip",
        "foreignKeys": [
          {"fields": "route", "reference": {"resource": "routes", "fields": "route"}},
          {"fields": ["shape"], "reference": {"resource": "shapes", "fields": ["shape"]}}]}},
      {"name": "routes", "schema": {"fields": [
          {"name": "route", "type": "string", "constraints": {"unique": true}}]}},
      {"name": "shapes", "schema": {"fields": [
          {"name": "shape", "type": "string"}, {"name": "place", "type": "integer"}],
        "primaryKey": ["shape", "place"]}}]}
    """

  @Test func `tables follow those that they refer to`() throws {
    let schema = try schema(Self.trips)
    #expect(schema.tables.map(\.name) == ["routes", "shapes", "trips"])
    let trips = try #require(schema.tables.last)
    // The shape is a part of a key alone, which SQLite cannot be told.
    #expect(trips.foreignKeys.map(\.isDeclared) == [true, false])
    #expect(trips.indexes == [["route"], ["shape"]])
    #expect(trips.columns.map(\.isNullable) == [false, true, true])
    #expect(schema.tables.first?.uniqueKeys == [["route"]])
    #expect(schema.version == 1)
    // FNV-1a of "feed", without the sign.
    #expect(schema.applicationID == 0x2B35_6625)
  }

  @Test func `extensions to the standard are properties of ingest`() throws {
    let schema = try schema(
      """
      {"ingest": {"applicationID": 7, "version": 3, "exact": true, "inferredTypes": true}, "resources": [
        {"name": "a", "description": "An a.", "title": "No.",
          "ingest": {"optional": true, "matching": "known", "since": "2020-02", "rowid": true,
            "indexes": [["n", "t"]]},
          "schema": {"primaryKey": "t", "fields": [
            {"name": "t", "type": "string", "example": "x", "title": "The t.",
              "ingest": {"singleLine": true, "knownValues": ["x"], "longestKey": 9}},
            {"name": "n", "type": "integer", "ingest": {"exact": false, "since": "2021"}},
            {"name": "m", "type": "boolean"}]}}]}
      """
    )
    let (table, source) = (schema.tables[0], schema.sources[0])
    #expect(source.isOptional && source.fieldsMatch == .known && schema.hasInferredTypes)
    #expect(table.since == "2020-02" && table.meaning == "An a." && !table.isWithoutRowid)
    #expect(table.indexes == [["n", "t"]])
    let text = table.columns[0]
    #expect(
      text.domain == .singleLine && text.knownValues == ["x"] && source.formats[0].longestKey == 9)
    #expect(text.meaning == "The t." && text.example == .text("x"))
    #expect(source.formats[1].spelling == .integer(.init()))
    #expect(table.columns[1].since == "2021")
    #expect(source.formats[2].spelling == .exact)
  }

  @Test(
    arguments: [
      (#"{"path": ["a.csv", "b.csv"]}"#, SourceDescription.Place.files(["a.csv", "b.csv"])),
      (#"{"url": "a.csv"}"#, .files(["a.csv"])),
      (#"{}"#, .named),
      (
        #"{"data": [["f", "g"], [1.50, null], ["a,\"b\"", true]]}"#,
        .inline(Array("f,g\n1.50,-\n\"a,\"\"b\"\"\",true\n".utf8))
      ),
      (
        #"{"data": [{"g": "x"}, {"f": [1, {"a": 2}], "h": 3}]}"#,
        .inline(Array("f,g,h\n-,x,\n\"[1, {\"\"a\"\": 2}]\",-,3\n".utf8))
      ),
      (#"{"data": "f,g\n1,2", "format": "csv"}"#, .inline(Array("f,g\n1,2".utf8))),
      (#"{"path": ["./t.csv", "././in/u.csv"]}"#, .files(["t.csv", "in/u.csv"])),
    ])
  func `records are in files, or in the description`(
    resource: String, place: SourceDescription.Place
  ) throws {
    let text = """
      {"missingValues": ["-"], "resources": [{"name": "t", "schema": {"fields": [
        {"name": "f", "type": "string"}, {"name": "g", "type": "string"}]}, \
      \(resource.dropFirst())]}
      """.replacing(", }", with: "}")
    #expect(try schema(text).sources.first?.place == place)
  }

  /// As frictionless writes a description, whose fifth version has what is CSV's alone in an object of its own.
  @Test(arguments: [
    ##"{"csv": {"delimiter": ";", "quoteChar": "'", "doubleQuote": false, "skipInitialSpace": true}, "commentChar": "#"}"##,
    ##"{"delimiter": ";", "quoteChar": "'", "doubleQuote": false, "csv": {"skipInitialSpace": true}, "commentChar": "#"}"##,
    ##"{"delimiter": "|", "csv": {"delimiter": ";", "quoteChar": "'", "doubleQuote": false, "skipInitialSpace": true, "commentChar": "#"}}"##,
  ])
  func `a dialect may have an object for CSV`(dialect: String) throws {
    let text = """
      {"resources": [{"name": "t", "type": "table", "path": "t.csv", "scheme": "file", "format": "csv",
        "mediatype": "text/csv", "encoding": "utf-8", "hashing": "md5", "dialect": \(dialect),
        "schema": {"fields": [{"name": "a", "type": "integer", "groupChar": ""}]}}]}
      """
    let source = try #require(
      try DataPackage.read(Array(text.utf8), named: "d").schema.sources.first)
    var expected = SourceDescription.Dialect()
    expected.delimiter = ";"
    expected.quote = "'"
    expected.doublesQuotes = false
    expected.skipsInitialSpace = true
    expected.commentPrefix = "#"
    #expect(source.dialect == expected)
  }

  /// The delimiter that a media type and a path lead to; nil if the resource is not a table.
  @Test(arguments: [
    ("application/vnd.ms-excel", "t.csv", ","), ("text/x-csv", "t.CSV.gz", ","),
    ("application/octet-stream", "World: data.csv", ","), ("unknown", "t.tsv", "\t"),
    ("text/x-csv; charset=utf-8", "a:b/t.psv", ","), ("text/tab-separated-values", "t.csv", "\t"),
    ("application/vnd.ms-excel", "t.xls", nil), ("image/png", "csv.png", nil),
    ("application/json", "t.json", nil),
  ])
  func `a media type matters only without the name of a CSV file`(
    type: String, path: String, delimiter: String?
  ) throws {
    let text = """
      {"resources": [{"name": "t", "path": "\(path)", "mediatype": "\(type)",
        "schema": {"fields": [{"name": "a"}]}}, {"name": "u", "path": "u.csv", "schema": {"fields": [{"name": "a"}]}}]}
      """
    let contents = try DataPackage.read(Array(text.utf8), named: "d", ignoringUnsupported: true)
    let source = contents.schema.sources.first { $0.table == "t" }
    #expect(source?.dialect.delimiter == delimiter)
    #expect(source.map { $0.place == .files([path]) } ?? true)
    #expect(contents.warnings.isEmpty == (delimiter != nil))
  }

  @Test(
    arguments: [
      (#""path": "t.csv""#, nil), (#""path": "t.csv", "compression": "gz""#, .gzip),
      (#""path": "t.gz", "compression": "zip""#, .zip),
      (#""path": "t.gz", "compression": "no""#, nil),
    ] as [(String, SourceDescription.Compression?)])
  func `a resource specifies the compression of its files`(
    place: String, compression: SourceDescription.Compression?
  ) throws {
    let text = #"{"resources": [{"name": "t", \#(place), "schema": {"fields": [{"name": "a"}]}}]}"#
    let schema = try DataPackage.read(Array(text.utf8), named: "d").schema
    #expect(schema.sources[0].compression == compression)
    let written = Array(DataPackage.json(of: schema, name: "d").utf8)
    let again = try DataPackage.read(written, named: "d").schema
    #expect(again.sources == schema.sources)
  }

  @Test func `a dialect and missing values are those of all fields`() throws {
    let source = try #require(
      try schema(
        """
        {"resources": [{"name": "t", "path": "t.tsv", "dialect": {"nullSequence": "\\\\N",
            "headerRows": [2, 1], "quoteChar": "", "commentChar": "#"},
          "schema": {"missingValues": ["", "-"], "fieldsMatch": "subset", "fields": [
            {"name": "a"}, {"name": "b", "missingValues": [{"value": "?", "label": "no"}]}]}}]}
        """
      ).sources.first)
    var dialect = SourceDescription.Dialect()
    dialect.delimiter = "\t"
    dialect.headerRows = [1, 2]
    dialect.quote = nil
    dialect.commentPrefix = "#"
    #expect(source.dialect == dialect && source.fieldsMatch == .subset)
    #expect(source.formats.map(\.missingValues) == [["", "-", "\\N"], ["?", "\\N"]])
  }

  @Test func `the description of GTFS feeds is accepted`() throws {
    let file = DescriptorCase.fixtures.appendingPathComponent("../gtfs/datapackage.json")
    let contents = try DataPackage.read(
      path: file.standardizedFileURL.path, ignoringUnsupported: false, needsPlaces: true)
    #expect(contents.name == "gtfs" && contents.warnings == [])
    #expect(contents.schema.tables.contains { $0.name == "stop_times" })
  }
}
