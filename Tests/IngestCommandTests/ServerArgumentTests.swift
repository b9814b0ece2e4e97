import IngestPipeline
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
      ("user:secret@host/lego", "user@host/lego"), ("user:se:cr@et@host", "user@host"),
      (":secret@/lego?host=/run&password=secret", "@/lego?host=/run"),
      ("host?sslpassword=secret", "host"), ("", ""),
      (
        "user:a%40b@h1,h2:2/lego?password=a%26b&connect_timeout=3",
        "user@h1,h2:2/lego?connect_timeout=3"
      ),
    ])
  func `messages and reports have no password`(uri: String, shown: String) {
    for scheme in ["postgresql://", "postgres://"] {
      #expect(Arguments.withoutPasswords(scheme + uri, after: scheme) == scheme + shown)
    }
  }

  @Test(
    arguments: [
      ["--keep-previous"], ["--jobs", "2"], ["--shard", "things=id"], ["--servers", "servers"],
    ])
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

  @Test(
    arguments: [
      ("things", "'things' is no value for --shard: give a table and its column, such as "),
      ("=id", "'=id' is no value for --shard"), ("things=", "'things=' is no value for --shard"),
      ("thing=id", "'thing'"),
    ])
  func `a sharded table has a column`(value: String, message: String) throws {
    let error = try #require(throws: UsageError.self) { try Self.arguments("--shard", value) }
    #expect(error.message.contains(message))
  }

  #if PostgreSQL
    @Test func `tables are sharded over servers`() throws {
      let words = ["--out", "postgresql://host/lego", "--rejects", "rejects"]
      let server = try Arguments(
        ["--source", "dumps", "--shard", "things=id", "--servers", "servers"] + words,
        tables: ["things"]
      ).options.server
      #expect(server?.sharded == [ServerSchema.ShardedTable("things", by: "id")])
      #expect(server?.shardFile == "servers")
      for option in ["--shard=things=id", "--servers=servers"] {
        #expect(throws: UsageError.self) {
          try Arguments(["--source", "dumps", option] + words, tables: ["things"])
        }
      }
    }

    @Test func `a database is connected to with all of its URI`() throws {
      let options = try Self.arguments(
        "--out", "postgresql://me:secret@host/lego", "--rejects", "rejects", "--keep-previous",
        "--jobs", "99"
      ).options
      #expect(options.output == "postgresql://me@host/lego")
      #expect(options.server?.connection == "postgresql://me:secret@host/lego")
      #expect(options.server?.keepsPrevious == true)
      #expect(options.server?.connections == 99)
    }

    @Test(
      arguments: [
        (["--dry-run"], "'--dry-run' is for a catalogue in a file, not in PostgreSQL"),
        (["--if-changed"], "'--if-changed' is for a catalogue in a file, not in PostgreSQL"),
        (["--sql", "views.sql"], "'--sql' is for a catalogue in a file, not in PostgreSQL"),
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
