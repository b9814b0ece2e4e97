import SQLiteSwiftly
import SQLiteSwiftlyData

/// Mistakes with rows, records and migrations.
extension MistakeTests {
  private struct Team: Codable {
    var id = 2
    var name = "Blues"
    var city: String?
    var shirt = "blue"
  }

  private static let teams = TableDescription(
    "teams",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("name", .text),
      ColumnDescription("city", .text, isNullable: true),
    ],
    primaryKey: ["id"])

  private static let insertion = """
    INSERT INTO "teams" ("id", "name", "city") VALUES (:id, :name, :city)
    """

  static let reading: [Mistake] = [
    Mistake(
      "a column's name",
      "no column `nam` in the result (columns: id, name, city) (SQLITE_RANGE, 25) in: "
        + "SELECT * FROM teams"
    ) { connection, _ in
      try connection.forEachRow(of: "SELECT * FROM teams") { let _: String = try $0["nam"] }
    },
    Mistake(
      "NULL as a text",
      "column 0 (city): expected a value, found NULL; read it as an optional (SQLITE_MISMATCH, 20) "
        + "in: SELECT city FROM teams"
    ) { connection, _ in _ = try connection.query("SELECT city FROM teams", as: String.self) },
    Mistake(
      "a text as an integer",
      "column 0 (name): expected an integer, found text (SQLITE_MISMATCH, 20) in: "
        + "SELECT name FROM teams"
    ) { connection, _ in _ = try connection.query("SELECT name FROM teams", as: Int.self) },
    Mistake(
      "a large integer as 8 bits",
      "column 0 (size): expected an integer of 8 bits (SQLITE_MISMATCH, 20) in: SELECT 300 AS size"
    ) { connection, _ in _ = try connection.query("SELECT 300 AS size", as: Int8.self) },
    Mistake(
      "a column too many",
      "column 1 (name): the row has 2 columns, and Int reads 1 (SQLITE_RANGE, 25) in: "
        + "SELECT id, name FROM teams"
    ) { connection, _ in _ = try connection.query("SELECT id, name FROM teams", as: Int.self) },
    Mistake(
      "a record of a column that is not there",
      "no column `shirt` in the result (columns: id, name, city) (SQLITE_RANGE, 25) in: "
        + "SELECT * FROM teams"
    ) { connection, _ in _ = try connection.query("SELECT * FROM teams", as: Team.self) },
    Mistake(
      "a column that is not described",
      "column shirt of the result is not in the description of teams (SQLITE_MISUSE, 21) in: "
        + #"SELECT * FROM "teams""#
    ) { connection, _ in
      try connection.execute("ALTER TABLE teams ADD COLUMN shirt TEXT")
      _ = try connection.readAllRows(fromTable: teams)
    },
    Mistake(
      "a value of a described row as another",
      "column name: expected an integer, found text (SQLITE_MISMATCH, 20)"
    ) { connection, _ in
      let _: Int = try connection.readAllRows(fromTable: teams)[0].value("name")
    },
  ]

  static let writing: [Mistake] = [
    Mistake(
      "a table of an insert",
      #"no such table: team (SQLITE_ERROR, 1) in: INSERT INTO "team" ("id") VALUES (:id)"#
    ) { connection, _ in
      _ = try connection.prepareInsertIntoTable(
        describedBy: TableDescription(
          "team", columns: [ColumnDescription("id", .integer)], primaryKey: ["id"]))
    },
    Mistake(
      "a value too few for an insert",
      "expected 3 values for teams (columns: id, name, city), found 2 (SQLITE_RANGE, 25) in: "
        + insertion
    ) { connection, _ in
      var insert = try connection.prepareInsertIntoTable(describedBy: teams)
      try insert.insert(2, "Blues")
    },
    Mistake(
      "a column without a value",
      "column id of teams has no value; to leave it out, list it in leavingOut (SQLITE_RANGE, 25) "
        + "in: " + insertion
    ) { connection, _ in
      var insert = try connection.prepareInsertIntoTable(describedBy: teams)
      try insert.insert(["name": "Blues", "city": .null])
    },
    Mistake(
      "a column's name in an insert",
      "teams has no column nam (columns: id, name, city) (SQLITE_RANGE, 25) in: " + insertion
    ) { connection, _ in
      var insert = try connection.prepareInsertIntoTable(describedBy: teams)
      try insert.insert(["id": 2, "nam": "Blues", "city": .null])
    },
    Mistake(
      "a record with a column that is not there",
      "teams has no column shirt (columns: id, name, city) (SQLITE_RANGE, 25) in: " + insertion
    ) { connection, _ in
      var insert = try connection.prepareInsertIntoTable(describedBy: teams)
      try insert.insert(record: Team())
    },
    Mistake(
      "an inserted value beyond 64 bits",
      "column id of teams: a value of type UInt64 does not fit into SQLite's 64-bit integers "
        + "(SQLITE_RANGE, 25)"
    ) { connection, _ in
      var insert = try connection.prepareInsertIntoTable(describedBy: teams)
      try insert.insert(UInt64.max, "Blues", String?.none)
    },
    Mistake(
      "a value of a bulk insert beyond 64 bits",
      "row 1: column id of teams: a value of type UInt64 does not fit into SQLite's 64-bit integers "
        + "(SQLITE_RANGE, 25)"
    ) { connection, _ in
      try connection.bulkInsert(intoTable: teams) { rows in
        try rows.append(2, "Blues", String?.none)
        try rows.append(UInt64.max, "Greens", String?.none)
      }
    },
    Mistake(
      "a key of no column",
      "invalid description of table teams: the primary key uses column nr, which does not exist "
        + "(SQLITE_MISUSE, 21)"
    ) { connection, _ in
      try connection.createTable(
        describedBy: TableDescription("teams", columns: teams.columns, primaryKey: ["nr"]))
    },
  ]

  private static func migrating(
    _ name: String, to migrations: [Migration], _ text: String
  ) -> Mistake {
    Mistake(name, text) { connection, _ in
      try connection.set(.foreignKeys, to: true)
      try connection.migrate([Migration(to: 1, "one", ""), Migration(to: 3, "three", "")])
      try connection.migrate(migrations)
    }
  }

  static let migrations: [Mistake] = [
    migrating(
      "a number twice", to: [Migration(to: 1, "one", ""), Migration(to: 1, "two", "")],
      "migration to 1 (two) after version 1 (one): versions must increase, from 1 (SQLITE_MISUSE, 21)"
    ),
    migrating(
      "another name", to: [Migration(to: 1, "eins", ""), Migration(to: 3, "three", "")],
      "migration to 1 (eins): version 1 was applied as a different migration (one) "
        + "(SQLITE_MISUSE, 21)"),
    migrating(
      "a number in between",
      to: [
        Migration(to: 1, "one", ""), Migration(to: 2, "two", ""), Migration(to: 3, "three", ""),
      ],
      "migration to 2 (two): version 3 was applied without this migration; add it as a later version "
        + "(SQLITE_MISUSE, 21)"),
    migrating(
      "an older program", to: [Migration(to: 1, "one", "")],
      "the database has version 3, newer than the last migration (1) (SQLITE_MISUSE, 21)"),
    migrating(
      "a lost parent",
      to: [
        Migration(to: 1, "one", ""), Migration(to: 3, "three", ""),
        Migration(to: 4, "four", "INSERT INTO members VALUES ('Ann', 9)"),
      ],
      "migration to 4 (four): row 1 of members (team) has no parent in teams "
        + "(SQLITE_CONSTRAINT_FOREIGNKEY, 787)"),
  ]
}
