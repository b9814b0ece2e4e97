import Schema
@testable import Inference
@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// What is found of dumps as a whole: tables, keys, references.
struct SourceInferenceTests {
  /// Dumps by their names, and what is found: each table with its key and its references, in their order.
  @Test(arguments: [
    (["themes.csv": "id,name,parent_id\n1,a,\n2,b,1\n3,c,1\n"], ["themes(id) parent_id>themes.id"]),
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
    (["a.csv": "id\n1\n2\n", "b.csv": "a_id,size\n1,1\n3,2\n1,1\n"], ["a(id)", "b()"]),
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
    // "-" is not missing where only NULL is.
    (
      [
        "countries.csv": "code,name\nAT,a\nDE,b\nNULL,c\n",
        "cities.csv": "city,country_code,size\na,AT,1\nb,-,NULL\nb,NULL,2\n",
      ],
      ["cities()", "countries(code)"]
    ),
    // Roles of rows of a table whose name begins like that of their own table.
    (
      [
        "stats.csv": "id\n1\n2\n", "game_stats.csv": "id\n1\n2\n",
        "game_moves.csv": "need_stat_id\n1\n1\n", "moves.csv": "need_stat_id\n1\n1\n",
      ],
      [
        "game_stats(id)", "game_moves() need_stat_id>game_stats.id", "stats(id)",
        "moves() need_stat_id>stats.id",
      ]
    ),
    (
      [
        "game_stats.csv": "id\n1\n2\n", "game_bonus_stats.csv": "id\n1\n2\n",
        "game_moves.csv": "bonus_stat_id\n1\n1\n",
      ],
      ["game_bonus_stats(id)", "game_moves() bonus_stat_id>game_bonus_stats.id", "game_stats(id)"]
    ),
    (["x.csv": "Unique ID,Identifier\na,1\nb,2\n"], ["x(Unique ID)"]),
    // A detail table has its own key.
    (
      [
        "calendar.csv": "service_id,monday\na,1\nb,0\n",
        "calendar_dates.csv": "service_id,date\na,20240101\nb,20240101\n",
      ],
      ["calendar(service_id)", "calendar_dates() service_id>calendar.service_id"]
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

  /// Every pair of names that fit is found without comparing all pairs.
  @Test func `related names are found by their words`() throws {
    let words = [
      "order", "orders", "item", "user", "id", "code", "part", "category", "cat", "num", "parent",
    ]
    var generator = SeededGenerator(seed: 63)
    let workplace = try Workplace()
    func name() -> String {
      (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        words.randomElement(using: &generator) ?? ""
      }.joined(separator: "_")
    }
    for table in Set((0..<40).map { _ in name() }) {
      let columns = Set((0..<5).map { _ in name() }).sorted()
      try workplace.write(table + ".csv", columns.joined(separator: ",") + "\n")
    }
    let options = InferenceOptions(source: workplace.path + "/dumps")
    let tables = try FoundSources(options).sources.map { try UndescribedTable($0, options) }
    let names = FamilyNames(tables)
    var fitting = 0
    for (parent, table) in tables.enumerated() {
      let whole = tables.filter {
        $0.words.words.count < table.words.words.count
          && table.words.words.starts(with: $0.words.words)
      }
      #expect(
        names.columnsOfWhole(of: parent).map(\.name).sorted()
          == whole.flatMap { $0.columns.compactMap { $0?.name } }.sorted())
      for (key, keyWords) in table.columns.enumerated() {
        let near = Set(names.columns(near: key, of: parent).map { $0.table << 32 | $0.column })
        for (child, other) in tables.enumerated() {
          for (column, words) in other.columns.enumerated() {
            guard let words, let keyWords else { continue }
            let fit = words.fit(
              in: other.words, to: keyWords, of: table.words, isSelf: child == parent)
            #expect(
              fit == 0 || near.contains(child << 32 | column), "\(words.name) \(table.words.name)")
            fitting += fit > 0 ? 1 : 0
            guard child != parent, words.isNamedAfter(table.words) else { continue }
            let after = names.tables(near: words, besides: child)
            #expect(after.contains { $0.name == table.words.name })
          }
        }
      }
    }
    #expect(fitting > 100)
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
      family.tables[1].doubts.map(\.words) == [
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
        not treated as a reference.
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
    #expect(family.tables[0].records == 3)
    #expect(family.tables[0].doubts.contains(.unreadableRecords(1, firstLine: 3)))
    #expect(
      family.skipped == [
        "readme.md: no CSV file has such an extension",
        "LICENSE.txt: its lines have one field, or different numbers of fields, as in prose",
        "notes.txt: its lines have one field, or different numbers of fields, as in prose",
      ])
    #expect(family.schema.sources[0].place == .files(["a.csv"]))
  }

  @Test(arguments: [
    (
      ["readme.md": "", "a.csv.bz2": ""],
      "DUMPS: no CSV file found. a.csv.bz2: bzip2 is not supported. Decompress it, or compress it with gzip. "
        + "readme.md: no CSV file has such an extension. File names must end in .csv"
    ),
    (["a.csv": "x\n", "a.csv.gz": ""], "DUMPS: two files for one table: a.csv and a.csv.gz."),
    (
      ["a.csv": "x,y\n1,\"2\n"],
      "DUMPS: no readable CSV file found: DUMPS/a.csv: line 2: the file ends inside quotes"
    ),
    (["a.csv": ""], "DUMPS: no readable CSV file found: DUMPS/a.csv: line 1: no header"),
  ])
  func `what cannot be described is an error`(dumps: [String: String], message: String) throws {
    let error = try #require(throws: IngestError.self) { try infer(dumps) }
    #expect(error.message.replacing(/\/[^:]*\/dumps/, with: "DUMPS").hasPrefix(message))
  }

  /// Files by their names, and what is said of those that are not described.
  @Test func `each file is described, or reported with the reason`() throws {
    let workplace = try Workplace()
    func write(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: workplace.path + "/dumps/" + name))
    }
    let text = "id,name\n1,x\n2,y\n"
    for name in ["a.csv", "README", "b.json", "c.md", "d.xlsx", ".hidden", "x_old.csv"] {
      try workplace.write(name, text)
    }
    try workplace.write("pipes.psv", text.replacing(",", with: "|"))
    try workplace.write(
      "e.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 12\n")
    try workplace.write("back\\slash.csv", text)
    for ending in ["bz2", "xz", "zst", "7z"] { try workplace.write("f.csv.\(ending)", "x") }
    try write("g.csv.GZ", gzip(text))
    try write("h.csv.gz", gzip(bytes: gzip(text)))
    try write("i.csv", gzip(text))
    try write("one.zip", ZipBuilder([.init("any.CSV", text)]).bytes)
    try write("a.zip", ZipBuilder([.init("a.csv", text)]).bytes)
    try write("image.zip", ZipBuilder([.init("image.png", "")]).bytes)
    try write("none.csv.zip", ZipBuilder([]).bytes)
    try FileManager.default.createSymbolicLink(
      atPath: workplace.path + "/dumps/gone.csv", withDestinationPath: "nowhere")
    try write("all.zip", ZipBuilder([.init("a.csv", text), .init("b.csv", text)]).bytes)
    try FileManager.default.createDirectory(
      atPath: workplace.path + "/dumps/sub", withIntermediateDirectories: true)
    var options = InferenceOptions(source: workplace.path + "/dumps")
    options.excluded = ["*_old.csv"]
    let family = try FamilyInference(options: options).run()
    #expect(words(of: family) == ["a(id)", "g(id)", "one(id)", "pipes(id)"])
    let decompress = "is not supported. Decompress it, or compress it with gzip."
    #expect(
      family.skipped.map { $0.replacing(workplace.path + "/", with: "") }.sorted() == [
        "README, b.json, c.md and 1 more: no CSV file has such an extension",
        "a.zip: another file has the same name without its extension",
        "all.zip: it contains 2 files. Describe them with --source dumps/all.zip.",
        "back\\\\slash.csv: no description can name it. Rename it, without ~, \\ and control characters.",
        "dumps/gone.csv: cannot be opened: No such file or directory. Check the file and its permissions.",
        "dumps/none.csv.zip: no file in the archive; expected one. Download it again.",
        "e.csv: this is a pointer of Git LFS, not the file itself. Fetch the file with git lfs pull.",
        "f.csv.7z: 7-Zip \(decompress)", "f.csv.bz2: bzip2 \(decompress)",
        "f.csv.xz: xz \(decompress)", "f.csv.zst: Zstandard \(decompress)",
        "h.csv.gz: it contains a gzip file instead of text. Decompress it once.",
        "i.csv: this is a gzip file. Rename it to i.csv.gz.",
        "image.zip: it contains image.png, which is not a CSV file by its name",
        "sub/: subfolders are described only with --recursive",
      ])
    #expect(load(workplace, family.schema).rejects.isEmpty)
  }

  @Test func `a file that cannot be described does not stop the others`() throws {
    let family = try infer([
      "a.csv": "id\n1\n", "empty.csv": "",
      "binary.csv": "\u{0}\u{1}",
      "open.csv": "id,name\n1,\"x\n",
      "wide.csv": Array(repeating: "c", count: 2001).joined(separator: ","),
    ])
    #expect(words(of: family) == ["a(id)"])
    #expect(
      family.skipped.map { $0.firstMatch(of: /(\w+\.csv): line \d+/).map { String($0.1) } } == [
        "binary.csv", "empty.csv", "open.csv", "wide.csv",
      ])
  }

  @Test func `tables have names that a database accepts`() throws {
    let family = try infer([
      "T.csv": "id\n1\n", "t.csv": "id\n1\n", "sqlite_x.csv": "id\n1\n", "Ingest_a.CSV": "id\n1\n",
      "b.TSV": "id\n1\n", "c.dat": "id\n1\n", "d.csv.txt.md": "",
    ])
    #expect(
      words(of: family) == [
        "table_Ingest_a(id)", "T(id)", "b(id)", "c(id)", "table_sqlite_x(id)", "t_2(id)",
      ])
    try family.schema.validate()
  }

  @Test func `files can be excluded, and be in subfolders`() throws {
    let workplace = try Workplace()
    for name in ["a.csv", "a_old.csv", "sub/b.csv", "sub/deep/c.csv", ".hidden/d.csv"] {
      let path = URL(filePath: "\(workplace.path)/dumps/\(name)")
      try FileManager.default.createDirectory(
        at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("id\n1\n".utf8).write(to: path)
    }
    var options = InferenceOptions(source: workplace.path + "/dumps")
    options.excluded = ["*_old.csv", "sub/deep/*"]
    #expect(try words(of: FamilyInference(options: options).run()) == ["a(id)"])
    options.isRecursive = true
    let family = try FamilyInference(options: options).run()
    #expect(family.schema.sources.map(\.place) == [.files(["a.csv"]), .files(["sub/b.csv"])])
  }

  @Test func `files without a header have numbered columns`() throws {
    let family = try infer(["a.csv": "1,x\n2,y\n"]) { $0.stated.headerRows = [] }
    #expect(family.schema.tables[0].columns.map(\.name) == ["field1", "field2"])
    #expect(family.tables[0].records == 2)
    #expect(family.schema.sources[0].dialect.headerRows == [])
  }

  @Test func `no values are required, and other texts than the known ones are possible`() throws {
    let lines = (0..<200).map { "\($0),a,\($0 == 7 ? "" : "b"),\($0 % 2 == 0 ? "x" : "y")\n" }
    let text = "id,full,gap,kind\n" + lines.joined()
    let columns = try infer(["a.csv": text]).schema.tables[0].columns
    #expect(columns.map(\.isNullable) == [true, true, true, true])
    #expect(columns[3].domain == nil && columns[3].knownValues == ["x", "y"])
  }

  @Test(arguments: [
    (["films.csv": "filmid,title\n7,a\n8,a\n"], ["films(filmid)"]),
    (
      ["movies.csv": "movieId\n1\n2\n", "tags.csv": "tag,movieId\nx,1\nx,2\nx,1\n"],
      ["movies(movieId)", "tags() movieId>movies.movieId"]
    ),
    (
      [
        "visits.csv": "visit_id,preceding_visit_id\n1,\n2,1\n",
        "wards.csv": "id\n1\n2\n", "visit_wards.csv": "visit_id,ward_id\n1,1\n1,2\n",
      ],
      [
        "visits(visit_id) preceding_visit_id>visits.visit_id", "wards(id)",
        "visit_wards() visit_id>visits.visit_id ward_id>wards.id",
      ]
    ),
    (["cidades.csv": "nome,codigo_ibge\na,7\na,8\n"], ["cidades(codigo_ibge)"]),
    (["addresses.csv": "street,postal_code\na,7\na,8\n"], ["addresses()"]),
  ]) func `names of keys are recognized`(files: [String: String], expected: [String]) throws {
    #expect(words(of: try infer(files)) == expected)
  }

  @Test func `codes remain text`() throws {
    let columns = try infer(["a.csv": "country_code,phone,size\n1,2,3\n"]).schema.tables[0].columns
    #expect(columns.map(\.type) == [.text, .text, .integer])
  }

  @Test func `texts that are in one key only refer to it`() throws {
    let families = (0..<30).map { "fam\($0)\n" }.joined()
    let members = (0..<30).map { "m\($0),fam\($0 % 9)\n" }.joined()
    let files = ["families.csv": "id\n" + families, "members.csv": "id,clan_id\n" + members]
    #expect(words(of: try infer(files)) == ["families(id)", "members(id) clan_id>families.id"])
    let twice = files.merging(["clones.csv": "id\n" + families]) { $1 }
    #expect(words(of: try infer(twice)) == ["clones(id)", "families(id)", "members(id)"])
  }

  @Test func `integers refer to a key that they would hardly fit by chance`() throws {
    func found(_ players: [Int], _ winners: [Int]) throws -> [String] {
      func file(_ name: String, _ numbers: [Int]) -> String {
        name + "\n" + numbers.map { "\($0)\n" }.joined()
      }
      return words(
        of: try infer([
          "players.csv": file("id", players), "m.csv": file("winner_id", winners + winners),
        ]))
    }
    let winners = Array(stride(from: 1000, to: 1600, by: 30))
    let isReference = ["players(id)", "m() winner_id>players.id"]
    let isNone = ["m()", "players(id)"]
    #expect(try found(Array(stride(from: 1000, to: 2000, by: 3)), winners) == isReference)
    #expect(try found(Array(1000..<2000), winners) == isNone)
    #expect(try found(Array(stride(from: 1000, to: 3000, by: 3)), winners) == isNone)
    #expect(
      try found(Array(stride(from: 1000, to: 2000, by: 3)), Array(winners.dropLast())) == isNone)
    // Two dense series far from each other.
    #expect(try found(Array(1..<99) + Array(9000..<9099), Array(1..<49) + [9001]) == isNone)
  }

  @Test func `a second name of the own key is no reference`() throws {
    func stops(_ zone: (Int) -> Int) -> String {
      "stop_id,zone_id\n" + (0..<30).map { "s\($0),s\(zone($0))\n" }.joined()
    }
    #expect(words(of: try infer(["stops.csv": stops { $0 }])) == ["stops(stop_id)"])
    #expect(
      words(of: try infer(["stops.csv": stops { $0 - $0 % 3 }])) == [
        "stops(stop_id) zone_id>stops.stop_id"
      ])
    let numbers = (1...30).map { "\($0)\n" }.joined()
    let files = ["results.csv": "result_id\n", "club_results.csv": "club_results_id\n"]
    #expect(
      words(of: try infer(files.mapValues { $0 + numbers })) == [
        "club_results(club_results_id)", "results(result_id)",
      ])
  }

  @Test func `row numbers are no references`() throws {
    let numbers = (1...30).map { "\($0)" }
    let files = [
      "goals.csv": "key_id,goal_id\n" + numbers.map { "\($0),g\($0)\n" }.joined(),
      "squads.csv": "key_id,name\n" + numbers.map { "\($0),a\n" }.joined(),
    ]
    #expect(words(of: try infer(files)) == ["goals(goal_id)", "squads(key_id)"])
  }

  @Test func `a column of few values stays text`() throws {
    func type(_ values: Int, of records: Int) throws -> ColumnDescription.DataType {
      let lines = (0..<records).map { "x,\($0 < values ? "7" : "")\n" }.joined()
      return try infer(["a.csv": "name,size\n" + lines]).schema.tables[0].columns[1].type
    }
    #expect(try type(19, of: 96) == .text)
    #expect(try type(19, of: 95) == .integer)
    #expect(try type(20, of: 1000) == .integer)
    // With a word for a missing value, the other values are few on purpose.
    let lines = (0..<200).map { "\($0),\($0 < 13 ? "7" : "NULL")\n" }.joined()
    #expect(try infer(["a.csv": "id,a_id\n" + lines]).schema.tables[0].columns[1].type == .integer)
  }

  @Test(arguments: [("label", "a()"), ("name", "a()"), ("specimen", "a(specimen)")])
  func `labels in the first column are no keys`(name: String, table: String) throws {
    let lines = (0..<30).map { "x\($0),y\n" }.joined()
    #expect(words(of: try infer(["a.csv": "\(name),size\n" + lines])) == [table])
  }

  @Test func `columns that are unique by chance do not make up a key`() throws {
    var seeds = SeededGenerator(seed: 7)
    let lines = (0..<200).map { _ in
      "\(Int.random(in: 0..<900, using: &seeds)),\(Int.random(in: 0..<900, using: &seeds))\n"
    }
    #expect(words(of: try infer(["a.csv": "home,away\n" + lines.joined()])) == ["a()"])
    var days = "day,station,value\n"
    for day in 0..<100 { for station in 0..<20 { days += "\(day),\(station),\(day % 7)\n" } }
    #expect(words(of: try infer(["a.csv": days])) == ["a()"])
    days = days.replacing("station", with: "station_id")
    #expect(words(of: try infer(["a.csv": days])) == ["a(day, station_id)"])
  }

  @Test(arguments: [
    ("a,b\n1,2\n", ","), ("a;b\n1,5;2,5\n", ";"), ("a\tb\n1\t\"x;y;z\"\n", "\t"), ("a|b|c\n", "|"),
    ("a\n1\n", ","), ("\"a,b\";c\n1;2\n", ";"),
  ])
  func `what separates fields is found`(text: String, delimiter: String) {
    #expect(DialectGuess(beginningWith: Array(text.utf8)).dialect.delimiter == delimiter)
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
