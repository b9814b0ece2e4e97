import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Keys and references that `describe` inferred, and later files that contradict them.
struct GuessedRuleTests {
  private static let teams = "id,name\n" + (1...30).map { "\($0),t\($0)\n" }.joined()
  private static let games =
    "game_id,team_id\n" + (1...30).map { "\($0),\($0 % 30 + 1)\n" }.joined()

  /// Describes two tables, and then adds records to them.
  private func describe(teams: String = "", games: String = "") throws -> Command {
    let command = try Command()
    try command.write("teams.csv", Self.teams)
    try command.write("games.csv", Self.games)
    let description = try command.run(["describe", "--source", "."], status: 0).output
    try command.write("described.json", description)
    try command.write("teams.csv", Self.teams + teams)
    try command.write("games.csv", Self.games + games)
    return command
  }

  private func load(
    _ command: Command, _ options: String..., status: Int32 = 0
  ) throws -> ChildProcess.Outcome {
    try command.run(
      ["--schema", "described.json", "--out", command.catalog] + options, status: status)
  }

  @Test func `sound data keep all rules`() throws {
    let command = try describe(teams: "31,t31\n", games: "31,31\n")
    let outcome = try load(command)
    #expect(outcome.output.contains("published, clean"), "\(outcome)")
    #expect(try command.rows("SELECT count(*) FROM pragma_foreign_key_list('games')") == [[1]])
    #expect(
      try command.rows("SELECT name FROM pragma_table_info('teams') WHERE pk > 0") == [["id"]])
  }

  /// Records that break a rule, with the code, the reason, and the line that accepts it.
  @Test(arguments: [
    (
      "", "31,99\n", "reference-dropped: games.csv: the inferred reference of team_id to teams",
      "teams lacks the key of 1 record, first in line 32, \"99\"",
      "reference-dropped games.team_id: teams"
    ),
    (
      "", "30,2\n", "key-dropped: games.csv: the inferred key (game_id)",
      "that of an earlier record in 1 record, first in line 32, \"30\"",
      "key-dropped games: game_id"
    ),
    (
      "", ",1\n", "key-dropped: games.csv: the inferred key (game_id)",
      "has no value in 1 record, first in line 32, no value", "key-dropped games: game_id"
    ),
    (
      "7,other\n7,third\n", "", "key-dropped: teams.csv: the inferred key (id)",
      "that of an earlier record in 2 records, first in line 32, \"7\", and references of games.team_id are not "
        + "checked", "key-dropped teams: id"
    ),
  ])
  func `records that break an inferred rule are loaded without it`(
    teams: String, games: String, rule: String, reason: String, line: String
  ) throws {
    let command = try describe(teams: teams, games: games)
    let outcome = try load(command)
    #expect(outcome.output.contains("published with 1 warning"), "\(outcome)")
    #expect(outcome.errors.contains(rule) && outcome.errors.contains(reason), "\(outcome.errors)")
    #expect(outcome.errors.contains("    \(line)\n"), "\(outcome.errors)")
    let records = (teams + games).split(separator: "\n").count
    #expect(
      try command.rows("SELECT (SELECT count(*) FROM teams) + (SELECT count(*) FROM games)")
        == [[.integer(Int64(60 + records))]])
    try command.run(["check", command.catalog], status: 0)
    // The same in a dry run, and accepted by its line; by a strict run the records are rejected.
    #expect(try load(command, "--dry-run").errors.contains(reason))
    try command.write("accepted", line + "\n")
    #expect(try load(command, "--suppress", "accepted").output.contains("clean"))
    #expect(try load(command, "--strict-schema", status: 65).errors.contains("rejects-over-limit"))
  }

  @Test func `a record that equals an earlier one is a duplicate all the same`() throws {
    let command = try describe(teams: "7,t7\n")
    let outcome = try load(command, "--max-rejects", "1", status: 3)
    #expect(
      outcome.errors.contains(
        "teams.csv:32: byte 200: duplicate-key: an earlier record is equal"),
      "\(outcome)")
    #expect(!outcome.errors.contains("key-dropped"))
    #expect(try command.rows("SELECT count(*) FROM teams") == [[30]])
    // Quotes make no difference.
    try command.write("teams.csv", Self.teams + "7,\"t7\"\n")
    #expect(try load(command, "--max-rejects", "1", status: 3).errors.contains("record is equal"))
    // With another record that breaks the key, it is the only one rejected.
    try command.write("teams.csv", Self.teams + "7,t7\n8,other\n")
    let both = try load(command, "--max-rejects", "1", status: 3)
    #expect(both.errors.contains("key-dropped teams: id"), "\(both)")
    #expect(
      try command.rows("SELECT name FROM teams WHERE id IN (7, 8) ORDER BY name") == [
        ["other"], ["t7"], ["t8"],
      ])
  }

  /// Three tables, each with a reference to the one before; games refer to places as well.
  private func describeChain(later: [String: String]) throws -> Command {
    let command = try Command()
    let texts = [
      "teams.csv": Self.teams,
      "places.csv": "id,city\n" + (1...30).map { "\($0),c\($0)\n" }.joined(),
      "games.csv": "id,team_id,place_id\n" + (1...30).map { "\($0),\(31 - $0),\($0)\n" }.joined(),
      "goals.csv": "id,game_id\n" + (1...40).map { "\($0),\($0 % 30 + 1)\n" }.joined(),
    ]
    for (name, text) in texts { try command.write(name, text) }
    try command.write(
      "described.json", try command.run(["describe", "--source", "."], status: 0).output)
    for (name, text) in later { try command.write(name, (texts[name] ?? "") + text) }
    return command
  }

  @Test(arguments: [
    ("31,99,77\n", ["games.team_id: teams", "games.place_id: places"], []),
    ("31,99,1\n", ["games.team_id: teams"], ["places"]),
    ("31,1,77\n", ["games.place_id: places"], ["teams"]),
  ])
  func `references are dropped, and those to their records are kept`(
    game: String, dropped: [String], kept: [String]
  ) throws {
    let command = try describeChain(later: ["games.csv": game, "goals.csv": "41,31\n"])
    let outcome = try load(command)
    #expect(outcome.output.contains("published with 1 warning"), "\(outcome)")
    for line in dropped {
      #expect(outcome.errors.contains("reference-dropped \(line)\n"), "\(outcome.errors)")
    }
    #expect(!outcome.errors.contains("goals.game_id"), "\(outcome.errors)")
    #expect(try command.rows("SELECT count(*) FROM goals") == [[41]])
    for (table, parents) in [("goals", ["games"]), ("games", kept)] {
      let rows = try command.rows(
        SQL(generated: "SELECT \"table\" FROM pragma_foreign_key_list('\(table)')"))
      #expect(rows == parents.map { [.text($0)] })
    }
  }

  /// Keys, some of which alone would be of another type.
  @Test(arguments: [
    ["NA", "3", "7"], ["-", "2020-01-01", "2020-01-02"],
    ["2020-01-01T00:00:00+02:00", "2020-01-02T00:00:00+02:00"],
  ])
  func `a column has the texts of the key that it refers to`(texts: [String]) throws {
    let command = try Command()
    try command.write("teams.csv", "id,name\n" + (["x"] + texts).map { "\($0),a b\n" }.joined())
    try command.write("games.csv", "game_id,team_id\n" + texts.map { "g\($0),\($0)\n" }.joined())
    try command.write(
      "described.json", try command.run(["describe", "--source", "."], status: 0).output)
    let outcome = try load(command)
    #expect(outcome.output.contains("published, clean"), "\(outcome)")
    #expect(
      try command.rows("SELECT teams.id FROM games JOIN teams ON id = team_id ORDER BY 1")
        == texts.sorted().map { [.text($0)] })
    #expect(try command.rows("SELECT count(*) FROM pragma_foreign_key_list('games')") == [[1]])
  }

  @Test func `a text that is too long for an inferred reference is loaded`() throws {
    let command = try Command()
    try command.write("teams.csv", "code,name\n" + (1...30).map { "c\($0),t\($0)\n" }.joined())
    let games = "id,team_code\n" + (1...30).map { "\($0),c\($0)\n" }.joined()
    try command.write("games.csv", games)
    try command.write(
      "described.json", try command.run(["describe", "--source", "."], status: 0).output)
    try command.write("games.csv", games + "31,\(String(repeating: "L", count: 1025))\n")
    let outcome = try load(command)
    #expect(outcome.errors.contains("reference-dropped games.team_code: teams"), "\(outcome)")
    #expect(try command.rows("SELECT max(length(team_code)) FROM games") == [[1025]])
  }

  @Test func `a rule without its mark is enforced`() throws {
    let command = try describe(teams: "7,other\n", games: "31,99\n")
    let text = try command.text("described.json")
    try command.write(
      "described.json",
      text.replacing(#", "inferredKey": true"#, with: "").replacing(#""inferred": true"#, with: ""))
    let outcome = try load(command, status: 65)
    #expect(
      outcome.errors.contains("duplicate-key: an earlier record has the same id: \"7\""),
      "\(outcome)")
    #expect(outcome.errors.contains("missing-parent: \"99\" is not in teams.id"))
    #expect(!outcome.errors.contains("inferred"))
  }

  /// Records after the 30 teams, the repair of team 7, the teams 7 then, and the warnings.
  @Test(arguments: [
    ("8,other\n", "7,fixed", ["fixed"], ["key-dropped teams: id"]),
    (",other\n", "7,fixed", ["fixed"], ["key-dropped teams: id"]),
    (
      "8,other\n", "7,t7", ["t7"],
      ["key-dropped teams: id", "repair-needless teams: replace line 2"]
    ),
    ("7,t7\n", "7,fixed", ["fixed"], []),
    (
      "7,other\n", "7,fixed", ["fixed", "other"],
      ["key-dropped teams: id", "repair-inapplicable teams: replace line 2"]
    ),
  ])
  func `repairs are matched by an inferred key, and replace one record`(
    teams: String, repair: String, names: [String], warnings: [String]
  ) throws {
    let command = try describe(teams: teams)
    let folder = command.catalog + ".repairs"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "id,name\n\(repair)\n".write(
      toFile: folder + "/teams.replace.csv", atomically: true, encoding: .utf8)
    let outcome = try load(command, "--repairs", folder)
    let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("    ") }
    #expect(lines.map { String($0.dropFirst(4)) } == warnings, "\(outcome)")
    #expect(
      try command.rows("SELECT name FROM teams WHERE id = 7 ORDER BY name")
        == names.map { [.text($0)] })
  }

  @Test func `messages about an inferred rule say so, and how it is removed`() throws {
    let command = try describe(teams: "7,other\nx,y\n,z\n", games: "31,99\n")
    let strict = try load(command, "--strict-schema", status: 65)
    for message in [
      "the same id: \"7\"; describe inferred the key: if it is wrong, remove primaryKey of teams from the description",
      "not a plain decimal integer; describe inferred the type: to load such values, set the type of teams.id to string",
      "but one is required; describe inferred the key: if it is wrong",
      "describe inferred the reference: if it is wrong, remove the foreign key of games.team_id from the description",
    ] {
      #expect(strict.errors.contains(message), "\(strict.errors)")
    }
    try command.write("teams.csv", Self.teams + "7,t7\n")
    try command.write("games.csv", Self.games)
    let outcome = try load(command, status: 65)
    #expect(outcome.errors.contains("record is equal; describe inferred the key"), "\(outcome)")
  }

  @Test func `a value that the owner requires is required without the key`() throws {
    let command = try describe(teams: "7,other\n,none\n")
    let text = try command.text("described.json")
    let required = text.replacing(
      #""example": 1"#, with: #""example": 1, "constraints": {"required": true}"#)
    #expect(required != text)
    try command.write("described.json", required)
    let outcome = try load(command, "--max-rejects", "1", status: 3)
    #expect(
      outcome.errors.contains("missing-value") && outcome.errors.contains("key-dropped teams: id"),
      "\(outcome)")
    #expect(try command.rows("SELECT count(*) FROM teams") == [[31]])
  }

  /// The key is back on the next night, and values are compared with those of the night before as if it had been there.
  @Test func `a rule is dropped in that run only`() throws {
    let command = try describe()
    #expect(try load(command).output.contains("clean"))
    try command.write("teams.csv", Self.teams + "7,other\n")
    let broken = try load(command)
    #expect(broken.output.contains("published with 1 warning"), "\(broken)")
    let renamed = Self.teams.replacing(",t", with: ",u")
    try command.write("teams.csv", renamed + "7,other\n")
    let changed = try load(command)
    #expect(
      changed.errors.contains("name has changed for 30 of the 30 keys of teams"), "\(changed)")
    try command.write("teams.csv", Self.teams + "31,other\n")
    let healed = try load(command)
    #expect(healed.output.contains("published, clean"), "\(healed)")
    #expect(
      try command.rows("SELECT name FROM pragma_table_info('teams') WHERE pk > 0") == [["id"]])
    #expect(try command.rows("SELECT count(*) FROM pragma_foreign_key_list('games')") == [[1]])
  }
}
