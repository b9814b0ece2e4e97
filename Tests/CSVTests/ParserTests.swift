import CSV
import TestSupport
import Testing

struct ParserTests {
  /// The text, and of every record the line, the offset and the fields, or the faults.
  static let sound: [(String, [String])] = [
    ("", []),
    ("a", ["1:0 a"]),
    ("a\n", ["1:0 a"]),
    ("a\r\n", ["1:0 a"]),
    ("a,b\n1,2\n", ["1:0 a|b", "2:4 1|2"]),
    ("a,b\r\n1,2\r\n", ["1:0 a|b", "2:5 1|2"]),
    ("a\r\nb\nc\r\n", ["1:0 a", "2:3 b", "3:5 c"]),
    (",\n", ["1:0 |"]),
    (",,", ["1:0 ||"]),
    ("a,\n", ["1:0 a|"]),
    (" a , b \n", ["1:0  a | b "]),
    ("a!#$%&'()*+b\t\u{b}\u{c}\n", ["1:0 a!#$%&'()*+b\t\u{b}\u{c}"]),
    ("\"\"\n", ["1:0 "]),
    ("\"\"", ["1:0 "]),
    ("\"a\",\"b\"\n", ["1:0 a|b"]),
    ("\"a,b\",c\n", ["1:0 a,b|c"]),
    ("\"a\"\"b\"\n", ["1:0 a\"b"]),
    ("\"\"\"\"\n", ["1:0 \""]),
    ("\"\"\"a\"\"\",\"\"\"\"\"\"", ["1:0 \"a\"|\"\""]),
    ("\"a\"\"\",\"b\",\"\"\"c\"\n", ["1:0 a\"|b|\"c"]),
    ("\"a\nb\",c\nd\n", ["1:0 a\nb|c", "3:8 d"]),
    ("\"a\r\nb\"\r\n\"\n\n\"\r\nc", ["1:0 a\r\nb", "3:8 \n\n", "6:14 c"]),
    ("\"a\rb\"\nc\n", ["1:0 a\rb", "2:6 c"]),
    ("\n\na\n\n\r\nb\n\n", ["3:2 a", "6:7 b"]),
    ("\n", []),
    ("\r\n", []),
    ("\u{feff}a\nb\n", ["1:3 a", "2:5 b"]),
    ("\u{feff}", []),
    ("\u{feff}\n\u{feff}a\n", ["2:4 \u{feff}a"]),
    ("\u{feff}\"a\"\n", ["1:3 a"]),
    ("é,ü\n\"日本\"\n😀\n", ["1:0 é|ü", "2:6 日本", "3:15 😀"]),
    ("a,\u{301}b\n\"c\"\u{85}", ["1:0 a|\u{301}b", "2:6 text-after-quote 9 in 0, certain"]),
    ("a\u{2028}b\u{85}c\n", ["1:0 a\u{2028}b\u{85}c"]),
  ]

  static let faulty: [(String, [String])] = [
    ("a\"b\nc\n", ["1:0 stray-quote 1 in 0, uncertain", "2:4 c"]),
    ("x,a\"b\"\nc\n", ["1:0 stray-quote 3 in 1, certain", "2:7 c"]),
    // The other reading of an odd number of quotes goes on to the end, so there they agree.
    ("a\"", ["1:0 stray-quote 1 in 0, certain"]),
    ("a\"\r\n", ["1:0 stray-quote 1 in 0, certain"]),
    ("a\"\n\n", ["1:0 stray-quote 1 in 0, uncertain"]),
    ("a\",\"b\nc\"\n", ["1:0 stray-quote 1 in 0, certain", "2:6 stray-quote 7 in 0, certain"]),
    ("x,\"y\", \"z\"\r\nc\n", ["1:0 stray-quote 7 in 2, certain", "2:12 c"]),
    ("\"a\"b\nc\n", ["1:0 text-after-quote 3 in 0, certain", "2:5 c"]),
    ("x,\"a\" ,b\nc\n", ["1:0 text-after-quote 5 in 1, certain", "2:9 c"]),
    ("\"a\"b\"\nc\n", ["1:0 text-after-quote 3 in 0, uncertain", "2:6 c"]),
    ("\"a\nb\"c\nd\n", ["1:0 text-after-quote 5 in 0, certain", "3:7 d"]),
    ("a\rb\nc\n", ["1:0 bare-carriage-return 1 in 0, uncertain", "2:4 c"]),
    ("x,a\r\r\nc\n", ["1:0 bare-carriage-return 3 in 1, uncertain", "2:6 c"]),
    ("\"a\"\rb\nc\n", ["1:0 bare-carriage-return 3 in 0, uncertain", "2:6 c"]),
    ("a\r", ["1:0 bare-carriage-return 1 in 0, uncertain"]),
    ("\r", ["1:0 bare-carriage-return 0 in 0, uncertain"]),
    ("\ra\n\n", ["1:0 bare-carriage-return 0 in 0, uncertain"]),
    ("a,\0b\nc\n", ["1:0 nul-byte 2 in 1, certain", "2:5 c"]),
    ("\"\0\"\nc\n", ["1:0 nul-byte 1 in 0, certain", "2:4 c"]),
    ("x,\0\"\n", ["1:0 stray-quote+nul-byte 2 in 1, certain"]),
    ("x,y\"\0\n", ["1:0 stray-quote+nul-byte 3 in 1, certain"]),
    ("\"", ["1:0 unterminated-quote 0 in 0, uncertain"]),
    ("a\nb,\"c\nd\n", ["1:0 a", "2:2 unterminated-quote 4 in 1, uncertain"]),
    ("\"a\"\"", ["1:0 unterminated-quote 0 in 0, uncertain"]),
    ("a,\"\0", ["1:0 nul-byte+unterminated-quote 2 in 1, uncertain"]),
    ("\0,\"", ["1:0 nul-byte+unterminated-quote 0 in 0, uncertain"]),
  ]

