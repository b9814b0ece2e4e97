import Vocabulary
import Schema
import Testing
@testable import ingest

/// Outputs on PostgreSQL.
@Suite struct ServerArgumentTests {
  private static func arguments(_ words: String...) throws(UsageError) -> Arguments {
    try Arguments(["--source", "dumps"] + words, tables: ["things"])
  }

  @Test(
    arguments: [
      ("host/lego", "host/lego"), ("user@host:5432/lego", "user@host:5432/lego"),
      ("user:secret@host/lego", "user@host/lego"), ("user:se:cr%40et@host", "user@host"),
      (":secret@/lego?host=/run&password=secret", "@/lego?host=/run"),
      ("host?sslpassword=secret", "host"), ("", ""),
      (
        "user:a%40b@h1,h2:2/lego?password=a%26b&connect_timeout=3",
        "user@h1,h2:2/lego?connect_timeout=3"
      ),
      ("[2001:db8::1]:5432/lego?sslmode=require", "[2001:db8::1]:5432/lego?sslmode=require"),
      ("%2Frun%2Fpostgresql/lego", "%2Frun%2Fpostgresql/lego"),
      ("user:s3?cret@host/lego", "user@host/lego"),
      // Parameters only for libpq.
      ("host?sslkey=k&options=-c%20x=secret&passfile=secret", "host"),
      // Parts that are not parameters of libpq, or could be a password.
      ("host/lego?PASSWORD=secret", "host/lego"), ("host/lego?Password=secret", "host/lego"),
      ("host/lego?pass%77ord=secret", "host/lego"), ("host/lego?password=a&secret", "host/lego"),
      ("host/lego?user=me%3Asecret", "host/lego"), ("host/lego?user=me:secret", "host/lego"),
      ("user:se:cr@et@host", "…"), ("loader:ge/secret@host/lego", "…"),
      ("loader:p@ss/word@host/lego", "…"), ("loader:12/secret@host/lego", "…"),
      ("loader:777777/lego", "…"), ("loader:secret/lego", "…"), ("host/lego?x=se@cret", "…"),
      ("loader%3Asecret@host/lego", "…"), ("loader%3asecret/lego", "…"), ("a b:secret", "…"),
      ("host/lego/secret", "…"), ("host:1:secret/lego", "…"), ("[::1/secret", "…"),
      ("loader#secret@host/lego", "…"), ("host/lego%40secret", "…"),
    ])
  func `messages and reports contain no passwords`(uri: String, shown: String) {
    for scheme in ["postgresql://", "postgres://"] {
      #expect(ServerAddress.redacted(scheme + uri) == scheme + shown)
    }
  }

