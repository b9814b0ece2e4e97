import Foundation
import SQLiteSwiftly
import TestSupport
import Testing
@testable import ingest

/// Families other than Rebrickable's, loaded like a user would.
@Suite struct FamilyTests {
  private static let feed = Command.fixtures + "/gtfs/feed"

  /// Writes files into the folder of a command.
  private func write(_ files: [String: String], _ command: Command) throws {
    for (name, text) in files { try command.write(name, text) }
  }

  @Test(arguments: [
    ([], nil), (["--schema", "gtfs"], "gtfs"), (["--schema=a.json", "--out", "x"], "a.json"),
    (["--schema", "a.json", "--schema", "b.json"], "a.json"), (["--", "--schema", "x"], nil),
    (["--schema"], nil), (["--out", "x", "--schema", "y/z.json", "-q"], "y/z.json"),
    (["--schema", "rebrickable"], nil),
  ])
  func `the family is found before the other options are parsed`(words: [String], option: String?) {
    #expect(CommandWords(words).schema.option == option)
  }

  @Test func `a family in a file of options is found, with its path relative to that file`() throws
  {
    let command = try Command()
    let path = command.folder + "/n.conf"
    try write(["n.conf": "--schema gtfs\n--quiet\n"], command)
    #expect(CommandWords(["@" + path]).schema == .builtIn(.gtfs))
    try write(["n.conf": "--schema feeds/a.json\n"], command)
    #expect(CommandWords(["@" + path]).schema == .file(command.folder + "/feeds/a.json"))
  }

  @Test func `Rebrickable's dumps load the same with their printed description`() throws {
    let command = try Command()
    let printed = try command.run(["describe", "--rebrickable"])
    try write(["lego.json": printed.output], command)
    let dumps = Command.fixtures + "/dumps"
    #expect(try command.load(dumps).status == 0)
    let expected = try tables(command)
    try FileManager.default.removeItem(atPath: command.catalog)
    let outcome = try command.load(dumps, "--schema", "lego.json")
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
    #expect(try tables(command) == expected && expected.count == 12)
  }

  /// The rows of the twelve tables.
  private func tables(_ command: Command) throws -> [String: [String]] {
    let names = ["themes", "colors", "part_categories", "parts", "part_relationships", "elements"]
    let others = ["sets", "minifigs", "inventories", "inventory_parts", "inventory_sets"]
    return try Dictionary(
      uniqueKeysWithValues: (names + others + ["inventory_minifigs"]).map {
        ($0, try command.rows(SQL(generated: "SELECT * FROM \($0)")).map { "\($0)" }.sorted())
      })
  }

  @Test func `an unknown column in a feed produces a warning and is not loaded`() throws {
    let command = try Command()
    let feed = command.folder + "/feed"
    try FileManager.default.copyItem(atPath: Self.feed, toPath: feed)
    let agencies = try String(contentsOfFile: feed + "/agency.txt", encoding: .utf8)
      .split(whereSeparator: \.isNewline)
    let more = zip(agencies, ["tax_number", "AT-1"]).map { "\($0),\($1)\n" }.joined()
    try write(["feed/agency.txt": more], command)
    let outcome = try command.load(feed, "--schema", "gtfs", status: 0)
    #expect(outcome.errors.contains("\n    column-unknown agency.tax_number\n"), "\(outcome)")
    #expect(!outcome.errors.contains("column-absent"))
    try write(["known.txt": "column-unknown agency.tax_number\n"], command)
    let suppressed = try command.load(
      feed, "--schema", "gtfs", "--detailed-status", "--suppress", "known.txt")
    #expect(suppressed.status == 0 && suppressed.errors == "", "\(suppressed)")
  }