  @Test(arguments: sound + faulty)
  func `a text has these records, regardless of block sizes`(text: String, records: [String]) throws
  {
    let input = Array(text.utf8)
    let whole = try parse(input)
    #expect(whole.records.map(\.description) == records)
    try expectSameForEveryCut(input, whole)
  }

  static let notText: [([UInt8], [String])] = [
    ([0xff], ["1:0 invalid-utf8 0 in 0, certain"]),
    ([97, 44, 0xff, 10, 98, 10], ["1:0 invalid-utf8 2 in 1, certain", "2:4 b"]),
    ([0xc3, 10, 98], ["1:0 invalid-utf8 0 in 0, certain", "2:2 b"]),
    ([0xe2, 0x82, 44, 0x82, 10], ["1:0 invalid-utf8 0 in 0, certain"]),
    ([34, 44, 10, 44, 34, 44, 0x80, 10], ["1:0 invalid-utf8 6 in 1, certain"]),
    ([0xff, 44, 0, 10], ["1:0 nul-byte+invalid-utf8 0 in 0, certain"]),
    ([0, 44, 0xff, 10], ["1:0 nul-byte+invalid-utf8 0 in 0, certain"]),
    ([97, 34, 0xff, 10], ["1:0 stray-quote+invalid-utf8 1 in 0, certain"]),
    ([0xef, 0xbb, 10], ["1:0 invalid-utf8 0 in 0, certain"]),
    ([0xef, 0xbb], ["1:0 invalid-utf8 0 in 0, certain"]),
    // Overlong, a surrogate, and more than U+10FFFF.
    ([0xc0, 0xac, 10], ["1:0 invalid-utf8 0 in 0, certain"]),
    ([0xed, 0xa0, 0x80, 10], ["1:0 invalid-utf8 0 in 0, certain"]),
    ([0xf4, 0x90, 0x80, 0x80, 10], ["1:0 invalid-utf8 0 in 0, certain"]),
  ]

  @Test(arguments: notText)
  func `invalid UTF-8 affects its own record only`(
    input: [UInt8], records: [String]
  ) throws {
    let whole = try parse(input)
    #expect(whole.records.map(\.description) == records)
    try expectSameForEveryCut(input, whole)
  }

  @Test(arguments: [
    ([0xff, 0xfe, 97, 0], "UTF-16"), ([0xfe, 0xff, 0, 97], "UTF-16"), ([0xff, 0xfe], "UTF-16"),
    ([0xff, 0xfe, 0, 0, 97, 0, 0, 0], "UTF-32"), ([0, 0, 0xfe, 0xff, 0, 0, 0, 97], "UTF-32"),
  ])
  func `another byte order mark is an error, regardless of block sizes`(
    input: [UInt8], encoding: String
  ) {
    for capacity in 1...10 {
      for drive in Drive.all(capacity: capacity) {
        #expect(throws: CSVError.unsupportedEncoding(encoding), "\(drive)") {
          try parse(input, drive)
        }
      }
    }
  }

  @Test func `blank lines and line ends are counted`() throws {
    let reading = try parse(Array("a\n\n\r\nb\r\n\"c\n\"\r\n\nd".utf8))
    #expect(reading.blankLines == 3)
    #expect(reading.firstBlankLine == 2)
    #expect(reading.lineFeeds == 1)
    #expect(reading.carriageReturnLineFeeds == 2)
    #expect(reading.line == 8)
  }

  @Test func `fields beyond the limit are counted only`() throws {
    let input = Array("a,b,c\n\"1\"\"\",\"2\"\"\",\"3\"\"\",4\nx\n".utf8)
    let reading = try parse(input, Drive(fieldLimit: 2))
    #expect(reading.records.map(\.description) == ["1:0 a|b|?", "2:6 1\"|2\"|?|?", "3:26 x"])
  }

  private func expectSameForEveryCut(_ input: [UInt8], _ whole: Reading) throws {
    #expect(whole.offset == input.count)
    for capacity in 1...input.count + 2 {
      for drive in Drive.all(capacity: capacity) {
        let reading = try parse(input, drive)
        #expect(reading == whole, "\(drive)")
      }
    }
  }
}
