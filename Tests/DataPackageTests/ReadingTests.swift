import Foundation

import Testing

@testable import DataPackage
@testable import SQLiteSwiftly
@testable import Schema

@Suite struct ReadingTests {
  @Test(arguments: DescriptorCase.all)
  func `a description has the faults of its case`(_ given: DescriptorCase) throws {
    var found: [String] = []
    do throws(DataPackageError) {
      _ = try DataPackage.read(given.bytes, named: "d.json", needsPlaces: true)
    } catch {
      found = error.faults.map { "\($0.code.rawValue) \($0.pointer)" }
    }
    #expect(found.sorted() == given.faults.sorted())
  }

  @Test func `unsupported features can be ignored`() throws {
    #expect(DescriptorCase.all.count > 150)
    for given in DescriptorCase.all
    where !given.faults.isEmpty
      && given.faults.allSatisfy({
        $0.hasPrefix("feature-unsupported") || $0.hasPrefix("property-misspelt")
      })
    {
      // A package has one table at least.
      let leavesNothing = given.faults.allSatisfy {
        ["/resources/0", "/resources/0/type", "/resources/0/format"].contains(
          $0.dropFirst("feature-unsupported ".count))
      }
      if leavesNothing { continue }
      let contents = try DataPackage.read(given.bytes, named: "d", ignoringUnsupported: true)
      #expect(
        contents.warnings.map { "\($0.code.rawValue) \($0.pointer)" } == given.faults,
        "\(given.name)")
    }
  }

  /// Its rejected records are kept in a file that is named after it.
  @Test(arguments: [
    (String(repeating: "n", count: 200), nil),
    (String(repeating: "n", count: 201), "is too long for file names"),
    (String(repeating: "/", count: 66), nil),
    (String(repeating: "/", count: 67), "is too long for file names"),
    ("../pwned", nil), ("manifest", nil), (".a", nil), ("a\\nb", nil), ("e\u{301}", nil),
    ("\u{e9}", "an earlier resource has the name \"\u{e9}\""),
  ])
  func `a table can have any name that is valid for a file`(name: String, fault: String?) throws {
    let resources = ["e\u{301}", name].suffix(name.unicodeScalars.first == "e" ? 1 : 2).map {
      #"{"name": "\#($0)", "path": "a.csv", "schema": {"fields": [{"name": "f"}]}}"#
    }
    let text = #"{"resources": [\#(resources.joined(separator: ","))]}"#
    guard let fault else {
      let schema = try DataPackage.read(Array(text.utf8), named: "d").schema
      #expect(schema.tables.count == resources.count)
      return
    }
    let error = try #require(throws: DataPackageError.self) {
      try DataPackage.read(Array(text.utf8), named: "d")
    }
    #expect(error.faults.map(\.code) == [.nameInvalid])
    #expect(error.faults[0].problem.contains(fault), "\(error.faults[0].problem)")
  }

  @Test func `a pattern that is not checked is named, and so is the word that was meant`() throws {
    let text = #"""
      {"resources": [{"path": "data/deployments.csv", "schema": {"primaryKeys": "id", "fields": [
        {"name": "id", "type": "string", "constraints": {"pattern": "^(?=\\S).+$"}}]}}]}
      """#
    let contents = try DataPackage.read(Array(text.utf8), named: "d", ignoringUnsupported: true)
    let table = try #require(contents.schema.tables.first)
    #expect(table.name == "deployments" && table.columns[0].domain == nil && table.primaryKey == [])
    #expect(
      contents.warnings.map(\.message) == [
        "d:1: /resources/0/schema/primaryKeys: unknown property \"primaryKeys\"; expected primaryKey, or a name "
          + "that does not resemble it (property-misspelt)",
        "d:2: /resources/0/schema/fields/0/constraints/pattern: the pattern \"^(?=\\\\S).+$\" has an "
          + "unsupported group that begins with (?, at character 4; it is not checked; expected a regular "
          + "expression of XML Schema (feature-unsupported)",
      ])
  }

  @Test func `all faults are reported together, in the order of the text, with lines`() throws {
    let text = """
      { "name": "feed",
        "resources": [
          { "name": "stops", "path": "../stops.txt",
            "schema": { "primaryKey": "stop",
              "fields": [
                { "name": "stop_id", "type": "text" },
                { "name": "lat", "type": "number",
                  "constraints": { "minimum": 90, "maximum": -90 } } ] } } ] }
      """
    let error = try #require(throws: DataPackageError.self) {
      try DataPackage.read(Array(text.utf8), named: "feed.json")
    }
    #expect(
      error.faults.map(\.message) == [
        "feed.json:3: /resources/0/path: the path leads out of the folder: \"../stops.txt\"; expected "
          + "a path below the folder of the description; download remote files first (path-unsafe)",
        "feed.json:4: /resources/0/schema/primaryKey: there is no field \"stop\"; expected "
          + "field names of the schema (reference-invalid)",
        "feed.json:6: /resources/0/schema/fields/0/type: found \"text\"; expected one of string, "
          + "number, integer, boolean, object, array, list, datetime, date, time, year, yearmonth, "
          + "duration, geopoint, geojson, any (property-invalid)",
        "feed.json:8: /resources/0/schema/fields/1/constraints/maximum: the bounds exclude every "
          + "value; expected a lower bound that does not exceed the upper bound (constraint-invalid)",
      ])
  }

  /// What a field becomes: its definition in the table, and how it is written.
  @Test(
    arguments: [
      (#"{"type":"string"}"#, #""f" TEXT"#, FieldFormat.Spelling.exact),
      (
        #"{"type":"string","constraints":{"required":true,"minLength":2,"maxLength":5}}"#,
        #""f" TEXT NOT NULL CHECK (length("f") BETWEEN 2 AND 5)"#, .exact
      ),
      (
        #"{"type":"string","constraints":{"pattern":"[0-9A-Fa-f]{6}"}}"#,
        #""f" TEXT CHECK (length("f") = 6 AND length(CAST("f" AS BLOB)) = 6 "#
          + #"AND "f" NOT GLOB '*[^0-9A-Fa-f]*')"#, .exact
      ),
      (#"{}"#, #""f" TEXT"#, .exact),
      (
        #"{"type":"integer","constraints":{"exclusiveMinimum":0,"maximum":"9"}}"#,
        #""f" INTEGER CHECK ("f" BETWEEN 1 AND 9)"#, .integer(.init())
      ),
      (
        #"{"type":"integer","categories":[{"value":1,"label":"a"},{"value":2}]}"#,
        #""f" INTEGER CHECK ("f" IN (1, 2))"#, .integer(.init())
      ),
      (#"{"type":"integer","ingest":{"exact":true}}"#, #""f" INTEGER"#, .exact),
      (
        #"{"type":"number","constraints":{"minimum":-90,"exclusiveMaximum":90.5}}"#,
        #""f" REAL CHECK ("f" >= -90.0 AND "f" < 90.5)"#, .number(.init())
      ),
      (
        #"{"type":"boolean"}"#, #""f" INTEGER CHECK ("f" IN (0, 1))"#,
        .boolean(true: ["true", "True", "TRUE", "1"], false: ["false", "False", "FALSE", "0"])
      ),
      (
        #"{"type":"date","format":"%d.%m.%Y","constraints":{"minimum":"31.12.2019"}}"#,
        #""f" TEXT CHECK ("f" IS date("f") AND "f" >= '2019-12-31')"#,
        .time(pattern: "%d.%m.%Y")
      ),
      (
        #"{"type":"date","format":"%d %B %Y","constraints":{"minimum":"1 May 2019"}}"#,
        #""f" TEXT CHECK ("f" IS date("f") AND "f" >= '2019-05-01')"#,
        .time(pattern: "%d %B %Y")
      ),
      (
        #"{"type":"list","delimiter":";","itemType":"integer"}"#,
        #""f" TEXT CHECK (("f" IS NULL OR json_valid("f")) AND json_type("f") = 'array')"#,
        .list(delimiter: ";", items: .integer)
      ),
      (
        #"{"type":"geopoint"}"#,
        #""f" TEXT CHECK (("f" IS NULL OR json_valid("f")) AND json_type("f") = 'array')"#,
        .coordinates
      ),
    ])
  func `a field becomes a column`(
    field: String, definition: String, spelling: FieldFormat.Spelling
  ) throws {
    let text = """
      {"resources": [{"name": "t", "schema": {"fields": [{"name": "f", \(field.dropFirst())]}}]}
      """.replacing(#""f", }"#, with: #""f"}"#)
    let schema = try DataPackage.read(Array(text.utf8), named: "d").schema
    #expect(schema.tables.first?.columns.map(\.definition) == [definition])
    #expect(schema.sources.first?.formats.map(\.spelling) == [spelling])
  }
}
