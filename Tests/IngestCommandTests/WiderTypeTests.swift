import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Columns whose inferred types do not fit later values.
@Suite struct WiderTypeTests {
  /// Describes tables `teams` and `games`, and writes files with further records.
  private func describe(_ teams: String, _ games: String, later: String...) throws -> Command {
    let command = try Command()
    try command.write("teams.csv", teams)
    try command.write("games.csv", games)
    let described = try command.run(["describe", "--source", "."])
    #expect(described.status == 0 && described.output.contains(#""inferredTypes": true"#))
    try command.write("described.json", described.output)
    try command.write("teams.csv", teams + later[0])
    try command.write("games.csv", games + later[1])
    return command
  }

  private func load(_ command: Command, _ options: String...) throws -> ChildProcess.Outcome {
    try command.run(["--schema", "described.json", "--out", command.catalog] + options)
  }

  /// Removes the marks of inferred keys and references.
  private func confirm(_ command: Command) throws {
    let text = try command.text("described.json")
    let confirmed = text.replacing(#", "inferredKey": true"#, with: "")
      .replacing(#""inferred": true"#, with: "")
    #expect(confirmed != text)
    try command.write("described.json", confirmed)
  }

  private static let games = "team_id,points\n1,5\n2,7\n"

  @Test(arguments: [
    ("points", "7", "8", "10.5", "number", SQLiteValue.real(7), SQLiteValue.real(10.5)),
    ("points", "7", "8", "-2.5e1", "string", .text("7"), .text("-2.5e1")),
    ("points", "7", "8", "9.0", "string", .text("7"), .text("9.0")),
    ("points", "7", "8", "+9", "string", .text("7"), .text("+9")),
    ("points", "7", "8", "D8690", "string", .text("7"), .text("D8690")),
    // As a real it would be another number.
    ("points", "7", "8", "9007199254740993.5", "string", .text("7"), .text("9007199254740993.5")),
    (
      "points", "7", "8", "99999999999999999999", "string", .text("7"),
      .text("99999999999999999999")
    ),
    ("points", "7", "8", "007", "string", .text("7"), .text("007")),
    ("weight", "1.50", "2.25", "heavy", "string", .text("1.50"), .text("heavy")),
    ("is_open", "true", "false", "perhaps", "string", .text("true"), .text("perhaps")),
    ("founded", "1907-01-31", "1910-05-01", "1907", "string", .text("1907-01-31"), .text("1907")),
    ("extra", #""{""a"": 1}""#, #""{""a"": 2}""#, "{", "string", .text(#"{"a": 1}"#), .text("{")),
  ])
  func `a value that does not fit the inferred type widens it`(
    column: String, first: String, second: String, other: String, type: String,
    stored: SQLiteValue, storedOther: SQLiteValue
  ) throws {
    let command = try describe(
      "id,\(column)\n1,\(first)\n2,\(second)\n", Self.games, later: "3,\(other)\n", "")
    let outcome = try load(command)
    #expect(outcome.status == 0, "\(outcome)")
    let message =
      "type-widened: teams.csv: \(column) is loaded as a \(type), since its inferred type does not fit 1 record, "
      + "first in line 4, \"\(other)\"; to keep this, set the type of teams.\(column) to \(type) in the description"
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.errors.contains("type-widened teams.\(column): \(type)\n"))
    #expect(!outcome.errors.contains("rejected"))
    let values = try command.rows(SQL(generated: "SELECT \"\(column)\" FROM teams ORDER BY id"))
    #expect(values.first == [stored] && values.last == [storedOther] && values.count == 3)
    #expect(!FileManager.default.fileExists(atPath: command.catalog + ".rejects"))
    // The file knows its own schema.
    try command.run(["check", command.catalog], status: 0)
  }

  /// Values that fit the type of their column, but of which the text would be lost.
  @Test(arguments: [
    ("1.5", "2.25", "007.1", "007.1"), ("1.5", "2.25", "3E2", "3E2"),
    ("1.5", "2.25", "2.50", "2.50"),
    ("1.50", "2.25", "2.5", "2.5"), ("1.50", "2.00", "7", "7"), ("0.5", "2.25", ".75", ".75"),
    ("1.5", "2.25", "\" 3.5\"", " 3.5"),
    ("1.5", "2.25", "0.1234567890123456789", "0.1234567890123456789"),
    ("9007199254740993", "2", "0.5", "0.5"),
    ("7", "8", "0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
    ("1.5", "2.25", "-0.0", "-0.0"), ("1.500e+03", "2.250e+03", "1.500E+03", "1.500E+03"),
    ("31.12.2003", "01.02.2003", "1.2.2003", "1.2.2003"),
    ("01-Feb-2003", "31-Dec-2003", "01-FEB-2003", "01-FEB-2003"),
    ("08:15:00", "09:15:00", "08:15:00.500", "08:15:00.500"),
    ("2020-01-01T10:00:00", "2020-01-02T10:00:00", "2020-01-03T24:00:00", "2020-01-03T24:00:00"),
    (
      "2020-01-01T10:00:00", "2020-01-02T10:00:00", "2020-01-03T10:00:00+02:00",
      "2020-01-03T10:00:00+02:00"
    ),
    (
      "2020-01-01T10:00:00Z", "2020-01-02T10:00:00Z", "2020-01-03T10:00:00+00:00",
      "2020-01-03T10:00:00+00:00"
    ),
    (
      "2020-01-01T10:00:00+02:00", "2020-01-02T10:00:00+02:00", "2020-01-03T10:00:00+01:00",
      "2020-01-03T10:00:00+01:00"
    ),
    ("2020-01-01 10:00:00", "2020-01-02 10:00:00", "2020-01-03T10:00:00", "2020-01-03T10:00:00"),
    ("2020-01-01 10:00:00", "2020-01-02 10:00:00", "2020-01-03 10:00", "2020-01-03 10:00"),
    ("2020-01-01 10:00:00", "2020-01-02 10:00:00", "2020/01/03 10:00:00", "2020/01/03 10:00:00"),
    (
      "2020-01-01 10:00:00", "2020-01-02 10:00:00", "2020-01-03 10:00:00 UTC",
      "2020-01-03 10:00:00 UTC"
    ),
    ("t", "f", "True", "True"),
  ])
  func `a value whose text would be lost makes text of all`(
    first: String, second: String, other: String, stored: String
  ) throws {
    let command = try describe(
      "id,score\n1,\(first)\n2,\(second)\n", Self.games, later: "3,\(other)\n", "")
    let outcome = try load(command)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.components(separatedBy: "type-widened: ").count == 2, "\(outcome)")
    #expect(outcome.errors.contains("type-widened teams.score: string\n"), "\(outcome)")
    #expect(
      try command.rows("SELECT score FROM teams ORDER BY id")
        == [[.text(first)], [.text(second)], [.text(stored)]])
    let strict = try load(command, "--strict-schema")
    #expect(strict.status == 65, "\(strict)")
    #expect(strict.errors.contains("type-widened") || strict.errors.contains("inferred the type"))
  }

  @Test func `a strict run keeps a text if its warning is suppressed`() throws {
    let command = try describe("id,score\n1,1.5\n2,2.25\n", Self.games, later: "3,007.1\n", "")
    try command.write("known", "type-widened teams.score: string\n")
    let outcome = try load(command, "--strict-schema", "--suppress", "known")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try command.rows("SELECT score FROM teams WHERE id = 3") == [["007.1"]])
  }

