import Foundation
import TestSupport
import Testing

@testable import ingest

/// Option values that are probably not meant as paths.
@Suite struct MisreadPathTests {
  private static func message(_ option: String, _ value: String) -> String? {
    do throws(UsageError) {
      let words = ["--source", "d", option, value] + (option == "--out" ? [] : ["--out", "c"])
      _ = try Arguments(words, tables: ["parts"])
      return nil
    } catch {
      return error.message
    }
  }

  @Test(
    arguments: [
      ("--report", "json:r.json", "json:", ", because the file extension selects the format"),
      ("--report", "html:out/r.html", "html:", ", because the file extension selects the format"),
      ("--report", "JSON:r.json", "JSON:", ", because the file extension selects the format"),
      ("--report", "json:r", "json:", ", because the file extension selects the format"),
      ("--report", "file:r.json", "file:", ", because the file extension selects the format"),
      ("--metrics", "prom:m.prom", "prom:", ", because the file extension selects the format"),
      ("--out", "sqlite:c.sqlite", "sqlite:", ""), ("--out", "sqlite3:c", "sqlite3:", ""),
      ("--out", "file:c.sqlite", "file:", ""), ("--out", "file:c?mode=rwc", "file:", ""),
      ("--rejects", "file:rejects", "file:", ""), ("--out", "json:c", "json:", ""),
    ])
  func `a path with a prefix is refused`(
    option: String, value: String, prefix: String, reason: String
  ) {
    #expect(
      Self.message(option, value)
        == "'\(value)' is not a valid path for \(option): remove '\(prefix)'\(reason); "
        + "'./\(value)' is a file of that name")
  }

  private static let expected = "a path, or postgresql://HOST/DATABASE"

  @Test(
    arguments: [
      ("--out", "mysql://me:secret@host/lego", "mysql", expected),
      ("--out", "MySQL://host/lego", "MySQL", expected),
      ("--out", "jdbc:postgresql://host/lego", "jdbc", expected),
      ("--out", "postgresql:lego", "postgresql", expected),
      ("--out", "POSTGRES://host/lego", "POSTGRES", expected),
      ("--out", "Postgresql://host/lego", "Postgresql", expected),
      ("--out", "postgresql:/host/lego", "postgresql", expected),
      ("--out", "sqlite:///c.sqlite", "sqlite", expected),
      ("--out", "file:///srv/c.sqlite", "file", expected),
      ("--out", "s3://bucket/c.sqlite", "s3", expected),
      ("--report", "https://host/r.json", "https", "a path"),
      ("--metrics", "http://host:9091/m.prom", "http", "a path"),
      ("--rejects", "postgresql://host/lego", "postgresql", "a path"),
    ])
  func `an address is refused, without its password`(
    option: String, value: String, scheme: String, expected: String
  ) {
    #expect(
      Self.message(option, value)
        == "\(option) does not support '\(scheme)' addresses: expected \(expected)")
  }

  @Test(
    arguments: [
      "host=localhost dbname=lego", "dbname=lego", "host=/run/postgresql",
      "user=me password=secret dbname=lego", "host = localhost", "service=lego",
      "dbname=lego password='se cret'", "hostaddr=127.0.0.1 port=5432",
    ])
  func `a connection string is refused and not shown`(value: String) {
    #expect(
      Self.message("--out", value)
        == "--out does not accept a connection string of key=value pairs: expected "
        + "postgresql://HOST/DATABASE (for a file of that name, begin with './')")
  }

  @Test func `an in-memory database is refused`() {
    #expect(
      Self.message("--out", ":memory:")
        == "':memory:' is not a valid path for --out: a database must be a file; './:memory:' is a file of "
        + "that name")
  }

  @Test(
    arguments: [
      ("--out", "./json:c"), ("--out", "./sqlite:c.sqlite"), ("--out", "./host=a dbname=b"),
      ("--out", "./postgresql:lego"),
      ("--out", "user=7/catalog.sqlite"), ("--out", "host=db1/catalog.sqlite"),
      ("--out", "dt=2026-11-24/catalog.sqlite"), ("--out", "user=7.sqlite"),
      ("--out", "a:b.sqlite"), ("--out", "04:15.sqlite"), ("--out", "key=value.sqlite"),
      ("--out", "my lego=1.sqlite"), ("--out", "profile:c.sqlite"), ("--out", "/srv/file:c"),
      ("--out", "port=1 of 2.sqlite"), ("--out", ":memory:.sqlite"), ("--out", "sqlite"),
      ("--report", "./json:r.json"), ("--report", "2026-11-24T04:15.json"),
      ("--report", "catalog:night.json"), ("--report", "json.json"), ("--report", "json:-"),
      ("--metrics", "lego:prom.prom"), ("--rejects", "x/file:y"),
    ])
  func `an ordinary path is accepted`(option: String, value: String) {
    #expect(Self.message(option, value) == nil)
  }

  @Test(
    arguments: [
      ("--report json:r.json", "remove 'json:'"),
      ("--out sqlite:c.sqlite", "remove 'sqlite:'"),
      ("--out host=localhost dbname=lego", "connection string of key=value pairs"),
      ("--out mysql://host/lego", "does not support 'mysql' addresses"),
      ("--out :memory:", "':memory:' is"),
    ])
  func `a file of options has the same checks`(line: String, message: String) throws {
    let command = try Command()
    try makeFolder(command.path("etc"))
    try command.write("etc/nightly.conf", "--source d\n\(line)\n")
    let result = try command.run(["@etc/nightly.conf"])
    #expect(result.status == 64 && result.errors.contains(message), "\(result)")
    #expect(result.errors.contains("etc/nightly.conf:2: "), "\(result)")
    #expect(try command.names() == ["etc"])
  }

  @Test func `a server address in a file of options is not a path`() throws {
    let command = try Command()
    let path = try command.write("nightly.conf", "--out postgresql://host/lego\n")
    #expect(try ResponseFile(path).lines.map(\.word) == ["--out=postgresql://host/lego"])
  }
}
