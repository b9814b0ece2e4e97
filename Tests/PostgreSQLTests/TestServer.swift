#if PostgreSQL
  import Foundation
  import TestSupport
  import Testing

  @testable import PostgreSQL

  /// A server of its own for the tests, in a temporary folder and on a Unix socket only, which ends with this process at
  /// the latest.
  final class TestServer: Sendable {
    /// The server of the tests that run.
    @TaskLocal static var current: TestServer?

    let folder: String
    /// The script; only `stop` uses it once the server is started.
    nonisolated(unsafe) private let script: ChildProcess.Running

    /// Where Debian has the programs of the newest version, or `PG_BINDIR` if it is set; nil if nowhere.
    static let programs: String? = {
      if let folder = ProcessInfo.processInfo.environment["PG_BINDIR"] { return folder }
      let root = "/usr/lib/postgresql"
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      return versions.compactMap(Int.init).sorted().reversed().map { "\(root)/\($0)/bin" }
        .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()

    /// Makes a cluster and starts the server.
    ///
    /// It ends the server and removes the folder when the test process is gone, or there is a file `stop`. A server
    /// refuses to be root.
    private static let program = #"""
      set -eu
      programs=$1 folder=$2 parent=$3
      server=
      end() {
        if [ -n "$server" ]; then kill -INT "$server" 2>/dev/null || true; wait "$server" || true; fi
        rm -rf "$folder"
      }
      trap end EXIT
      as=
      if [ "$(id -u)" = 0 ]; then
        chown nobody "$folder"
        as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
      fi
      cd "$folder"
      $as "$programs/initdb" --no-sync -A trust -U postgres -E UTF8 --locale=C.UTF-8 -D "$folder/data" >&2
      printf 'local all locked scram-sha-256\nlocal all all trust\n' >"$folder/data/pg_hba.conf"
      $as "$programs/postgres" -D "$folder/data" -c listen_addresses= -c unix_socket_directories="$folder" \
        -c fsync=off -c max_connections=60 -c max_prepared_transactions=2 -c lc_messages=C.UTF-8 </dev/null >&2 &
      server=$!
      while [ -d "/proc/$parent" ] && [ -d "/proc/$server" ] && [ ! -e "$folder/stop" ]; do sleep 0.1; done
      """#

    init() throws {
      let programs = try #require(Self.programs)
      folder = FileManager.default.temporaryDirectory.path + "/pg-" + UUID().uuidString.prefix(8)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
      let running = try ChildProcess(
        "sh", ["-c", Self.program, "sh", programs, folder, "\(getpid())"]
      ).start()
      unsafe script = running
      let start = ContinuousClock.now
      while true {
        if running.hasEnded || ContinuousClock.now - start > .seconds(3600) {
          throw ChildProcess.Failure(description: try running.errorsSoFar())
        }
        if (try? PostgreSQLConnection(string)) != nil { return }
        usleep(50_000)
      }
    }

    func stop() throws {
      // The script may be removing the folder already, if the server has ended by itself.
      try? Data().write(to: URL(fileURLWithPath: folder + "/stop"))
      _ = try unsafe script.outcome()
      try? FileManager.default.removeItem(atPath: folder)
    }

    /// Ends the server at once, as in an emergency.
    func kill() throws {
      let file = folder + "/data/postmaster.pid"
      let lines = try String(contentsOfFile: file, encoding: .utf8)
      let process = try #require(pid_t(lines.prefix { $0 != "\n" }))
      _ = Glibc.kill(process, SIGQUIT)
      while FileManager.default.fileExists(atPath: file) { usleep(10_000) }
    }

    /// The connection string of the administrator.
    var string: String { "host=\(folder) user=postgres dbname=postgres" }

    /// What `psql` prints for a statement: a line for each row, `|` between columns, NULL as `∅`.
    func psql(_ sql: String, database: String = "postgres") throws -> String {
      let programs = try #require(Self.programs)
      let outcome = try ChildProcess(
        programs + "/psql",
        [
          "-AtX", "-v", "ON_ERROR_STOP=1", "-P", "null=∅", "-h", folder, "-U", "postgres", "-c",
          sql, database,
        ]
      ).run()
      guard outcome.status == 0 else { throw ChildProcess.Failure(description: "\(outcome)") }
      return outcome.output.trimmingLineEnds
    }
  }

  /// Starts the server for a suite, once for all of its tests.
  struct ServerTrait: SuiteTrait, TestScoping {
    func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
      let server = try TestServer()
      defer { try? server.stop() }
      try await TestServer.$current.withValue(server, operation: function)
    }
  }

  /// Something that goes on in a thread of its own, since a test that waits for another keeps a thread that tasks need.
  final class InThread<Value: Sendable>: @unchecked Sendable {
    private let end = DispatchSemaphore(value: 0)
    private var result: Result<Value, any Error>?

    init(_ body: @escaping @Sendable () throws -> Value) {
      Thread { [self] in
        result = Result { try body() }
        end.signal()
      }.start()
    }

    func value() throws -> Value {
      end.wait()
      return try #require(result).get()
    }
  }

  /// All tests that need a server.
  @Suite(
    .enabled(
      if: TestServer.programs != nil,
      "PostgreSQL's server is not installed (Debian: postgresql), and PG_BINDIR does not say where it is"
    ),
    ServerTrait())
  enum ServerTests {
    /// The server of these tests.
    static var server: TestServer { get throws { try #require(TestServer.current) } }

    /// Connects as the administrator, or as another role.
    static func connect(as role: String = "postgres") throws -> PostgreSQLConnection {
      try PostgreSQLConnection("host=\(server.folder) user=\(role) dbname=postgres")
    }

    /// Connects to a new database, which sorts texts as in English.
    static func connectToEnglish() throws -> PostgreSQLConnection {
      let name = "english_" + UUID().uuidString.prefix(8).lowercased()
      try connect().execute(
        "CREATE DATABASE \(name) TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'")
      let string = try server.string
      return try PostgreSQLConnection(string.replacing("dbname=postgres", with: "dbname=\(name)"))
    }

    /// Begins the statement that lets a role create schemas; the server refuses two at the same time ("tuple
    /// concurrently updated"), so that tests wait for each other.
    static let creationGrant =
      "SELECT pg_advisory_xact_lock(1); GRANT CREATE ON DATABASE postgres TO"

    /// The name of a new schema, which no other test uses.
    static func newSchema(on connection: PostgreSQLConnection) throws -> String {
      let name = "test_" + UUID().uuidString.prefix(8).lowercased()
      try connection.execute("CREATE SCHEMA \(name)")
      return name
    }
  }
#endif