  /// A misplaced or invalid word.
  @Test(
    arguments: [
      ["postgresql://me:secret@host/lego"], ["--out", "POSTGRESQL://me:secret@host/lego"],
      ["--out", "postgresql:/me:secret@host/lego"], ["--out", "Postgres://me:secret@host/lego"],
      ["--out", "lego", "--rejects", "r", "postgres://me:secret@host/lego"],
      ["--out", "lego", "--max-rejects", "postgresql://me:se'cr et@host/lego"],
      ["--out", "postgresql://me:secret@host/lego", "--keep-previous=1"],
      ["diff", "postgresql://me:secret@host/lego", "b", "c"],
      ["check", "postgresql:/me:secret@host/lego"], ["check", "a", "postgres://me:secret@host"],
      ["diff", "lego", "Postgresql://me:secret@host/lego"], ["history", "host=h password=secret"],
      ["postgresql://me:secret@host/lego", "--help"], ["check", "host=h password=secret"],
      ["diff", "lego", "mysql://me:secret@host/lego"],
      ["--out", "lego", "--suppress", "postgresql://me:secret@host/lego"],
      ["--out", "lego", "--repairs", "Postgresql://me:secret@host/lego"],
      ["--out", "lego", "--sql", "mysql://me:secret@host/lego"],
    ])
  func `errors contain no passwords`(words: [String]) throws {
    let isCommand = ["diff", "check", "history"].contains(words[0])
    let error = try #require(throws: UsageError.self) {
      try Arguments((isCommand ? [] : ["--source", "dumps"]) + words, tables: ["things"])
    }
    #expect(!error.message.contains("secret") && !error.message.contains("cr et"), "\(error)")
  }

  @Test(
    arguments: [
      ("catalog.sqlite", nil, "catalog.sqlite"), ("a#b", nil, "a#b"),
      ("postgresql://host/lego", "rebrickable", "postgresql://host/lego#rebrickable"),
      ("postgres://me:secret@host/lego#gtfs", "gtfs", "postgres://me@host/lego#gtfs"),
      ("postgresql://host/lego?user=me#a b", "a b", "postgresql://host/lego?user=me#a b"),
      ("postgresql://me#secret@host/lego", "rebrickable", "postgresql://…"),
      ("postgresql://me:x#secret", "secret", "postgresql://…"),
      (
        "postgresql://me@host/lego?password=a#secret", "rebrickable",
        "postgresql://me@host/lego#rebrickable"
      ),
    ] as [(String, String?, String)])
  func `a database to read is a file or a schema`(operand: String, schema: String?, shown: String) {
    let database = DatabaseOperand(operand, "rebrickable")
    #expect(database.words == shown)
    if case .schema(let server) = database {
      #expect(server.name == schema)
    } else {
      #expect(schema == nil)
    }
  }

  @Test(
    arguments: [
      ("no 'postgres://a:b@c/d' 'e'", "no 'postgres://…'"),
      ("no 'postgres://a:b@c/d'", "no 'postgres://a@c/d'"),
      ("such as postgresql://HOST/x or Postgres:x, 'y'", "such as postgresql://HOST/x or … 'y'"),
      ("'postgresql://' of PostgreSQL: none", "'postgresql://' of PostgreSQL: none"),
    ])
  func `messages contain no passwords`(text: String, shown: String) {
    #expect(UsageError(message: text).message == shown)
  }

  #if PostgreSQL
    @Test(
      arguments: [
        ([], nil, []), (["--distribute", "none"], [], ["none"]),
        (["--distribute", "things=a=b"], [.init(table: "things", column: "a=b")], ["things=a=b"]),
      ] as [([String], [DistributedTable]?, [String])])
    func `a table is distributed by a column of any name, or none is`(
      words: [String], tables: [DistributedTable]?, stored: [String]
    ) throws {
      let server = ["--out", "postgresql://host/lego", "--rejects", "rejects"]
      let options = try Arguments(["--source", "dumps"] + server + words, tables: ["things"])
        .options
      #expect(options.output.schema?.distributed == tables)
      #expect(StoredOption.all(of: options, [], nil).map(\.value) == stored)
    }

    @Test(
      arguments: [
        ([], .automatic, false, nil), (["--publish", "auto"], .automatic, false, nil),
        (["--publish", "merge"], .merge, false, nil), (["--staging", "s"], .merge, false, "s"),
        (["--publish", "auto", "--staging", "s"], .merge, false, "s"),
        (["--publish", "swap", "--allow-loss"], .swap, true, nil),
      ] as [([String], ServerSchema.Publishing, Bool, String?)])
    func `the mode of publishing is read`(
      words: [String], publishing: ServerSchema.Publishing, allowsLoss: Bool, staging: String?
    ) throws {
      let out = ["--source", "dumps", "--out", "postgresql://host/lego", "--rejects", "rejects"]
      let server = try Arguments(out + words, tables: ["things"]).options.output.schema
      #expect(server?.publishing == publishing)
      #expect(server?.allowsLoss == allowsLoss)
      #expect(server?.staging == staging)
    }

    @Test func `the connection uses the whole URI`() throws {
      let options = try Self.arguments(
        "--out", "postgresql://me:secret@host/lego", "--rejects", "rejects", "--keep-previous",
        "--jobs", "99"
      ).options
      #expect(options.output.name == "postgresql://me@host/lego")
      #expect(options.output.schema?.connection == "postgresql://me:secret@host/lego")
      #expect(options.keepsPrevious)
      #expect(options.output.schema?.connections == 99)
    }

    @Test(
      arguments: [
        (
          ["--publish", "merge", "--keep-previous"],
          "'--keep-previous' cannot be used with '--publish merge' or '--staging', which replace no schema"
        ),
        (
          ["--staging", "s", "--keep-previous"],
          "'--keep-previous' cannot be used with '--publish merge' or '--staging', which replace no schema"
        ),
        (
          ["--staging", "s", "--publish", "swap"],
          "'--staging' cannot be used with '--publish swap', which needs a schema of its own"
        ),
        ([], "missing option '--rejects DIR': PostgreSQL requires a folder for rejected records"),
      ])
    func `options that PostgreSQL does not support are refused`(words: [String], message: String) {
      let rejects = words.isEmpty ? [] : ["--rejects", "rejects"]
      #expect(throws: UsageError(message: message)) {
        try Arguments(
          ["--source", "dumps", "--out", "postgresql://host/lego"] + words + rejects,
          tables: ["things"])
      }
    }
  #else
    @Test func `without the trait the message shows how to build with it`() {
      #expect(
        throws: UsageError(
          message:
            "'postgresql://' is not supported: this ingest was built without PostgreSQL "
            + "(swift build -c release --traits PostgreSQL)")
      ) { try Self.arguments("--out", "postgresql://host/lego") }
    }
  #endif
}
