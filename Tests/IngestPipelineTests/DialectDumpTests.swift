import Vocabulary
import Foundation
import SQLiteSwiftly
import Schema
import Testing

/// Dumps in other dialects: what is rejected stays as it was, and comes back in the same dialect.
@Suite struct DialectDumpTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let dump: String
    /// The rejected records, and what they are repaired to, each with the header.
    let kept: String
    let repaired: String
    /// The rows when the second of them is loaded.
    let rows: [String]
    let change: @Sendable (inout SourceDescription.Dialect) -> Void
  }

  static let cases = [
    Case(
      testDescription: "semicolons", dump: "id;name;note\r\n1;\"a;b\";\r\nx;bad;\n3;c\n2;d;1,5",
      kept: "id;name;note\r\nx;bad;\n3;c\n", repaired: "id;name;note\r\n4;\"b;c\";\n3;c;\n",
      rows: ["1|'a;b'|-", "2|'d'|'1,5'", "3|'c'|-", "4|'b;c'|-"]
    ) { $0.delimiter = ";" },
    Case(
      testDescription: "no header", dump: "1,a,\nx,b,\n2,c,d\n3", kept: "x,b,\n3\n",
      repaired: "4,b,\n3,,\n", rows: ["1|'a'|-", "2|'c'|'d'", "3|-|-", "4|'b'|-"]
    ) { $0.headerRows = [] },
    Case(
      testDescription: "several header rows",
      dump: "Title \"of\"\nid,na,no\n,me,te\nunits,u,u\n1,a,\nx,b,\n",
      kept: "id,na,no\n,me,te\nx,b,\n", repaired: "id,na,no\n,me,te\n2,b,\n",
      rows: ["1|'a'|-", "2|'b'|-"]
    ) {
      $0.headerRows = [2, 3]
      $0.headerJoin = ""
      $0.commentRows = [4]
    },
    Case(
      testDescription: "line ends of its own", dump: "id,name,note;1,a\n,;x,b,;2,\"c;\",d",
      kept: "id,name,note;x,b,;", repaired: "id,name,note;4,\"b;\",;",
      rows: ["1|'a\n'|-", "2|'c;'|'d'", "4|'b;'|-"]
    ) { $0.lineTerminator = ";" },
    Case(
      testDescription: "comments, quotes and escapes",
      dump: "#made\nid,name,note\n1,'a,\\'b',\n#no '\nx,b\\,c,\n", kept: "id,name,note\nx,b\\,c,\n",
      repaired: "id,name,note\n2,b\\,c,\n", rows: ["1|'a,'b'|-", "2|'b,c'|-"]
    ) {
      $0.commentPrefix = "#"
      $0.quote = "'"
      $0.escape = "\\"
    },
    Case(
      testDescription: "tabs, without quotes", dump: "id\tname\tnote\n1\t\"a\t\n\"\tb\t\n",
      kept: "id\tname\tnote\n\"\tb\t\n", repaired: "id\tname\tnote\n2\tb\t\n",
      rows: ["1|'\"a'|-", "2|'b'|-"]
    ) {
      $0.delimiter = "\t"
      $0.quote = nil
    },
  ]

  @Test(arguments: cases)
  func `rejected records are kept in the dialect, and repaired in it`(given: Case) throws {
    let schema = Places.schema { given.change(&$0.dialect) }
    let workplace = try Places.workplace(["places.csv": given.dump])
    let first = load(workplace, schema)
    #expect(first.error == nil && !first.rejects.isEmpty)
    try expectAccounts(first, given.dump.utf8.count)
    #expect(try workplace.kept.records("places") == given.kept)
    for reason in try workplace.kept.reasons("places") {
      let record = Array(given.dump.utf8)[reason.bytes]
      #expect(given.kept.contains(String(decoding: record, as: UTF8.self)))
    }
    try workplace.kept.write("places.csv", given.repaired)
    try repair(workplace, schema)
    #expect(try workplace.repairs("places.leave-out.csv") == given.kept)
    #expect(try workplace.repairs("places.add.csv") == given.repaired)
    let next = loadRepaired(workplace, schema)
    #expect(next.error == nil && next.rejected.isEmpty)
    try expectAccounts(next, nil)
    let expected: [WarningCode] = [.mixedLineEnds, .columnEmpty, .noFinalNewline, .nullsRisen]
    #expect(next.warnings.allSatisfy { expected.contains($0.code) })
    #expect(try workplace.places == given.rows)
  }

  @Test func `a record is left out by its bytes, also without a header`() throws {
    let schema = Places.schema { $0.dialect.headerRows = [] }
    // What the second record begins with is no byte order mark.
    let workplace = try Places.workplace(["places.csv": "1,a,\n\u{feff}2,b,\n3,c,\n"])
    #expect(load(workplace, schema).rejected == ["places.csv:2 not-an-integer id"])
    #expect(try workplace.kept.records("places") == "\u{feff}\u{feff}2,b,\n")
    try workplace.kept.write("places.csv", "2,b,\n")
    try repair(workplace, schema)
    #expect(try workplace.repairs("places.leave-out.csv") == "\u{feff}\u{feff}2,b,\n")
    let outcome = loadRepaired(workplace, schema)
    #expect(outcome.error == nil && outcome.rejected.isEmpty)
    #expect(try workplace.places == ["1|'a'|-", "2|'b'|-", "3|'c'|-"])
  }

  @Test func `without a header, a reason states the fields of the table`() throws {
    let schema = Places.schema { $0.dialect.headerRows = [] }
    let workplace = try Places.workplace(["places.csv": "1,a,\n2,b\n"])
    let reject = try #require(load(workplace, schema).rejects.first)
    #expect(reject.record == 2 && reject.lines == 2...2)
    #expect(
      reject.reasons[0].message
        == #"2 fields, but the table has 3; add the missing fields, or delimiters for empty ones: "2,b""#
    )
  }

  @Test(arguments: [
    (
      quote: ",", headerRows: [1],
      message:
        "places: invalid CSV dialect: the delimiter and the quote character are "
        + "ambiguous. Nothing was read. Correct the description."
    ),
    (
      quote: "'", headerRows: [0],
      message:
        "places: header or comment rows 0; expected numbers from 1 to 1,000,000. Nothing was read. Correct "
        + "the description."
    ),
  ])
  func `an invalid dialect ends the run`(
    quote: String, headerRows: [Int], message: String
  ) throws {
    let workplace = try Places.workplace(["places.csv": "id,name,note\n"])
    let schema = Places.schema {
      $0.dialect.quote = quote
      $0.dialect.headerRows = headerRows
    }
    #expect(load(workplace, schema).error?.message == message)
  }

  private func expectAccounts(_ outcome: Outcome, _ bytes: Int?) throws {
    let table = try #require(outcome.whole.tables.first)
    #expect(table.imbalances.isEmpty && table.imbalanceOfRows == nil)
    if let bytes { #expect(table.bytes == bytes) }
  }
}
