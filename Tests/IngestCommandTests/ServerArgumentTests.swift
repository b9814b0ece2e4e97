import Facts
import Testing

@testable import ingest

/// An output that is a database of PostgreSQL's.
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
      // What only libpq needs to know.
      ("host?sslkey=k&options=-c%20x=secret&passfile=secret", "host"),
      // What is not a parameter of libpq's, or cannot be told from a password.
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
  func `messages and reports have no password`(uri: String, shown: String) {
    for scheme in ["postgresql://", "postgres://"] {
      #expect(ServerAddress.shown(scheme + uri) == scheme + shown)
    }
  }

  /// A word that is not where it belongs, or is not understood.
  @Test(
    arguments: [
      ["postgresql://me:secret@host/lego"], ["--out", "POSTGRESQL://me:secret@host/lego"],
      ["--out", "postgresql:/me:secret@host/lego"], ["--out", "Postgres://me:secret@host/lego"],
      ["--out", "lego", "--rejects", "r", "postgres://me:secret@host/lego"],
      ["--out", "lego", "--max-rejects", "postgresql://me:se'cr et@host/lego"],
      ["--out", "postgresql://me:secret@host/lego", "--keep-previous=1"],
      ["diff", "postgresql://me:secret@host/lego", "b", "c"],
      ["check", "postgresql://me:secret@host/lego"], ["check", "a", "postgres://me:secret@host"],
      ["diff", "lego", "postgresql://me:secret@host/lego"],
      ["postgresql://me:secret@host/lego", "--help"], ["check", "host=h password=secret"],
      ["diff", "lego", "mysql://me:secret@host/lego"],
      ["--out", "lego", "--suppress", "postgresql://me:secret@host/lego"],
      ["--out", "lego", "--repairs", "Postgresql://me:secret@host/lego"],
      ["--out", "lego", "--sql", "mysql://me:secret@host/lego"],
    ])
  func `a refused word has no password`(words: [String]) throws {
    let isCommand = ["diff", "check"].contains(words[0])
    let error = try #require(throws: UsageError.self) {
      try Arguments((isCommand ? [] : ["--source", "dumps"]) + words, tables: ["things"])
    }
    #expect(!error.message.contains("secret") && !error.message.contains("cr et"), "\(error)")
  }

  @Test func `an output that is like a URI is not taken for a file`() {
    #expect(
      throws: UsageError(
        message:
          "--out does not take an address of 'Postgresql': expected a path, or postgresql://HOST/DATABASE"
      )
    ) { try Self.arguments("--out", "Postgresql://host/lego") }
    #expect(throws: Never.self) { try Self.arguments("--out", "./postgresql:lego") }
  }

  @Test(
    arguments: [
      ("no 'postgres://a:b@c/d' 'e'", "no 'postgres://…'"),
      ("no 'postgres://a:b@c/d'", "no 'postgres://a@c/d'"),
      ("such as postgresql://HOST/x or Postgres:x, 'y'", "such as postgresql://HOST/x or … 'y'"),
      ("'postgresql://' of PostgreSQL: none", "'postgresql://' of PostgreSQL: none"),
    ])
  func `a message quotes no password`(text: String, shown: String) {
    #expect(UsageError(message: text).message == shown)
  }

  @Test(arguments: [["--jobs", "2"]])
  func `what only a schema has is refused for a file`(words: [String]) {
    #expect(
      throws: UsageError(message: "'\(words[0])' is for a schema in PostgreSQL, not for a file")
    ) {
      try Arguments(
        ["--source", "dumps", "--out", "catalog.sqlite"] + words, tables: ["things"])
    }
  }

  @Test(arguments: ["0", "-1", "+2", "1.5", "100", "two", "99999999999999999999"])
  func `a number of connections is one from 1 to 99`(value: String) {
    #expect(
      throws: UsageError(
        message: "'\(value)' is no number of connections for --jobs: give one from 1 to 99")
    ) { try Self.arguments("--jobs=\(value)") }
  }

  #if PostgreSQL
    @Test func `a database is connected to with all of its URI`() throws {
      let options = try Self.arguments(
        "--out", "postgresql://me:secret@host/lego", "--rejects", "rejects", "--keep-previous",
        "--jobs", "99"
      ).options
      #expect(options.output == "postgresql://me@host/lego")
      #expect(options.server?.connection == "postgresql://me:secret@host/lego")
      #expect(options.keepsPrevious)
      #expect(options.server?.connections == 99)
    }

    @Test(
      arguments: [
        (["--dry-run"], "'--dry-run' is for a catalog in a file, not in PostgreSQL"),
        (["--if-changed"], "'--if-changed' is for a catalog in a file, not in PostgreSQL"),
        (["--sql", "views.sql"], "'--sql' is for a catalog in a file, not in PostgreSQL"),
        (
          [],
          "missing option '--rejects DIR': beside a database there is no place for rejected records"
        ),
      ])
    func `what a database cannot have is refused`(words: [String], message: String) {
      let rejects = words.isEmpty ? [] : ["--rejects", "rejects"]
      #expect(throws: UsageError(message: message)) {
        try Arguments(
          ["--source", "dumps", "--out", "postgresql://host/lego"] + words + rejects,
          tables: ["things"])
      }
    }
  #else
    @Test func `a command without the trait says how to get it`() {
      #expect(
        throws: UsageError(
          message:
            "'postgresql://' is not understood: this ingest was built without PostgreSQL "
            + "(swift build -c release --traits PostgreSQL)")
      ) { try Self.arguments("--out", "postgresql://host/lego") }
    }
  #endif
}
