import Vocabulary
import Foundation
import SQLiteSwiftly
import Schema
import Testing

/// Dumps that are where the description of their table says.
@Suite struct DescribedFileTests {
  private static let parts = [
    "data/one.csv": "id,name,note\n1,a,\nx,b,\n", "two.csv": "id,name,note\r\n2,c,\r\n1,d,\r\n3",
  ]
  private static let inParts = Places.schema { $0.place = .files(["data/one.csv", "two.csv"]) }

  @Test func `several files make up a table, in their order`() throws {
    let workplace = try Places.workplace(Self.parts)
    let outcome = load(workplace, Self.inParts)
    #expect(outcome.error == nil && outcome.warnings.map(\.code) == [.noFinalNewline])
    #expect(try workplace.places == ["1|'a'|-", "2|'c'|-"])
    #expect(
      outcome.rejected == [
        "data/one.csv:3 not-an-integer id", "two.csv:3 duplicate-key id",
        "two.csv:4 wrong-field-count -",
      ])
    let table = try #require(outcome.report?.tables.first)
    #expect(table.sources.map(\.name) == ["data/one.csv", "two.csv"])
    #expect(table.sources.map(\.records) == [2, 3])
    #expect(table.imbalances.isEmpty)
    #expect(try workplace.kept.records("places") == "id,name,note\nx,b,\n1,d,\r\n3\n")
    #expect(
      try workplace.kept.reasons("places").map { $0["file"] + ":" + $0["first_line"] }
        == ["data/one.csv:3", "two.csv:3", "two.csv:4"])
    #expect(
      try workplace.rows("SELECT file_name, records FROM ingest_sources")
        == ["'data/one.csv'|2", "'two.csv'|3"])
  }

  @Test func `a change of any file is detected`() throws {
    let workplace = try Places.workplace(Self.parts)
    #expect(load(workplace, Self.inParts).error == nil)
    let again = load(workplace, Self.inParts) { $0.skipsUnchanged = true }
    #expect(again.whole.isUnchanged && again.whole.tables.flatMap(\.sources).count == 2)
    try workplace.write("two.csv", "id,name,note\n4,c,\n")
    let changed = load(workplace, Self.inParts) { $0.skipsUnchanged = true }
    #expect(!changed.whole.isUnchanged && changed.error == nil)
    #expect(try workplace.places == ["1|'a'|-", "4|'c'|-"])
  }

  @Test func `repairs apply to all files of a table`() throws {
    let workplace = try Places.workplace(Self.parts)
    #expect(load(workplace, Self.inParts).error == nil)
    let standing = workplace.path + "/standing"
    try makeFolder(standing)
    try Kept(standing).write("places.leave-out.csv", "id,name,note\nx,b,\n1,d,\n3\n")
    try Kept(standing).write("places.add.csv", "id,name,note\n5,d,\n")
    let outcome = load(workplace, Self.inParts) { $0.repairsFolder = standing }
    #expect(outcome.error == nil && outcome.rejected.isEmpty)
    #expect(try workplace.places == ["1|'a'|-", "2|'c'|-", "5|'d'|-"])
  }

  @Test func `the rejected records of several files are repaired together`() throws {
    let workplace = try Places.workplace(Self.parts)
    #expect(load(workplace, Self.inParts).error == nil)
    try workplace.kept.write("places.csv", "id,name,note\n4,b,\n5,d,\n3,e,\n")
    #expect(
      try repair(workplace, Self.inParts)
        == ["places.add.csv +3 -0", "places.leave-out.csv +3 -0"])
    let night = loadRepaired(workplace, Self.inParts)
    #expect(night.error == nil && night.rejected == [])
    #expect(try workplace.places == ["1|'a'|-", "2|'c'|-", "3|'e'|-", "4|'b'|-", "5|'d'|-"])
    let table = try #require(night.report?.tables.first)
    #expect(table.sources.map(\.leftOut.records) == [1, 2, 0])
    #expect(table.imbalances.isEmpty)
  }

  @Test func `records of several files are repaired with these files alone`() throws {
    let workplace = try Places.workplace(Self.parts)
    #expect(load(workplace, Self.inParts).error == nil)
    let folder = workplace.kept.folder
    try workplace.kept.write("places.csv", "id,name,note\n4,b,\n")
    func error(_ names: [String]) -> IngestError? {
      do throws(IngestError) {
        try repair(workplace, Places.schema { $0.place = .files(names) })
        return nil
      } catch {
        return error
      }
    }
    try workplace.write("three.csv", "id,name,note\n9,i,\n")
    let fewer = try #require(error(["data/one.csv"]))
    let other = try #require(error(["data/one.csv", "three.csv"]))
    let more = try #require(error(["data/one.csv", "two.csv", "three.csv"]))
    for failure in [fewer, other, more] { #expect(failure.code == .run(.quarantineStale)) }
    #expect(
      fewer.message.hasPrefix(
        "\(workplace.path)/dumps/data/one.csv: the rejected records in \(folder) come from another file, "
          + "\"two.csv\". "))
    #expect(other.message.hasPrefix("\(workplace.path)/dumps/three.csv: "))
    try workplace.write("two.csv", "id,name,note\r\n2,d,\r\n1,d,\r\n3")
    let changed = try #require(error(["data/one.csv", "two.csv"]))
    #expect(
      changed.code == .run(.quarantineStale)
        && changed.message.contains("two.csv: not the source file"))
  }

  @Test func `the files of a table have one header`() throws {
    let workplace = try Places.workplace([
      "data/one.csv": "id,name,note\n1,a,\n", "two.csv": "id,note,name\n2,b,\n",
    ])
    let error = try #require(load(workplace, Self.inParts).error)
    #expect(error.code == .file(.headerMismatch))
    #expect(
      error.message
        == "\(workplace.path)/dumps/two.csv: line 1: the header is \"id,note,name\", but that of data/one.csv "
        + "is \"id,name,note\". All files of a table need the same columns in the same order.")
  }

  @Test(arguments: [
    "../dumps/two.csv", "/etc/passwd", "data/../two.csv", "", "data//one.csv", "./two.csv",
    "two.csv/",
  ])
  func `a path outside the folder is refused`(name: String) throws {
    let workplace = try Places.workplace(Self.parts)
    let error = load(workplace, Places.schema { $0.place = .files([name]) }).error
    #expect(error?.code == .file(.fileUnreadable))
    #expect(
      error?.message.contains("is not inside the source folder; expected a path such as") == true)
  }

  @Test func `links outside the folder are refused`() throws {
    let workplace = try Places.workplace(Self.parts)
    let dumps = workplace.path + "/dumps"
    let secret = workplace.path + "/secret.csv"
    try Data("id,name,note\n1,secret,\n".utf8).write(to: URL(fileURLWithPath: secret))
    for (link, target) in [("link.csv", secret), ("out", workplace.path), ("up", "..")] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(dumps)/\(link)", withDestinationPath: target)
    }
    for name in ["link.csv", "out/secret.csv", "up/secret.csv", "data/one.csv"] {
      let error = load(workplace, Places.schema { $0.place = .files([name]) }).error
      if name == "data/one.csv" {
        #expect(error == nil)
      } else {
        #expect(error?.message.contains("the path contains a symbolic link") == true)
      }
    }
    // The folder itself may be reached by a link.
    try FileManager.default.createSymbolicLink(
      atPath: workplace.path + "/latest", withDestinationPath: dumps)
    loaded(workplace, Self.inParts) { $0.source = workplace.path + "/latest" }
  }

  @Test func `missing and duplicate files are named`() throws {
    let workplace = try Places.workplace(Self.parts)
    let missing = load(
      workplace, Places.schema { $0.place = .files(["two.csv", "data/three.csv"]) })
    #expect(missing.error?.code == .file(.fileMissing))
    #expect(missing.error?.message.contains("missing source files: data/three.csv. ") == true)
    let twice = load(workplace, Places.schema { $0.place = .files(["two.csv", "two.csv"]) })
    #expect(twice.error?.code == .file(.fileAmbiguous))
  }

  /// What the dumps that are there are called, and the name of the one that is not.
  static let absences: [(stored: String, place: SourceDescription.Place, file: String)] = [
    ("labels.csv", .named, "places.csv"), ("labels.csv.gz", .named, "places.csv.gz"),
    ("labels.csv.zip", .named, "places.csv.zip"), ("labels.zip", .named, "places.zip"),
    ("labels.csv", .files(["data/regions.txt"]), "data/regions.txt"),
  ]

  @Test(arguments: absences)
  func `a missing source file is named like the others`(
    stored: String, place: SourceDescription.Place, file: String
  ) throws {
    var schema = Places.schema { _ in }
    schema = SchemaDescription(
      tables: schema.tables + [Family.labels], applicationID: 78, version: 1)
    schema.sources[0].place = place
    let text = "label\nx\n"
    let workplace = try Workplace()
    let bytes =
      stored.hasSuffix("gz")
      ? gzip(text)
      : stored.hasSuffix("zip") ? ZipBuilder([.init("labels.csv", text)]).bytes : Array(text.utf8)
    try Data(bytes).write(to: URL(fileURLWithPath: "\(workplace.path)/dumps/\(stored)"))
    let missing = load(workplace, schema)
    #expect(
      missing.error?.message.contains("missing source files: \(file). ") == true, "\(missing)")
    let allowed = loaded(workplace, schema, allowedMissing: .all)
    #expect(allowed.warnings.map(\.file) == [file])
  }

  @Test func `a source file missing from an archive is named as expected there`() throws {
    let workplace = try Workplace()
    let archive = workplace.path + "/all.zip"
    try Data(ZipBuilder([.init("labels.csv", "label\nx\n")]).bytes)
      .write(to: URL(fileURLWithPath: archive))
    let schema = SchemaDescription(
      tables: Places.schema { _ in }.tables + [Family.labels], applicationID: 78,
      version: 1)
    let outcome = load(workplace, schema, allowedMissing: .all) { $0.source = archive }
    #expect(outcome.error == nil && outcome.warnings.map(\.file) == ["places.csv"])
  }

  @Test func `an optional source file may be missing without a warning`() throws {
    var schema = Places.schema { _ in }
    schema = SchemaDescription(
      tables: schema.tables + [Family.labels], applicationID: 78, version: 1)
    schema.sources[0].isOptional = true
    schema.sources[1].place = .files(["labels.txt"])
    let workplace = try Places.workplace(["labels.txt": "label\nx\n"])
    let outcome = load(workplace, schema)
    #expect(outcome.error == nil && outcome.warnings.isEmpty)
    #expect(outcome.report?.tables.map(\.inserted) == [0, 1])
    // One of several files is not what is optional.
    let some = Places.schema {
      $0.isOptional = true
      $0.place = .files(["labels.txt", "more.txt"])
    }
    #expect(load(workplace, some).error?.code == .file(.fileMissing))
  }

  @Test func `an optional source file that is gone warns until that is accepted`() throws {
    var schema = Places.schema { _ in }
    schema = SchemaDescription(
      tables: schema.tables + [Family.labels], applicationID: 78, version: 1)
    schema.sources[0].isOptional = true
    let workplace = try Workplace()
    var night = 0
    func lines(_ places: Int?, accepting line: String? = nil) throws -> [String?] {
      night += 1
      try workplace.write("labels.csv", "label\nx\ny\(night)\n")
      if let places {
        let rows = (0..<places).map { "\($0),a\($0),\n" }.joined()
        try workplace.write("places.csv", "id,name,note\n\(rows)")
      } else {
        try? FileManager.default.removeItem(atPath: workplace.path + "/dumps/places.csv")
      }
      try line?.write(toFile: workplace.path + "/known.txt", atomically: false, encoding: .utf8)
      let outcome = load(workplace, schema) {
        $0.shrinkLimits.run = 100
        if line != nil { $0.suppressFile = workplace.path + "/known.txt" }
      }
      #expect(outcome.error == nil)
      return outcome.warnings.map(\.suppression)
    }
    let line = "table-shrunk places: as of run 2"
    #expect(try lines(20) == [])
    #expect(try lines(nil) == [line])
    // Back, but cut.
    #expect(try lines(5) == ["table-shrunk places: as of run 3"])
    #expect(try lines(20, accepting: line).count == 1)
    #expect(try lines(nil) == ["table-shrunk places: as of run 5"])
    #expect(try lines(nil, accepting: "table-shrunk places: as of run 5") == [])
    #expect(try lines(nil) == [])
    #expect(try lines(20) == [])
    #expect(try lines(nil) == ["table-shrunk places: as of run 9"])
  }

  @Test func `records can be in the description itself`() throws {
    let text = "id,name,note\n1,a,\nx,b,\n2,c,d"
    let schema = Places.schema { $0.place = .inline(Array(text.utf8)) }
    let workplace = try Workplace()
    let outcome = loaded(workplace, schema)
    #expect(outcome.rejected == ["inline data of places:3 not-an-integer id"])
    let source = try #require(outcome.report?.tables.first?.sources.first)
    #expect(source.size == text.utf8.count && source.bytes == text.utf8.count)
    #expect(try workplace.places == ["1|'a'|-", "2|'c'|'d'"])
    #expect(load(workplace, schema) { $0.skipsUnchanged = true }.whole.isUnchanged)
    let other = Places.schema { $0.place = .inline(Array("id,name,note\n7,a,\n".utf8)) }
    #expect(load(workplace, other) { $0.skipsUnchanged = true }.whole.isUnchanged == false)
    #expect(try workplace.places == ["7|'a'|-"])
  }

  @Test func `files with another ending match by name, also in an archive`() throws {
    let schema = Places.schema { $0.ending = ".txt" }
    let workplace = try Places.workplace(["places.txt": "id,name,note\n1,a,\n"])
    #expect(load(workplace, schema).error == nil)
    let entries = [("feed/places.txt", "id,name,note\n2,b,\n"), ("feed/data/one.csv", "id\n3\n")]
    let zip = ZipBuilder(entries.map { .init($0.0, $0.1) })
    let path = workplace.path + "/feed.zip"
    try Data(zip.bytes).write(to: URL(fileURLWithPath: path))
    #expect(load(workplace, schema) { $0.source = path }.error == nil)
    #expect(try workplace.places == ["2|'b'|-"])
    let named = Places.schema { $0.place = .files(["data/one.csv"]) }
    let outcome = loaded(workplace, named) { $0.source = path }
    #expect(outcome.report?.tables[0].sources.map(\.name) == ["data/one.csv"])
    #expect(try workplace.places == ["3|-|-"])
  }
}