  @Test func `files are decompressed as described, regardless of their names`() throws {
    let command = try Command()
    func description(_ compression: String) -> String {
      #"{"resources": [{"name": "t", "path": ["a.csv", "b.gz"], "compression": "\#(compression)", "#
        + #""schema": {"fields": [{"name": "i", "type": "integer"}]}}]}"#
    }
    try write(["gz.json": description("gz"), "zip.json": description("zip")], command)
    for (name, number) in [("a.csv", 1), ("b.gz", 2)] {
      try Data(gzipMember(Array("i\n\(number)\n".utf8))).write(
        to: URL(fileURLWithPath: command.folder + "/" + name))
    }
    try command.run(["--schema", "gz.json", "--out", command.catalog], status: 0)
    #expect(try command.rows("SELECT i FROM t ORDER BY i") == [[.integer(1)], [.integer(2)]])
    let zip = try command.run(["--schema", "zip.json", "--out", command.catalog], status: 65)
    #expect(
      zip.errors.contains(
        "./a.csv: not a ZIP archive, although the description specifies compression \"zip\": its first "
          + "bytes do not match. Correct the description, or download the file again."), "\(zip)")
    try write(["a.csv": "i\n1\n"], command)
    let plain = try command.run(["--schema", "gz.json", "--out", command.catalog])
    #expect(
      plain.errors.contains(
        "./a.csv: not a gzip file, although the description specifies compression \"gz\": its first bytes "
          + "do not match."), "\(plain)")
  }

  @Test func `a transit feed is loaded, with ISO dates and times past midnight`() throws {
    let command = try Command()
    let outcome = try command.load(Self.feed, "--schema", "gtfs")
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
    #expect(
      try command.rows("SELECT service_id, date FROM calendar_dates ORDER BY date DESC LIMIT 1")
        == [["FEST", "2026-12-31"]])
    #expect(
      try command.rows(
        "SELECT departure_time FROM stop_times ORDER BY trip_id DESC, stop_sequence LIMIT 1")
        == [["24:30:00"]])
    #expect(
      try command.rows(
        "SELECT stop_lat, typeof(stop_lat), stop_name FROM stops WHERE stop_id = 'HBF'")
        == [[.real(48.185), "real", "Central, Station"]])
    #expect(try command.rows("SELECT service_id FROM services") == [["FEST"], ["WE"], ["WK"]])
    #expect(try command.rows("PRAGMA foreign_key_check") == [])
    let check = try command.run(["check", "--schema", "gtfs", command.catalog])
    #expect(check.status == 0 && check.output.hasSuffix("no faults found\n"), "\(check)")
  }

  /// Records added to the files of a feed, and their faults.
  private static let faults: [(file: String, record: String, message: String)] = [
    ("stop_times.txt", "T001,8:5:00,8:05:00,S1,99,,", "column arrival_time: wrong-format"),
    ("stop_times.txt", "T999,8:05:00,8:05:00,S1,99,,", "column trip_id: missing-parent"),
    ("stop_times.txt", "T001,8:05:00,8:05:00,S1,5,,", "duplicate-key"),
    ("trips.txt", "R1,NEVER,T099,,,", "column service_id: missing-parent"),
    ("trips.txt", "R1,WK,T099,,,P9", "column shape_id: missing-parent"),
    ("calendar_dates.txt", "WK,20260230,1", "column date: not-a-time"),
    ("stops.txt", "S99,,Pole,90.5,0,,,,,", "column stop_lat: not-allowed"),
    ("stops.txt", "S99,,Lost,1,0,,,NOWHERE,,", "column parent_station: missing-parent"),
    ("routes.txt", "R9,HT,9,Red,3,reddish,", "column route_color: wrong-format"),
    ("fare_rules.txt", "single,R1,Z9,", "column origin_id: missing-parent"),
  ]

  @Test func `faults in a feed are reported with their places and prevent publishing`() throws {
    let command = try Command()
    let feed = command.folder + "/feed"
    try FileManager.default.copyItem(atPath: Self.feed, toPath: feed)
    var expected: [(place: String, message: String)] = []
    for (file, record, message) in Self.faults {
      let path = "\(feed)/\(file)"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try Data((text + record + "\n").utf8).write(to: URL(fileURLWithPath: path))
      expected.append(("\(file):\(text.split(separator: "\n").count + 1): ", message))
    }
    let outcome = try command.load(feed, "--schema", "gtfs")
    #expect(outcome.status == 65 && !FileManager.default.fileExists(atPath: command.catalog))
    let lines = outcome.errors.split(separator: "\n")
    for (place, message) in expected {
      #expect(
        lines.contains { $0.hasPrefix(place) && $0.contains(message) },
        "\(place)\(message): \(outcome)")
    }
  }

  @Test func `source files load with their printed description, with and without --source`() throws
  {
    let command = try Command()
    try FileManager.default.copyItem(atPath: Self.feed, toPath: command.folder + "/feed")
    let printed = try command.run(
      ["describe", "--source", "feed/", "--name", "harbour"], status: 0)
    #expect(printed.output.contains(#""path": "feed/stops.txt""#), "\(printed.output)")
    try write(["datapackage.json": printed.output], command)
    for source in [[], ["--source", "feed"]] {
      let outcome = try command.run(
        ["--schema", "datapackage.json", "--out", command.catalog] + source)
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
      #expect(try command.rows("SELECT count(*) FROM stop_times") == [[65]])
    }
  }

  @Test func `a key can be in any column`() throws {
    let command = try Command()
    try write(
      [
        "p.json": """
        {"name": "x", "resources": [{"name": "a", "path": "a.csv", "schema": {"primaryKey": ["k", "l"], "fields": [
          {"name": "first", "type": "string", "constraints": {"required": true}},
          {"name": "k", "type": "string"}, {"name": "l", "type": "string"}]}}]}
        """, "a.csv": "first,k,l\nA,x,y\nB,x,z\n",
      ], command)
    try command.run(["--schema", "p.json", "--out", command.catalog], status: 0)
    #expect(try command.rows("SELECT * FROM a") == [["A", "x", "y"], ["B", "x", "z"]])
  }

  @Test func `unsupported features are refused, or ignored with a warning`() throws {
    let command = try Command()
    try write(
      [
        "p.json": """
        {"name": "x", "resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [
          {"name": "i", "type": "integer"},
          {"name": "o", "type": "object", "constraints": {"jsonSchema": {"type": "object"}}}]}}]}
        """, "a.csv": "i,o\n1,\"{\"\"a\"\": 1}\"\n",
      ], command)
    let refused = try command.run(["--schema", "p.json", "--out", command.catalog])
    #expect(refused.status == 65 && refused.errors.contains("feature-unsupported"))
    #expect(refused.errors.contains("--ignore-unsupported"), "\(refused.errors)")
    let loaded = try command.run(
      ["--schema", "p.json", "--out", command.catalog, "--ignore-unsupported"], status: 0)
    #expect(loaded.errors.contains("feature-ignored"), "\(loaded.errors)")
    #expect(
      loaded.errors.contains(
        "line 3: /resources/0/schema/fields/1/constraints/jsonSchema: values are not validated against "
          + "a JSON Schema; expected a field without jsonSchema"), "\(loaded.errors)")
    #expect(try command.rows("SELECT i, o FROM a") == [[1, #"{"a": 1}"#]])
  }

  @Test
  func `the file of another family is not replaced, and an unchanged feed is not loaded again`()
    throws
  {
    let command = try Command()
    #expect(try command.load(Self.feed, "--schema", "gtfs").status == 0)
    try command.load(Command.fixtures + "/dumps", status: 73)
    let again = try command.load(Self.feed, "--schema", "gtfs", "--if-changed")
    #expect(again.status == 0 && again.output.contains("nothing was loaded"), "\(again)")
    let first = try Data(contentsOf: URL(fileURLWithPath: command.catalog))
    // The location of the description does not change the database.
    let folder = command.folder + "/here"
    try makeFolder(folder)
    try write(["here/gtfs": try command.run(["describe", "--gtfs"]).output], command)
    #expect(try command.load(Self.feed, "--schema", "here/gtfs").status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: command.catalog)) == first)
    let other = try command.run(["describe", "--gtfs"]).output
      .replacingOccurrences(of: #""maximum": 1799"#, with: #""maximum": 1800"#)
    try write(["other.json": other], command)
    let changed = try command.load(Self.feed, "--schema", "other.json", "--if-changed")
    #expect(changed.status == 0 && !changed.output.contains("nothing was loaded"), "\(changed)")
  }

  @Test(arguments: [nil, "own.json"] as [String?])
  func `check and diff use the family stored in the file`(schema: String?) throws {
    let command = try Command()
    try write(["own.json": try command.run(["describe", "--source", Self.feed]).output], command)
    let source = schema == nil ? Command.fixtures + "/dumps" : Self.feed
    let options = schema.map { ["--schema", $0] } ?? []
    try command.run(["--source", source, "--out", command.catalog] + options, status: 0)
    try FileManager.default.removeItem(atPath: command.folder + "/own.json")
    let check = try command.run(["check", "catalog.sqlite"])
    #expect(
      check.status == 0 && check.output.hasSuffix("catalog.sqlite: no faults found\n"), "\(check)")
    #expect(!check.output.contains("added by another program"), "\(check)")
    let same = try command.run(["diff", "catalog.sqlite", "catalog.sqlite"])
    #expect(same.status == 0 && same.output.hasSuffix("have the same rows\n"), "\(same)")
    let table = schema == nil ? "themes" : "stops"
    try command.shell("cp catalog.sqlite other")
    try changeDatabase(command.folder + "/other", [SQL(generated: "DELETE FROM \(table)")])
    let fault = try command.run(["check", "-q", "other"])
    #expect(
      fault.status == 65 && fault.output.contains("row counts: \(table): expected "), "\(fault)")
    let other = try command.run(["diff", "catalog.sqlite", "other"])
    #expect(other.status == 1 && other.output.contains("\n\(table) "), "\(other)")
  }

  @Test func `a path of a description can be loaded`() throws {
    let command = try Command()
    for name in [
      "World: data.csv", "C: drive.csv", "a b/x: y.csv", ".hidden/z.csv", "commas.TSV",
    ] {
      let folder = command.folder + "/" + (name.contains("/") ? name.prefix { $0 != "/" } : "")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try command.write(name, "id,v\n1,2\n")
      let source = name.contains("/") ? String(name.prefix { $0 != "/" }) : "."
      let described = try command.run(["describe", "--source", source], status: 0)
      try command.write("datapackage.json", described.output)
      let options = source == ".hidden" ? ["--source", source] : []
      try command.run(
        ["--schema", "datapackage.json", "--out", command.catalog] + options, status: 0)
      #expect(try command.rows("SELECT inserted FROM ingest_sources") == [[1]], "\(name)")
      try FileManager.default.removeItem(atPath: command.folder + "/" + name)
      try FileManager.default.removeItem(atPath: command.catalog)
    }
  }

  @Test func `names that are too long for a description are cut`() throws {
    let command = try Command()
    let (table, column) = (String(repeating: "t", count: 210), String(repeating: "ü", count: 501))
    try FileManager.default.createDirectory(
      atPath: command.folder + "/feed", withIntermediateDirectories: false)
    for end in ["a", "b"] {
      try write(
        ["feed/\(table)\(end).csv": "id,\(column),\(column)\(end)\n1,x,y\n2,z,w\n"], command)
    }
    let described = try command.run(["describe", "--source", "feed"], status: 0)
    try command.write("package.json", described.output)
    let load = ["--schema", "package.json", "--out", command.catalog]
    try command.run(load, status: 0)
    try command.run(load + ["--source", "feed"], status: 0)
    let (base, cut) = (table.prefix(195), String(repeating: "ü", count: 495))
    for name in [base, base + "_2"] {
      #expect(
        try command.rows(
          SQL(generated: "SELECT id, \"\(cut)\", \"\(cut)_2\" FROM \"\(name)\" ORDER BY id"))
          == [[1, "x", "y"], [2, "z", "w"]])
    }
  }

  @Test func `a file without a stored description requires --schema`() throws {
    let command = try Command()
    try write(["own.json": try command.run(["describe", "--source", Self.feed]).output], command)
    #expect(try command.load(Self.feed, "--schema", "own.json").status == 0)
    try changeDatabase(command.catalog, ["UPDATE ingest_options SET value = NULL"])
    let refused = try command.run(["check", "catalog.sqlite"], status: 65)
    #expect(
      refused.errors.contains(
        "made it from other source files, pass their description: --schema FILE"),
      "\(refused)")
    try command.run(["check", "catalog.sqlite", "--schema", "own.json"], status: 0)
  }

  @Test func `rejected records of a feed are fixed and repaired`() throws {
    let command = try Command()
    let feed = command.folder + "/feed"
    try FileManager.default.copyItem(atPath: Self.feed, toPath: feed)
    let path = feed + "/stops.txt"
    let text = try String(contentsOfFile: path, encoding: .utf8) + "S99,,Far,91,0,,,,,\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let first = try command.load(feed, "--schema", "gtfs", "--max-rejects", "1", status: 3)
    let repair = "ingest repair --rejects \(command.catalog).rejects --schema gtfs --source \(feed)"
    #expect((first.output + first.errors).contains(repair), "\(first)")
    let rejects = command.catalog + ".rejects/stops.csv"
    let repaired = try String(contentsOfFile: rejects, encoding: .utf8)
      .replacingOccurrences(of: "Far,91,0", with: "Far,81,0")
    try Data(repaired.utf8).write(to: URL(fileURLWithPath: rejects))
    try command.repairAndLoad(feed, "--schema", "gtfs", status: 0)
    #expect(try command.rows("SELECT stop_lat FROM stops WHERE stop_id = 'S99'") == [[.real(81)]])
  }
}
