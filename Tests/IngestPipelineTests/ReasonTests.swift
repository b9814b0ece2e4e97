import Vocabulary
import CSV
import Foundation
import SQLiteSwiftly
import Testing
import Text

/// All that is wrong with a record is told, in the order of the columns.
@Suite struct ReasonTests {
  @Test(
    arguments: [
      // Types, domains and parents, each column by itself.
      (
        "things", "x,nowhere,12x,c,yes,zz",
        [
          #"not-an-integer id "x""#, #"missing-parent node "nowhere""#,
          #"not-an-integer size "12x""#, #"not-allowed kind "c""#, #"not-a-boolean is_new "yes""#,
          #"wrong-format code "zz""#,
        ]
      ),
      ("things", ",,11,,,", ["missing-value id", "missing-value node", #"not-allowed size "11""#]),
      (
        "things", "99999999999999999999,leaf,,,,1",
        [#"integer-out-of-range id "99999999999999999999""#, #"wrong-format code "1""#]
      ),
      ("owners", ",y,", ["missing-value owner", #"missing-parent of "y""#, "missing-value rank"]),
      // Keys are looked up where their columns are sound, whatever else is wrong.
      ("things", "1,leaf,11,,,", [#"not-allowed size "11""#, #"duplicate-key id "1""#]),
      ("things", "1,leaf,,,,aa", [#"duplicate-key id "1""#, #"duplicate-key node "leaf""#]),
      (
        "things", "1,leaf,0,,,aa",
        [#"not-allowed size "0""#, #"duplicate-key id "1""#, #"duplicate-key node "leaf""#]
      ),
      ("things", "1,nowhere,,,,aa", [#"missing-parent node "nowhere""#, #"duplicate-key id "1""#]),
      ("things", "x,leaf,,,,aa", [#"not-an-integer id "x""#, #"duplicate-key node "leaf""#]),
      ("owners", "me,leaf,1", [#"duplicate-key owner "me""#]),
      ("owners", "me,leaf,1x", [#"not-an-integer rank "1x""#]),
      (
        "nodes", "leaf,nobody", [#"missing-parent parent "nobody""#, #"duplicate-key name "leaf""#]
      ),
      (
        "nodes", "\"a\nb\",nobody",
        [#"wrong-format name "a\nb""#, #"missing-parent parent "nobody""#]
      ),
      // A text that the parser refuses still has fields.
      (
        "things", "2\0,leaf,12x,,,",
        [#"nul-byte id "2\x00""#, #"not-an-integer id "2\x00""#, #"not-an-integer size "12x""#]
      ),
      (
        "things", "1,leaf,,,,a\0",
        [#"nul-byte code "a\x00""#, #"wrong-format code "a\x00""#, #"duplicate-key id "1""#]
      ),
      ("labels", "x", [#"duplicate-key label "x""#]),
      ("things", "2,Leaf,,,,", [#"missing-parent node "Leaf""#]),
      // Without fields nothing is said of the columns.
      ("owners", "me,x,1,2", ["wrong-field-count -"]),
      ("things", "1,nowhere,12x", ["wrong-field-count -"]),
      ("things", "1\0,nowhere,12x", ["nul-byte id", "wrong-field-count -"]),
      ("things", "1,n\"o,12x,,\0,", ["stray-quote node", "nul-byte node"]),
      ("things", "\0,n\"o,12x,,\0,", ["nul-byte id", "stray-quote node"]),
      ("things", "1,\"n\"o,12x,,\0,", ["text-after-quote node", "nul-byte node"]),
      ("things", "1,\"\0n\"o,12x,,,", ["nul-byte node", "text-after-quote node"]),
      ("things", "1\0,leaf,\r12,,,", ["nul-byte id", "bare-carriage-return size"]),
    ])
  func `a record has all its reasons`(
    table: String, line: String, expected: [String]
  ) throws {
    let workplace = try Family.workplace([
      "things.csv": "id,node,size,kind,is_new,code\n1,leaf,,,,aa\n"
    ])
    let file = workplace.path + "/dumps/\(table).csv"
    let sound = try String(contentsOfFile: file, encoding: .utf8)
    let lines = sound.split(separator: "\n").count
    // What was rejected leaves its keys to the next record.
    try workplace.write("\(table).csv", sound + line + "\n")
    let outcome = load(workplace, Family.schema, limit: .records(1))
    let reject = try #require(outcome.rejects.first)
    let reasons = reject.reasons.map { reason in
      "\(reason.code.rawValue) \(reason.column ?? "-")" + (reason.value.map { " \($0)" } ?? "")
    }
    #expect(reasons == expected)
    // The only field of a record is in a message that shows the record.
    for reason in reject.reasons where table != "labels" {
      guard let value = reason.value else { continue }
      #expect(reason.message.contains(value) == reason.isValueInMessage, "\(reason)")
    }
    #expect(outcome.rejects.count == 1 && reject.file == "\(table).csv")
    #expect(reject.lines.lowerBound == lines + 1 && reject.record == lines)
    #expect(reject.offset == sound.utf8.count)
    #expect(outcome.report?.rejected == 1 && outcome.report?.inserted == 6)
    let account = try #require(outcome.report?.tables.first { $0.table == table })
    #expect(account.rejectedByCode == [reject.reasons[0].code: 1])
    let codes = reject.reasons.map { ($0.code, 1) }
    #expect(account.reasonsByCode == Dictionary(codes, uniquingKeysWith: +))
  }

  @Test func `the keys of a record that is rejected for its values stay free`() throws {
    let workplace = try Family.workplace([
      "things.csv": "id,node,size,kind,is_new,code\n1,leaf,11,,,aa\n1,leaf,,,,aa\n",
      "owners.csv": "owner,of,rank\nme,leaf,x\nme,leaf,1\nme,x,1\nme,leaf,2x\nme,leaf,1\n",
    ])
    let outcome = load(workplace, Family.schema)
    #expect(
      outcome.rejected == [
        "things.csv:2 not-allowed size", "owners.csv:2 not-an-integer rank",
        "owners.csv:5 not-an-integer rank", "owners.csv:6 duplicate-key owner",
      ])
    #expect(try workplace.rows("SELECT id, code FROM things") == ["1|'aa'"])
  }

  @Test func `every fault of form has its own place`() throws {
    let workplace = try Family.workplace()
    var bytes = Data("owner,of,rank\n".utf8)
    bytes.append(Data("\"a,\"\"b\",\u{e9}".utf8))
    bytes.append(contentsOf: [0xff, 0x00, 0x22])
    bytes.append(Data(",1\r\n".utf8))
    try bytes.write(to: URL(fileURLWithPath: workplace.path + "/dumps/owners.csv"))
    let reject = try #require(load(workplace, Family.schema).rejects.first)
    #expect(reject.reasons.map(\.code) == [.invalidUTF8, .nulByte, .strayQuote])
    #expect(reject.reasons.map(\.column) == ["of", "of", "of"])
    #expect(reject.reasons[0].message.hasPrefix("invalid UTF-8 at byte 24: "))
    #expect(reject.reasons[1].message.hasPrefix("NUL at byte 25; "))
    #expect(reject.reasons[2].message.hasPrefix("quote at byte 26 in an unquoted field; "))
  }

  @Test(
    arguments: [
      ("plain", #""plain""#), ("", #""""#), ("a\"b\\c", #""a\"b\\c""#),
      ("\n\r\t\u{1b}\u{7f}", #""\n\r\t\x1b\x7f""#), ("é€😀", #""é€😀""#),
      ("\0\u{85}\u{202e}x", #""\x00\xc2\x85\xe2\x80\xaex""#),
      (
        String(repeating: "x", count: 70),
        "\"" + String(repeating: "x", count: 64) + "\"… (70 bytes)"
      ),
      (
        String(repeating: "é", count: 40),
        "\"" + String(repeating: "é", count: 32) + "\"… (80 bytes)"
      ),
    ])
  func `messages are printable and bounded`(text: String, shown: String) {
    #expect(text.quotedForMessage == shown)
  }

  @Test(
    arguments: [
      ([0xff, 0x41], #""\xffA""#), ([0xc3], #""\xc3""#), ([0xe2, 0x82], #""\xe2\x82""#),
      ([0xc0, 0x80], #""\xc0\x80""#), ([0xed, 0xa0, 0x80], #""\xed\xa0\x80""#),
      ([0xf5, 0x80, 0x80, 0x80], #""\xf5\x80\x80\x80""#), ([0xc3, 0x41], #""\xc3A""#),
    ] as [([UInt8], String)])
  func `bytes that are not UTF-8 are shown as they are`(bytes: [UInt8], shown: String) {
    #expect(bytes.span.quotedForMessage == shown)
  }
}
