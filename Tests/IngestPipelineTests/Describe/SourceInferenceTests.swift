import Schema
@testable import Inference
@testable import Facts
import SQLiteSwiftly
import Testing

/// What is found of dumps as a whole: tables, keys, references.
struct SourceInferenceTests {
  /// Dumps by their names, and what is found: each table with its key and its references, in their order.
  @Test(arguments: [
    (
      ["themes.csv": "id,name,parent_id\n1,a,\n2,b,1\n3,c,1\n"],
      ["themes(id) parent_id>themes.id"]
    ),
    (
      [
        "part_categories.csv": "id,name\n1,a\n2,b\n",
        "parts.csv": "part_num,part_cat_id\n003,1\n3,2\n",
        "kits.csv": "child_part_num,color\n3,x\n3,y\n",
      ],
      [
        "part_categories(id)", "parts(part_num) part_cat_id>part_categories.id",
        "kits() child_part_num>parts.part_num",
      ]
    ),
    // A reference needs both: the values, and the name.
    (
      ["a.csv": "id\n1\n2\n", "b.csv": "a_id,size\n1,1\n3,2\n1,1\n"], ["a(id)", "b()"]
    ),
    // Numbers that are ids of a table in which there are others.
    (
      ["stops.csv": "stop_id\n1\nx\n", "times.csv": "at,stop_id\nq,1\nq,1\n"],
      ["stops(stop_id)", "times() stop_id>stops.stop_id text"]
    ),
    // Of a circle of tables one reference is left out.
    (
      ["a.csv": "id,b_id\n1,7\n2,7\n", "b.csv": "id,a_id\n7,1\n8,1\n"],
      ["a(id)", "b(id) a_id>a.id"]
    ),
    // Few records that differ by accident do not make a key.
    (["x.csv": "name,size\na,1\nb,2\n"], ["x()"]),
    (["x.csv": "\u{FEFF}id;name\n1;\"a;b\"\n2;c,d\n"], ["x(id)"]),
  ])
  func `keys and references are found`(dumps: [String: String], expected: [String]) throws {
    let family = try infer(dumps)
    #expect(words(of: family) == expected)
    try family.schema.validate()
  }

  @Test func `several columns make up a key where none does alone`() throws {
    var text = "trip_id,stop_sequence,stop_id,at\n"
    for trip in 1...6 {
      for stop in 1...5 { text += "t\(trip),\(stop),s\(stop % 4),\(stop)\n" }
    }
    #expect(words(of: try infer(["times.csv": text])) == ["times(trip_id, stop_sequence)"])
    text = "a_id,b_id,c_id,kind,size\n"
    for number in 0..<16 {
      text += "\(number & 1),\(number >> 1 & 1),\(number >> 2 & 1),\(number >> 3),1\n"
      text += number < 5 ? "\(number + 10),9,9,9,1\n" : ""
    }
    #expect(words(of: try infer(["x.csv": text])) == ["x(a_id, b_id, c_id, kind)"])
  }

  @Test func `a key that needs too much memory is not checked, and never invented`() throws {
    let ids = (0..<20_000).map { "\($0)\n" }.joined()
    let dumps = ["things.csv": "id\n" + ids, "parts.csv": "thing_id\n1\n1\n"]
    #expect(words(of: try infer(dumps)) == ["things(id)", "parts() thing_id>things.id"])
    let family = try infer(dumps) { $0.keyMemory = 256 << 10 }
    #expect(words(of: family) == ["parts()", "things()"])
    #expect(
      family.tables[1].doubts == [
        "could not check whether (id) is a key: the values need more than 0 MiB of memory"
      ])
  }

  @Test func `names that fit are not enough, and the reason is told`() throws {
    let family = try infer([
      "sets.csv": "set_num,name\n1-1,a\n2-1,b\n",
      "inventories.csv": "id,set_num\n1,1-1\n2,fig-1\n3,1-1\n",
    ])
    #expect(words(of: family) == ["inventories(id)", "sets(set_num)"])
    let column = try #require(family.schema.tables[0].columns.last)
    #expect(
      column.meaning == """
        Text in 3 of 3 records; named like a reference to sets.set_num, which lacks the value on line 3, so \
        not treated as one.
        """)
    let key = try #require(family.schema.tables[0].columns.first?.meaning)
    #expect(
      key == "Integer in 3 of 3 records; 1 to 3; unique; chosen as the key (confidence medium).")
  }

  @Test func `files that are no dumps and records that are none are told`() throws {
    let family = try infer([
      "a.csv": "id,name\n1,x\n2\n3,\"y\"z\n4,w\n", "LICENSE.txt": "All rights\nare yours\n",
      "notes.txt": "Dear, reader\nthis is a text\n", "readme.md": "# A",
    ])
    #expect(words(of: family) == ["a(id)"])
    #expect(family.tables[0].records == 2 && family.tables[0].unreadable == 2)
    #expect(family.tables[0].firstUnreadableLine == 3)
    #expect(
      family.skipped == [
        "LICENSE.txt: its first line is a single field, as in prose",
        "notes.txt: no line has as many fields as the first",
      ])
    #expect(family.schema.sources[0].place == .files(["a.csv"]))
  }

  @Test(arguments: [
    (["readme.md": ""], "DUMPS: no CSV file found."),
    (["a.csv": "x\n", "a.csv.gz": ""], "DUMPS: two files for one table: a.csv and a.csv.gz."),
    (["a.csv": "x,X\n1,2\n"], "DUMPS/a.csv: line 1: two columns are named \"X\""),
    (["a.csv": ""], "DUMPS/a.csv: line 1: no header"),
  ])
  func `what cannot be described is an error`(dumps: [String: String], message: String) throws {
    let error = try #require(throws: IngestError.self) { try infer(dumps) }
    #expect(error.message.replacing(/\/[^:]*\/dumps/, with: "DUMPS").hasPrefix(message))
  }

  @Test(arguments: [
    ("a,b\n1,2\n", ","), ("a;b\n1,5;2,5\n", ";"), ("a\tb\n1\t\"x;y;z\"\n", "\t"), ("a|b|c\n", "|"),
    ("a\n1\n", ","), ("\"a,b\";c\n1;2\n", ";"),
  ])
  func `what separates fields is found`(text: String, delimiter: String) {
    #expect(DelimiterGuess(beginningWith: Array(text.utf8)[...]).delimiter == delimiter)
  }

  private func infer(
    _ dumps: [String: String], change: (inout InferenceOptions) -> Void = { _ in }
  ) throws -> InferredFamily {
    let workplace = try Workplace()
    for (name, text) in dumps { try workplace.write(name, text) }
    var options = InferenceOptions(source: workplace.path + "/dumps")
    change(&options)
    return try FamilyInference(options: options).run()
  }

  private func words(of family: InferredFamily) -> [String] {
    family.schema.tables.map { table in
      let references = table.foreignKeys.map { key in
        let type = table.columns.first { $0.name == key.columns[0] }?.type
        let isText = type == .text && key.columns == ["stop_id"]
        return " \(key.columns[0])>\(key.table).\(key.keyColumns[0])" + (isText ? " text" : "")
      }
      return "\(table.name)(\(table.primaryKey.joined(separator: ", ")))" + references.joined()
    }
  }
}
