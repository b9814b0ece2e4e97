import Foundation
import Inference
import SQLiteSwiftly
import Schema
import TestSupport
import Testing
import Vocabulary

/// Files in many dialects: what is found of each, and whether its description loads it.
@Suite struct DialectGuessTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    /// The columns, and the number of rows that are loaded.
    let columns: [String]
    let rows: Int
    /// What differs from the usual dialect.
    var change: @Sendable (inout SourceDescription.Dialect) -> Void = { _ in }
  }

  private static let lines = (1...9).map { "\($0),n\($0),\($0).5\n" }.joined()
  private static let columns = ["id", "name", "v"]

  private static func divided(by delimiter: String, _ header: String = "id,name,v\n") -> String {
    (header + lines).replacing(",", with: delimiter)
  }

  private static let delimiters = [";", "\t", "|", "^", "~", "\u{1}", "||", " | ", ":", " "].map {
    delimiter in
    Case(
      testDescription: "delimiter \(delimiter.debugDescription)", text: divided(by: delimiter),
      columns: columns, rows: 9
    ) { $0.delimiter = delimiter }
  }

  private static let marks = [
    Case(
      testDescription: "a blank after the delimiter", text: divided(by: ", "), columns: columns,
      rows: 9
    ) { $0.skipsInitialSpace = true },
    Case(
      testDescription: "quotes after blanks", text: "id, t\n1, \"a, b\"\n2, \"c\"\n",
      columns: ["id", "t"], rows: 2
    ) { $0.skipsInitialSpace = true },
    Case(
      testDescription: "apostrophes", text: "'id';'t'\n'1';'a;b'\n'2';'it''s'\n",
      columns: ["id", "t"], rows: 2
    ) {
      $0.delimiter = ";"
      $0.quote = "'"
    },
    Case(
      testDescription: "long texts with commas",
      text:
        "id,tree\n1,\"(a:1,b:1)c\"\n2,\"\(String(repeating: "(d1:1,e2:1)f3:1,", count: 99))g\"\n",
      columns: ["id", "tree"], rows: 2),
    Case(
      testDescription: "apostrophes in texts", text: "id,t\n1,it's\n2,'tis\n3,o'\n",
      columns: ["id", "t"], rows: 3),
    Case(
      testDescription: "quotes in texts",
      text: "id\tt\n1\t5\" disk\n2\t{\"a\": \"b\"}\n3\t\"x\" y\n",
      columns: ["id", "t"], rows: 3
    ) {
      $0.delimiter = "\t"
      $0.quote = nil
    },
    Case(
      testDescription: "escapes", text: "id,t\n1,\"say \\\"hi\\\", ok\"\n2,b\n",
      columns: ["id", "t"], rows: 2
    ) { ($0.escape, $0.decodesControls) = ("\\", true) },
    Case(
      testDescription: "backslashes at the end", text: "id,t\n1,\"C:\\\"\n2,\"D:\\\"\n",
      columns: ["id", "t"], rows: 2),
    Case(
      testDescription: "carriage returns", text: divided(by: ",").replacing("\n", with: "\r"),
      columns: columns, rows: 9
    ) { $0.lineTerminator = "\r" },
    Case(
      testDescription: "decimal commas", text: "a;b\n1,5;2,5\n3,5;4,5\n", columns: ["a", "b"],
      rows: 2
    ) { $0.delimiter = ";" },
    Case(
      testDescription: "a delimiter in one of three lines", text: "c0\nv0\na;b\n", columns: ["c0"],
      rows: 2),
    Case(testDescription: "times", text: "at\n12:30\n12:45\n", columns: ["at"], rows: 2),
    Case(
      testDescription: "times without a header", text: "10:15\n10:20\n11:30\n", columns: ["field1"],
      rows: 3
    ) { $0.headerRows = [] },
    Case(
      testDescription: "identifiers with a prefix", text: "id\nGO:12\nGO:13\nGO:14\n",
      columns: ["id"], rows: 3),
    Case(
      testDescription: "hardware addresses", text: "00:1a:2b:3c:4d:5e\n00:1a:2b:3c:4d:5f\n",
      columns: ["field1"], rows: 2
    ) { $0.headerRows = [] },
    Case(
      testDescription: "sentences", text: "t\nthe quick fox\na slow dog\nthis: is right\n",
      columns: ["t"], rows: 3),
    Case(
      testDescription: "colons between texts",
      text: "name:city:land\nAl:Rome:Italy\nBo:Paris:France\nEd:Oslo:Norway\n",
      columns: ["name", "city", "land"], rows: 3
    ) { $0.delimiter = ":" },
    Case(
      testDescription: "blanks between texts and numbers", text: "a b c\nx 1 2.5\ny 2 3.5\nz 3 4\n",
      columns: ["a", "b", "c"], rows: 3
    ) { $0.delimiter = " " },
    Case(
      testDescription: "a comma in each text",
      text: "code;address\n" + (1...99).map { "c\($0);\($0) High St,London\n" }.joined(),
      columns: ["code", "address"], rows: 99
    ) { $0.delimiter = ";" },
    Case(
      testDescription: "a comma in each text without a header",
      text: (1...99).map { "c\($0)|\($0) High St,London\n" }.joined(),
      columns: ["c1", "1 High St,London"], rows: 98
    ) { $0.delimiter = "|" },
    Case(
      testDescription: "a comma and a blank in each text, between colons",
      text: "code:v:address\n" + (1...9).map { "c\($0):\($0):\($0) High St, London\n" }.joined(),
      columns: ["code", "v", "address"], rows: 9
    ) { $0.delimiter = ":" },
    Case(
      testDescription: "apostrophes around commas",
      text: "'name','v'\n'Smith, John','x'\n'Doe, Jane','y'\n'it''s, Al','z'\n",
      columns: ["name", "v"], rows: 3
    ) { $0.quote = "'" },
    Case(
      testDescription: "line feeds in a file of carriage returns",
      text: "id,t\r1,\"a\nb\"\r2,b\r3,c\r", columns: ["id", "t"], rows: 3
    ) { $0.lineTerminator = "\r" },
    Case(
      testDescription: "doubled backslashes",
      text: "id,t\n1,\"C:\\\\x\"\n2,\"D:\\\\y\\\\z\"\n3,b\n",
      columns: ["id", "t"], rows: 3
    ) { ($0.escape, $0.decodesControls) = ("\\", true) },
    Case(
      testDescription: "backslashes of network paths", text: "id,t\n1,\"\\\\host\\x\"\n2,b\n",
      columns: ["id", "t"], rows: 2),
    Case(
      testDescription: "names", text: "name\nAl Gore\nBo Derek\n", columns: ["name"], rows: 2),
  ]

  private static let headers = [
    Case(
      testDescription: "a title", text: divided(by: ";", "Report\n\nid,name,v\n"), columns: columns,
      rows: 9
    ) {
      $0.delimiter = ";"
      $0.headerRows = [3]
    },
    Case(
      testDescription: "a title with delimiters",
      text: divided(by: ",", "Report,,\n,,\nid,name,v\n"),
      columns: columns, rows: 9
    ) { $0.headerRows = [3] },
    Case(
      testDescription: "the separator line of Excel", text: divided(by: ";", "sep=;\nid,name,v\n"),
      columns: columns, rows: 9
    ) {
      $0.delimiter = ";"
      $0.headerRows = [2]
    },
    Case(
      testDescription: "comments", text: "# a\n# b, c\nid,name,v\n" + lines + "# d\n",
      columns: columns, rows: 9
    ) { $0.commentPrefix = "#" },
    Case(
      testDescription: "a header like a comment", text: "#id,name,v\n" + lines,
      columns: ["#id", "name", "v"], rows: 9),
    Case(
      testDescription: "equal header rows", text: "id,name,v\nid,name,v\n" + lines,
      columns: columns, rows: 9
    ) { $0.headerRows = [1, 2] },
    Case(
      testDescription: "merged cells", text: "A,,B,\nX,Y,X,Y\n1,2,3,4\n5,6,7,8\n",
      columns: ["A X", "A Y", "B X", "B Y"], rows: 2
    ) { $0.headerRows = [1, 2] },
    Case(
      testDescription: "units", text: "time,speed\n(s),(m/s)\n0,1.5\n1,2.5\n",
      columns: ["time (s)", "speed (m/s)"], rows: 2
    ) { $0.headerRows = [1, 2] },
    Case(
      testDescription: "no header", text: lines, columns: ["field1", "field2", "field3"], rows: 9
    ) { $0.headerRows = [] },
    Case(
      testDescription: "years as names", text: "land,2000,2001\na,1,2\nb,3,4\n",
      columns: ["land", "2000", "2001"], rows: 2),
    Case(
      testDescription: "row labels", text: "\"a\",\"b\"\n\"r1\",1,2\n\"r2\",3,4\n",
      columns: ["column_1", "a", "b"], rows: 2),
    Case(
      testDescription: "a delimiter at the end of records", text: "id,a\n1,x,\n2,y,\n",
      columns: ["id", "a", "column_3"], rows: 2),
    Case(
      testDescription: "a last field without a name, but with values",
      text: "id,a,\n1,x,\n2,y,z\n", columns: ["id", "a", "column_3"], rows: 2),
    Case(
      testDescription: "more names than fields", text: "id,a,b,c\n1,x\n2,y\n",
      columns: ["id", "a"],
      rows: 2),
    Case(
      testDescription: "missing and equal names",
      text: ",name,Name,name_2,\n0,1,2,3,4\n1,5,6,7,8\n",
      columns: ["column_1", "name", "Name_3", "name_2", "column_5"], rows: 2),
    Case(
      testDescription: "blanks around names",
      text: "\u{feff}\u{feff}id, a,b\u{a0},c\u{200b}\n1,x,y,z\n", columns: ["id", "a", "b", "c"],
      rows: 1),
  ]

  @Test(arguments: delimiters + marks + headers)
  func `a dialect is found, and the description loads the file`(_ file: Case) throws {
    let workplace = try Workplace()
    try workplace.write("t.csv", file.text)
    let family = try describe(workplace)
    var expected = SourceDescription.Dialect()
    file.change(&expected)
    #expect(family.schema.sources[0].dialect == expected)
    #expect(family.schema.tables[0].columns.map(\.name) == file.columns)
    let outcome = load(workplace, family.schema)
    #expect(outcome.error == nil && outcome.rejected.isEmpty)
    #expect(outcome.report?.tables[0].inserted == file.rows)
  }

  @Test func `files with changed names are matched by order, and another header is refused`() throws
  {
    let workplace = try Workplace()
    try workplace.write("t.csv", ",a, b,a\n1,x,y,z\n")
    let family = try describe(workplace)
    #expect(family.schema.sources[0].fieldsMatch == .exact)
    #expect(
      family.tables[0].doubts.map(\.words) == [
        "fields are matched by order, since names were changed: field 1 is \"column_1\", field 3 is \"b\", "
          + "field 4 is \"a_2\""
      ])
    for (header, code) in [(",b,a,a", "column-duplicate"), ("i,a,b,c", "column-missing")] {
      try workplace.write("t.csv", header + "\n1,x,y,z\n")
      #expect(load(workplace, family.schema).error?.code?.name == code)
    }
  }

  @Test func `a repeated header is skipped, and no type follows from it`() throws {
    let workplace = try Workplace()
    try workplace.write("t.csv", "id,name\n1,a\n\u{feff}id,name\r\n2,b\nid,name")
    let family = try describe(workplace)
    #expect(family.schema.tables[0].columns.map(\.type) == [.integer, .text])
    #expect(family.schema.tables[0].primaryKey == ["id"])
    #expect(
      family.tables[0].doubts.map(\.words) == [
        "2 records repeat the header, in lines 3, 5, and will be skipped"
      ])
    let outcome = load(workplace, family.schema)
    #expect(outcome.error == nil && outcome.rejected.isEmpty)
    #expect(
      outcome.warnings.first { $0.code == .repeatedHeader }?.message
        == "2 records repeat the header, in lines 3, 5, and are skipped; files were probably joined"
    )
    let counts = outcome.report?.tables[0]
    #expect(counts?.inserted == 2 && counts?.leftOut == 2 && counts?.read == 4)
    let parts = (1...12).map { "\($0),x\n" }.joined(separator: "id,name\n")
    try workplace.write("t.csv", "id,name\n" + parts)
    let joined = load(workplace, family.schema)
    #expect(
      joined.warnings.first?.message
        == "11 records repeat the header, in lines 3, 5, 7, 9, 11, 13, 15, 17, 19, 21 and 1 more, and are skipped; "
        + "files were probably joined")
    // With an owner's description, it may be a record of texts.
    var owned = family.schema
    owned.hasInferredTypes = false
    #expect(load(workplace, owned).report?.tables[0].leftOut == 11)
    try workplace.write("t.csv", "a,b\n1x,y\na,b\n2x,z\n")
    var texts = try describe(workplace).schema
    texts.hasInferredTypes = false
    #expect(load(workplace, texts).report?.tables[0].inserted == 3)
  }

  @Test func `a repeated header breaks no reference`() throws {
    let workplace = try Workplace()
    try workplace.write("teams.csv", "id,name\n1,a\n2,b\n")
    try workplace.write("games.csv", "game_id,team_id\n1,1\ngame_id,team_id\n2,2\n")
    #expect(try describe(workplace).schema.tables[1].foreignKeys.map(\.table) == ["teams"])
  }

  @Test func `lines after an open quote are reported by the description and by the load`() throws {
    let workplace = try Workplace()
    let lines = (1...199).map {
      $0 == 50 ? "50,\"open,1\n" : $0 == 90 ? "90,close\",1\n" : "\($0),n,1\n"
    }
    try workplace.write("t.csv", "id,name,v\n" + lines.joined())
    let family = try describe(workplace)
    #expect(
      family.tables[0].doubts.contains(.dialect(.recordsInFields(41, firstLine: 51))),
      "\(family.tables[0].doubts)")
    let warnings = load(workplace, family.schema).warnings
    #expect(warnings.map(\.code) == [.recordsInField])
    #expect(
      warnings.map(\.message) == [
        "line 51: 41 lines in fields look like records: a closing quote may be missing. Check the record"
      ])
    // A text of many lines is not a table.
    let prose = (1...30).map { "line \($0)\n" }.joined()
    try workplace.write("t.csv", "id,name\n1,\"\(prose)\"\n2,b\n")
    let other = try describe(workplace)
    #expect(other.tables[0].doubts.isEmpty)
    #expect(!load(workplace, other.schema).warnings.contains { $0.code == .recordsInField })
  }

  @Test(arguments: [
    (
      "id,a,b\n1,x,1\n2,y,2\n3,z,3\n\ncode,name\nA,Al\n",
      DialectRemark.otherTable(fields: 2, firstLine: 6)
    ),
    ("id,a,b\n1,x,1\n\ncode,name\nA,Al\nB,Bo\nC,Cy\nD,Di\n", .otherTable(fields: 3, firstLine: 1)),
    ("id,a,b\n1,x,1\n2,y\n3,z,3\n4,z\n5,z,3\n", nil),
  ])
  func `another table in the file is reported`(_ text: String, _ expected: DialectRemark?) throws {
    let workplace = try Workplace()
    try workplace.write("t.csv", text)
    let doubts = try describe(workplace).tables[0].doubts
    let found = doubts.filter { if case .dialect(.otherTable) = $0 { true } else { false } }
    #expect(found == expected.map { [.dialect($0)] } ?? [])
  }

  @Test func `what is met only after the sample is reported, or is evidence`() throws {
    let workplace = try Workplace()
    let lines = (1...6000).map { "\($0),name \($0),1.5\n" }
    func doubts(_ first: String, _ last: String) throws -> (InferredFamily, [Doubt]) {
      try workplace.write("t.csv", "id,name,v\n" + first + lines.joined() + last)
      let family = try describe(workplace)
      return (family, family.tables[0].doubts)
    }
    #expect(try doubts("", "7001,\"a, b\",1.5\n").1.isEmpty)
    #expect(
      try doubts("0,5\" disk,1\n", "7001,\"a\",1.5\n").1 == [
        .dialect(.quote("")), .dialect(.enclosed(1, firstLine: 6003)),
      ])
    #expect(
      try doubts("", "7001,\"a \\\"b\\\"\",1.5\n").1 == [.unreadableRecords(1, firstLine: 6002)])
    let (family, found) = try doubts("# note\n0,a,1\n# note\n", "#1,b,1\n#2,c,1\n")
    #expect(family.schema.sources[0].dialect.commentPrefix == nil)
    #expect(found == [.unreadableRecords(2, firstLine: 2)])
    let outcome = load(workplace, family.schema)
    #expect(outcome.report?.tables[0].inserted == 6003)
    #expect(try doubts("# note\n", "# note\n").1 == [.dialect(.comments)])
  }

  @Test func `what is stated is not guessed`() throws {
    func found(
      _ text: String, _ tell: (inout StatedDialect) -> Void
    ) throws -> (columns: [String], rows: Int?) {
      let workplace = try Workplace()
      try workplace.write("t.csv", text)
      let family = try describe(workplace, tell)
      let rows = load(workplace, family.schema).report?.tables[0].inserted
      return (family.schema.tables[0].columns.map(\.name), rows)
    }
    #expect(try found("a;b|c\n1;2|3\n") { $0.delimiter = "|" } == (["a;b", "c"], 1))
    #expect(try found("x,y\nid,a\n1,2\n") { $0.headerRows = [2] } == (["id", "a"], 1))
    #expect(try found("x,y\nid,a\n1,2\n") { $0.headerRows = [] } == (["field1", "field2"], 3))
    #expect(try found("id,'a'\n1,2\n") { $0.quote = "'" } == (["id", "a"], 1))
    #expect(try found("id,\"a\"\n1,2\n") { $0.quote = "" } == (["id", "\"a\""], 1))
    #expect(try found("% x\nid,a\n1,2\n") { $0.commentPrefix = "%" } == (["id", "a"], 1))
    // Comments before the header are skipped, and later records may begin like them.
    #expect(try found("# x\nid,a\n1,2\n#b,3\n") { _ in } == (["id", "a"], 2))
    #expect(
      try found("id, name, price\n" + String(repeating: "1, n, \"8,47\"\n", count: 60)) { _ in }
        == (["id", "name", "price"], 60))
    #expect(try found("id,a!,b\n1,2\n") { $0.escape = "!" } == (["id", "a,b"], 1))
  }

  @Test(arguments: [
    ("a;b\n1;2;3\n4\n5\n6\n7\n8\n9\n", DialectRemark.singleField(nil)),
    ("name age\nAl 12\nBo 13\nEd 14\n", .singleField(" ")),
    ("name:city\nAl:Rome\nBo:Paris\nEd:Oslo\n", .singleField(":")),
    ("name\nAl Gore\nBo Derek\n", nil), ("10:15\n10:20\n11:30\n", nil),
  ])
  func `a table of one column that may be several is reported`(
    _ text: String, _ expected: DialectRemark?
  ) throws {
    let workplace = try Workplace()
    try workplace.write("t.csv", text)
    let doubts = try describe(workplace).tables[0].doubts
    let isFound = doubts.contains { if case .dialect(.singleField) = $0 { true } else { false } }
    #expect(isFound == (expected != nil))
    if let expected { #expect(doubts.contains(.dialect(expected))) }
  }

  private func describe(
    _ workplace: Workplace, _ tell: (inout StatedDialect) -> Void = { _ in }
  ) throws -> InferredFamily {
    var options = InferenceOptions(source: workplace.path + "/dumps")
    tell(&options.stated)
    return try FamilyInference(options: options).run()
  }
}
