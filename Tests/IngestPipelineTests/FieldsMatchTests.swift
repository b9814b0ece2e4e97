import Vocabulary
import SQLiteSwiftly
import Schema
import Testing

@Suite struct FieldsMatchTests {
  /// What a match gives for a header: the row of the record 1, 2, 3 and so on, or the code of the failure.
  static let cases: [(SourceDescription.FieldsMatch, [(header: String, outcome: String)])] = [
    (
      .known,
      [
        ("id,name,note", "1|'2'|'3'"), ("note,id", "2|-|'1' column-absent column-order"),
        ("id,more", "1|-|- column-absent column-absent column-unknown"),
        ("name,note", "column-missing"),
      ]
    ),
    (
      .exact,
      [
        ("id,name,note", "1|'2'|'3'"), ("id,note,name", "header-mismatch"),
        ("id,name", "column-missing"), ("id,name,note,more", "header-mismatch"),
        ("id,name,Note", "column-missing"), ("id,id,name", "column-duplicate"),
      ]
    ),
    (
      .equal,
      [
        ("note,name,id", "3|'2'|'1'"), ("id,name", "column-missing"),
        ("id,name,note,more", "header-mismatch"),
      ]
    ),
    (
      .subset,
      [
        ("more,id,name,note", "2|'3'|'4' column-unknown"), ("id,name,note", "1|'2'|'3'"),
        ("id,name,more", "column-missing"),
      ]
    ),
    (
      .superset,
      [
        ("name,id", "2|'1'|-"), ("id", "1|-|-"), ("id,name,more", "header-mismatch"),
        ("name,note", "column-missing"),
      ]
    ),
    (
      .partial,
      [
        ("more,id", "2|-|- column-unknown"), ("id,name,note", "1|'2'|'3'"),
        ("more", "column-missing"),
      ]
    ),
  ]

  @Test(arguments: cases)
  func `fields match as the description permits`(
    match: SourceDescription.FieldsMatch, headers: [(header: String, outcome: String)]
  ) throws {
    for (header, expected) in headers {
      let count = header.split(separator: ",").count
      let record = (1...count).map(String.init).joined(separator: ",")
      let workplace = try Places.workplace(["places.csv": "\(header)\n\(record)\n"])
      let outcome = load(workplace, Places.schema { $0.fieldsMatch = match })
      let warnings = outcome.warnings.map(\.code.rawValue).filter { $0 != "column-empty" }
      let got =
        try outcome.error.map { $0.code?.name ?? "\($0)" }
        ?? (workplace.places + warnings).joined(separator: " ")
      #expect(got == expected, "\(match) \(header)")
    }
  }

  @Test func `the error states the actual and expected header`() throws {
    let workplace = try Places.workplace(["places.csv": "id,note,name\n1,,\n"])
    let message = load(workplace, Places.schema { $0.fieldsMatch = .exact }).error?.message
    #expect(
      message
        == "\(workplace.path)/dumps/places.csv: line 1: field 2 is \"note\", expected name. "
        + "The header is \"id,note,name\"; the description has id,name,note, and fieldsMatch is exact: "
        + "exactly the described fields, in that order. Correct the description, or check whether this is "
        + "the source file of places.")
    try workplace.write("places.csv", "id,name\n1,\n")
    #expect(
      load(workplace, Places.schema { $0.fieldsMatch = .subset }).error?.message
        == "\(workplace.path)/dumps/places.csv: line 1: no column note in the header \"id,name\". "
        + "The description requires it (fieldsMatch is subset): check whether this is the source file of "
        + "places, or whether the column was renamed.")
  }

  /// An optional column of a table without any row of the description would be a table of NULLs.
  @Test func `a header without any column of the description is refused`() throws {
    let table = TableDescription(
      "things", columns: [ColumnDescription("a", .text, isNullable: true)], primaryKey: [])
    let workplace = try Places.workplace(["things.csv": "b\n1\n"])
    let schema = SchemaDescription(tables: [table], applicationID: 78, version: 1)
      .withSources { $0.fieldsMatch = .partial }
    let error = load(workplace, schema).error
    #expect(error?.code == .file(.headerMismatch))
    #expect(error?.message.contains("no column of the description is in the header") == true)
  }

  @Test(arguments: [
    ("a,b\nc,d\n1,2\n", "a c,b d"), ("x\nc,d\n1,2\n", "x c,x d"), ("a,\na,d\n1,2\n", "a,d"),
    ("a,b,c\nd\n1,2,3\n", "a d,b d,c d"),
  ])
  func `header rows are joined`(text: String, names: String) throws {
    let table = TableDescription(
      "things",
      columns: names.split(separator: ",").map {
        ColumnDescription(String($0), .integer, isNullable: true)
      }, primaryKey: [])
    let workplace = try Places.workplace(["things.csv": text])
    let schema = SchemaDescription(tables: [table], applicationID: 78, version: 1).withSources {
      $0.fieldsMatch = .exact
      $0.dialect.headerRows = [1, 2]
    }
    let outcome = loaded(workplace, schema)
    #expect(outcome.report?.tables[0].inserted == 1)
  }
}
