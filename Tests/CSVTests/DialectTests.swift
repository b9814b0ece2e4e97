import CSV
import Foundation
import TestSupport
import Testing

struct DialectTests {
  /// A dialect, a text, and its records as the tests of the parser show them.
  static let cases: [(WrittenDialect, String, [String])] = [
    (.init(delimiter: ";"), "a;b\n1,5;\"x;y\"\r\n", ["1:0 a|b", "2:4 1,5|x;y"]),
    (.init(delimiter: "\t"), "a\tb\n\t\n", ["1:0 a|b", "2:4 |"]),
    (.init(delimiter: "||"), "a||b|c\n||\n", ["1:0 a|b|c", "2:7 |"]),
    (.init(delimiter: "→"), "é→ü\n\"→\"→x\n", ["1:0 é|ü", "2:8 →|x"]),
    (.init(quote: "'"), "'a,''b''',\"c\"\n", ["1:0 a,'b'|\"c\""]),
    (.init(quote: "«"), "«a«,b\n", ["1:0 a|b"]),
    (.init(quote: nil), "\"a,b\"\n", ["1:0 \"a|b\""]),
    (
      .init(terminator: ";"), "id,name;1,\"a;b\";2,x\ny",
      ["1:0 id|name", "2:8 1|a;b", "4:16 2|x\ny"]
    ),
    (.init(terminator: "\r"), "a\r\rb\r", ["1:0 a", "3:3 b"]),
    (.init(terminator: "\r\n"), "a\nb\r\n", ["1:0 a", "2:2 b"]),
    (
      .init(escape: "\\"), "a\\,b,\\\"c\\\\\n\"d\\\"e\",f\\\ng\n",
      ["1:0 a,b|\"c\\", "2:11 d\"e|f\ng"]
    ),
    (
      .init(quote: nil, escape: "|"), "1,apple|,fruits\n||,|a\n",
      ["1:0 1|apple,fruits", "2:16 ||a"]
    ),
    (
      .init(doublesQuotes: false), "\"a\"\"b\",c\nd\n",
      ["1:0 text-after-quote 3 in 0, certain", "2:9 d"]
    ),
    (
      .init(doublesQuotes: false, escape: "\\"), "\"a\\\"b\",c\n\"d\"\\e\nf\n",
      ["1:0 a\"b|c", "2:9 text-after-quote 12 in 0, certain", "3:15 f"]
    ),
    (.init(comment: "#"), "#x \"\n\na,b\n#\n\"#\",#1\n#end", ["3:6 a|b", "5:12 #|#1"]),
    (.init(comment: "REM "), "REM a\nREMa\n", ["2:6 REMa"]),
    (
      .init(skipsInitialSpace: true), " a,  \"b,c\" , d e \n \n",
      ["1:0 text-after-quote 10 in 1, certain", "2:18 "]
    ),
    (.init(skipsInitialSpace: true), "  a,  \"b,c\", d e \n", ["1:0 a|b,c|d e "]),
    (.init(delimiter: ";"), "a\"b\nc\n", ["1:0 stray-quote 1 in 0, uncertain", "2:4 c"]),
    (
      .init(delimiter: ";"), "a;b\rc\nd\n", ["1:0 bare-carriage-return 3 in 1, uncertain", "2:6 d"]
    ),
    (
      .init(delimiter: ";"), "a;\0\n\"b",
      ["1:0 nul-byte 2 in 1, certain", "2:4 unterminated-quote 4 in 0, uncertain"]
    ),
    (
      .init(escape: "\\"), "\\N,a\\N,\\NN,\"\\N\"\n\\N\n",
      ["1:0 \\N|aN|NN|N", "2:16 \\N"]
    ),
    (
      .init(escape: "\\"), "a,b\\tc\n\\d\\\\n,e\n",
      ["1:0 ambiguous-escape 3 in 1, certain", "2:7 d\\n|e"]
    ),
    (
      .init(escape: "\\", decodesControls: true), "a\\tb,\"c\\nd\",\\n\n",
      ["1:0 a\tb|c\nd|\n"]
    ),
    (.init(escape: "^"), "a^tb,^n\n", ["1:0 atb|n"]),
    (.init(escape: "\\"), "a,b\\", ["1:0 unterminated-quote 3 in 1, uncertain"]),
  ]

  @Test(arguments: cases)
  func `a text in a dialect has these records, regardless of block sizes`(
    written: WrittenDialect, text: String, records: [String]
  ) throws {
    let input = Array(text.utf8)
    let dialect = try written.dialect()
    for capacity in 1...input.count + 1 {
      for drive in Drive.all(capacity: capacity) {
        let reading = try parse(input, drive, dialect: dialect)
        #expect(reading.records.map(\.description) == records, "\(drive)")
        #expect(isAccounted(reading, input), "\(drive)")
      }
    }
  }

  @Test func `rows are skipped by number`() throws {
    let text = "Report,\"of\n2024\"\n\n#note\nid,name\nunits\n1,a\nlast"
    let dialect = try WrittenDialect(comment: "#").dialect()
    let reading = try parse(Array(text.utf8), dialect: dialect, passedRows: [1, 5, 7])
    #expect(reading.records.map(\.description) == ["5:24 id|name", "7:38 1|a"])
    #expect(isAccounted(reading, Array(text.utf8)))
    // A record that swallows the rest of the file is reported.
    let open = try parse(Array("a\n\"b\nc\n".utf8), passedRows: [2])
    #expect(open.records.last?.faults == .unterminatedQuote)
  }

  @Test(arguments: [
    (WrittenDialect(delimiter: ""), "the delimiter must have 1 to 8 bytes, not 0"),
    (WrittenDialect(delimiter: "123456789"), "the delimiter must have 1 to 8 bytes, not 9"),
    (WrittenDialect(delimiter: "\n"), "the delimiter contains a line end or a NUL character"),
    (WrittenDialect(quote: "''"), "the quote character is longer than one character"),
    (WrittenDialect(quote: ","), "the delimiter and the quote character are ambiguous"),
    (
      WrittenDialect(delimiter: "||", escape: "|"),
      "the delimiter and the escape character are ambiguous"
    ),
    (WrittenDialect(escape: "\""), "the quote character and the escape character are ambiguous"),
    (WrittenDialect(comment: "\"#"), "the comment prefix and the quote character are ambiguous"),
    (
      WrittenDialect(delimiter: " ", skipsInitialSpace: true),
      "the delimiter contains a space, but spaces after a delimiter are skipped"
    ),
  ])
  func `ambiguous marks are not a valid dialect`(written: WrittenDialect, message: String) {
    #expect(throws: DialectError(message: message)) { try written.dialect() }
  }

  @Test func `only the dialect of RFC 4180 uses the fast scan`() throws {
    #expect(try WrittenDialect().dialect().isStandard)
    #expect(try WrittenDialect(terminator: "\r\n").dialect().isStandard)
    #expect(try !WrittenDialect(delimiter: ";").dialect().isStandard)
    #expect(try !WrittenDialect(comment: "#").dialect().isStandard)
  }

  private func isAccounted(_ reading: Reading, _ input: [UInt8]) -> Bool {
    reading.records.reduce(reading.otherBytes) { $0 + $1.length } == input.count
  }
}