  /// Times that are stored in another form, from which all their texts follow.
  @Test(arguments: [
    (
      "2020-01-01 10:00:00", "2020-01-02 10:00:00", "2020-01-03 10:00:00.5", "2020-01-03T10:00:00.5"
    ),
    ("10:00:00.000", "11:00:00.120", "12:00:00.500", "12:00:00.5"),
    ("2020-01-01T10:00:00", "2020-01-02T10:00:00", "2020-01-03T10:00:00Z", "2020-01-03T10:00:00Z"),
    (
      "2020-01-01T10:00:00.000+00:00", "2020-01-02T10:00:00.000+00:00",
      "2020-01-03T10:00:00.250+00:00", "2020-01-03T10:00:00.25Z"
    ),
    ("2020-01-01 10:00", "2020-01-02 10:00", "2020-01-03 10:00", "2020-01-03T10:00:00"),
  ])
  func `times that are all written in one way keep their type`(
    first: String, second: String, other: String, stored: String
  ) throws {
    let command = try describe(
      "id,moment\n1,\(first)\n2,\(second)\n", Self.games, later: "3,\(other)\n", "")
    let outcome = try load(command)
    #expect(outcome.status == 0 && !outcome.errors.contains("type-widened"), "\(outcome)")
    #expect(try command.rows("SELECT moment FROM teams WHERE id = 3") == [[.text(stored)]])
  }

  @Test func `words for missing values are texts in a column that becomes text`() throws {
    let command = try describe(
      "id,score\n1,5\n2,N/A\n", Self.games, later: "3,x\n4,-\n", "")
    #expect(try load(command).status == 0)
    #expect(
      try command.rows("SELECT score FROM teams ORDER BY id") == [["5"], ["N/A"], ["x"], ["-"]])
  }

  @Test func `a record that is not valid CSV widens nothing`() throws {
    let command = try describe("id,score\n1,5\n2,6\n", Self.games, later: "3,\0\n\0,7\n", "")
    let outcome = try load(command, "--max-rejects", "2")
    #expect(outcome.status == 3 && !outcome.errors.contains("type-widened"), "\(outcome)")
    #expect(try command.rows("SELECT id, score FROM teams") == [[1, 5], [2, 6]])
  }

  @Test func `keys become text, with the columns that refer to them`() throws {
    let command = try describe("id,name\n1,a\n2,b\n", Self.games, later: "3.5,c\n", "3.5,9\n1,\n")
    let outcome = try load(command)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      outcome.errors.contains("set the type of teams.id, games.team_id to string"), "\(outcome)")
    #expect(
      try command.rows("SELECT id, typeof(id) FROM teams")
        == [["1", "text"], ["2", "text"], ["3.5", "text"]])
    #expect(
      try command.rows("SELECT team_id, points FROM games")
        == [["1", 5], ["2", 7], ["3.5", 9], ["1", .null]])
    #expect(try command.rows("PRAGMA foreign_key_check").isEmpty)
  }

  @Test func `several files and columns are widened at once, and other faults are still found`()
    throws
  {
    let command = try describe(
      "id,name,score\n1,a,5\n2,b,6\n", Self.games, later: "3,c,x\n2,d,1.5\n", "2,1.5\n9,y\n")
    try confirm(command)
    let outcome = try load(command, "--max-rejects", "2")
    #expect(outcome.errors.contains("teams.score to string"))
    #expect(outcome.errors.contains("games.points to string"))
    #expect(
      outcome.errors.contains("teams.csv:5: byte 32, column id: duplicate-key"), "\(outcome.errors)"
    )
    #expect(outcome.errors.contains("games.csv:5: byte 29, column team_id: missing-parent"))
    #expect(!outcome.errors.contains("not-an-integer"))
    #expect(try command.rows("SELECT score FROM teams ORDER BY id") == [["5"], ["6"], ["x"]])
    let reasons = try String(
      contentsOfFile: command.catalog + ".rejects/teams.reasons.csv", encoding: .utf8)
    #expect(reasons.split(separator: "\n").count == 2, "\(reasons)")
  }

  @Test func `a strict run, and a description without the property, reject the record`() throws {
    let command = try describe("id,score\n1,5\n2,6\n", Self.games, later: "3,x\n", "")
    let strict = try load(command, "--strict-schema")
    #expect(strict.status == 65 && strict.errors.contains("not-an-integer"), "\(strict)")
    let text = try command.text("described.json")
    try command.write(
      "described.json",
      text.replacing(#""inferredTypes": true"#, with: #""inferredTypes": false"#))
    let checked = try load(command)
    #expect(checked.status == 65 && checked.errors.contains("not-an-integer"), "\(checked)")
    #expect(!FileManager.default.fileExists(atPath: command.catalog))
  }

  @Test func `a constraint on a column keeps its type`() throws {
    let command = try describe("id,score\n1,5\n2,6\n", Self.games, later: "3,x\n", "")
    let text = try command.text("described.json")
    let constrained = text.replacing(
      #""example": 5"#, with: #""example": 5, "constraints": {"minimum": 0}"#)
    #expect(constrained != text)
    try command.write("described.json", constrained)
    let outcome = try load(command)
    #expect(outcome.status == 65 && outcome.errors.contains("not-an-integer"), "\(outcome)")
  }

  @Test func `an unchanged run reads the files, and repeats the warning once`() throws {
    let command = try describe("id,score\n1,5\n2,6\n", Self.games, later: "3,x\n", "")
    #expect(try load(command).status == 0)
    let outcome = try load(command, "--if-changed")
    #expect(outcome.status == 0 && outcome.output.contains("unchanged, nothing was loaded"))
    #expect(outcome.errors.components(separatedBy: "loaded as a string").count == 2, "\(outcome)")
  }

  @Test func `a dry run widens as well`() throws {
    let command = try describe("id,score\n1,5\n2,6\n", Self.games, later: "3,x\n", "")
    let outcome = try load(command, "--dry-run")
    #expect(outcome.status == 0 && outcome.errors.contains("type-widened"), "\(outcome)")
    #expect(outcome.output.contains("would be published with 1 warning"))
  }
}
