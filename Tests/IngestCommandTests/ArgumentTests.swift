@testable import Vocabulary
import IngestReport
import TestSupport
import Testing
@testable import ingest
import Text

@Suite struct ArgumentTests {
  private let tables = ["themes", "parts"]

  @Test(
    arguments: [
      (["--source", "d", "--out", "c"], RejectLimit.records(0)),
      (["--source=d", "--out=c", "--max-rejects", "20"], .records(20)),
      (["--out", "c", "--source", "d", "--max-rejects=0.5%"], .percent(0.5)),
      (["--source", "d", "--out", "c", "--max-rejects", "2", "--"], .records(2)),
    ])
  func `options are read in any order and in both forms`(words: [String], limit: RejectLimit) throws
  {
    let arguments = try Arguments(words, tables: tables)
    #expect(arguments.options.source == "d")
    #expect(arguments.options.output == .file(path: "c"))
    #expect(arguments.options.rejectLimits.run == limit)
    #expect(arguments.task == .load)
  }

  @Test func `explain prints one code or all`() throws {
    #expect(try Arguments(["explain"], tables: tables).task == .explain(nil))
    let explanation = CodeExplanation(of: "missing-parent")
    let words = ["explain", "missing-parent"]
    #expect(try Arguments(words, tables: tables).task == .explain(explanation))
    #expect(try Arguments(["explain", "65"], tables: tables).task == .explainStatus(.data))
    #expect(try Arguments(["explain", "--help"], tables: tables).task == .help(.command(.explain)))
  }

  @Test func `missing tables are allowed one by one or all at once`() throws {
    let base = ["--source", "d", "--out", "c"]
    let both = base + ["--allow-missing", "parts", "--allow-missing=themes"]
    #expect(
      try Arguments(both, tables: tables).options.allowedMissing == .tables(["parts", "themes"]))
    let all = base + ["--allow-missing", "parts", "--allow-missing", "all"]
    #expect(try Arguments(all, tables: tables).options.allowedMissing == .all)
  }

  @Test func `limits can be set per table`() throws {
    let base = ["--source", "d", "--out", "c"]
    let rejects =
      base + ["--max-rejects=themes=0.5%", "--max-rejects=7", "--max-rejects=parts=6"]
    #expect(
      try Arguments(rejects, tables: tables).options.rejectLimits
        == RejectLimits(run: .records(7), tables: ["parts": .records(6), "themes": .percent(0.5)]))
    let shrinking = base + ["--max-shrink", "parts=100%", "--max-shrink=12.5%"]
    #expect(
      try Arguments(shrinking, tables: tables).options.shrinkLimits
        == PercentLimits(run: 12.5, tables: ["parts": 100]))
    #expect(try Arguments(base, tables: tables).options.shrinkLimits == PercentLimits(run: 50))
  }

  @Test(
    arguments: [
      ("128M", 128 << 20), ("1G", 1 << 30), ("64K", 64 << 10), ("1", 1), ("1024G", 1 << 40),
      ("0", nil), ("0M", nil), ("", nil), ("M", nil), ("-1", nil), ("1.5G", nil), ("2T", nil),
      ("1025G", nil), ("64m", nil), ("9223372036854775807G", nil), ("99999999999999999999", nil),
    ] as [(String, Int?)])
  func `key memory is a size`(text: String, bytes: Int?) throws {
    let words = ["--source", "d", "--out", "c", "--max-key-memory=\(text)"]
    guard let bytes else {
      let error = #expect(throws: UsageError.self) { try Arguments(words, tables: tables) }
      #expect(
        error?.message
          == (text.isEmpty
            ? "option '--max-key-memory' requires a value"
            : "invalid value '\(text)' for --max-key-memory: expected bytes, or a number with K, M or G, "
              + "such as 256M"))
      return
    }
    #expect(try Arguments(words, tables: tables).options.keyMemory == bytes)
    #expect(
      try Arguments(["--source=d", "--out=c"], tables: tables).options.keyMemory == 192 << 20)
  }

  @Test func `flags and files are parsed`() throws {
    let base = ["--source", "d", "--out", "c"]
    let plain = try Arguments(base, tables: tables)
    #expect(!plain.options.isStrict && !plain.options.isDryRun)
    #expect(plain.options.rejectsFolder == nil && plain.reports == [])
    #expect(plain.options.usedRejectsFolder == "c.rejects")
    let all = try Arguments(
      base + [
        "--strict-schema", "--dry-run", "--rejects", "r", "--report=a.json",
        "--report", "b.html", "--suppress", "a.txt", "--if-changed",
      ], tables: tables)
    #expect(plain.options.suppressFile == nil && !plain.options.skipsUnchanged)
    #expect(all.options.suppressFile == "a.txt" && all.options.skipsUnchanged)
    #expect(all.options.isStrict && all.options.isDryRun)
    #expect(all.options.rejectsFolder == "r" && all.reports.map(\.path) == ["a.json", "b.html"])
    #expect(
      try Arguments(["--source", "d", "--dry-run"], tables: tables).options.output == .nothing)
    let watched = try Arguments(
      base + ["--metrics=m.prom", "--log-format", "json"], tables: tables)
    #expect(watched.reports.map(\.format) == [.prom] && watched.reports[0].path == "m.prom")
    #expect(watched.logFormat == .json && plain.logFormat == .text)
  }

  @Test func `verbosity and detailed status are options`() throws {
    let base = ["--source", "d", "--out", "c"]
    let plain = try Arguments(base, tables: tables)
    #expect(plain.verbosity == .normal && !plain.hasDetailedStatus)
    let levels: [(word: String, verbosity: Arguments.Verbosity)] = [
      ("--quiet", .quiet), ("-q", .quiet), ("-v", .verbose),
    ]
    for (word, verbosity) in levels {
      #expect(try Arguments(base + [word], tables: tables).verbosity == verbosity)
    }
    #expect(try Arguments(base + ["--detailed-status"], tables: tables).hasDetailedStatus)
  }

  @Test func `a repair takes its folders and the description`() throws {
    let words = ["repair", "--source=d", "--rejects", "r", "--repairs", "p", "--wait=3"]
    let arguments = try Arguments(words, tables: tables)
    #expect(arguments.task == .repair && arguments.options.lockTimeout == 3)
    #expect(arguments.options.rejectsFolder == "r" && arguments.options.repairsFolder == "p")
    let described = try Arguments(
      ["repair", "--schema=s/p.json", "--rejects=r", "--repairs=p"], tables: tables)
    #expect(described.options.source == "s" && !described.options.findsSourcesByName)
  }

  @Test(
    arguments: [
      (["-h"], Arguments.Task.help(.everything)), (["--help"], .help(.everything)),
      (["--version"], .version), (["help"], .help(.everything)),
      (["--source", "d", "--help"], .help(.everything)),
      (["repair", "--help"], .help(.command(.repair))), (["manual"], .manual),
      (["completions", "fish"], .completions(.fish)),
      (["diff", "--help"], .help(.command(.diff))), (["check", "-h"], .help(.command(.check))),
    ])
  func `help and version require no other options`(words: [String], task: Arguments.Task) throws {
    #expect(try Arguments(words, tables: tables).task == task)
  }

  /// Invalid words and their messages, which may go on where `…` is.
  static let mistakes = """
     => missing option '--source DIR'
    --source d => missing option '--out FILE'
    --source d --dry-run --if-changed => '--if-changed' requires '--out FILE'
    repair --source=d --rejects=r => missing option '--repairs DIR'
    repair --source=d --repairs=p => missing option '--rejects DIR'
    repair --source=d --rejects=r --repairs=r => 'r' cannot be the folder of both repairs and rejected records
    repair --source=d --out=c => unknown option '--out'; did you mean '--wait'?
    --supress=a => unknown option '--supress'; did you mean '--suppress'?
    --sorce d => unknown option '--sorce'; did you mean '--source'?
    --max-reject=3 => unknown option '--max-reject'; did you mean '--max-rejects'?
    --max => unknown option '--max'; did you mean '--max-rejects'?
    --out-file=c => unknown option '--out-file'; did you mean '--out'?
    --detailed => unknown option '--detailed'; did you mean '--detailed-status'?
    --frobnicate => unknown option '--frobnicate'
    -x => unknown option '-x'
    dumps => unexpected argument 'dumps'
    -- dumps => unexpected argument 'dumps'
    --source => option '--source' requires a value
    --source= => option '--source' requires a value
    --quiet=yes => option '--quiet' does not take a value
    --source --out => option '--source' requires a value, but '--out' follows; write '--source=--out' if that is the value
    --max-rejects -1 => invalid value '-1' for --max-rejects: expected a number such as 20, a share of all records such as 0.1%, or either for one table, such as parts=20
    --max-rejects 1e1% => invalid value '1e1%' for --max-rejects: expected a number such as 20, …
    --max-rejects 101% => invalid value '101%' for --max-rejects: expected a number such as 20, …
    --max-rejects partz=1 => unknown table 'partz' for --max-rejects; the tables are themes, parts
    --max-rejects ../themes=1 => unknown table '../themes' for --max-rejects; …
    --max-rejects a=b=c => unknown table 'a' for --max-rejects; …
    --max-shrink 20 => invalid value '20' for --max-shrink: expected a share of the rows such as 20%, or one for a table, such as parts=20%; 100% allows all
    --report report.txt => invalid value 'report.txt' for --report: expected a name ending in .json or .html, or 'json:-' for standard output
    --report=a.prom => invalid value 'a.prom' for --report: expected a name ending in .json or .html, or …
    --report=xml:- => invalid value 'xml:-' for --report: expected 'json:-' or 'html:-' for standard output
    --report=json:- --report=html:- => only one report can be printed to standard output
    --source=a --out=c --progress=always --log-format=json => '--progress always' and '--log-format json' cannot be combined
    --progress yes => invalid value 'yes' for --progress: expected one of auto, always, never
    --log-format=xml => invalid value 'xml' for --log-format: expected text or json
    --log-format=json --log-format=text => option '--log-format' is used twice
    --metrics a.json => invalid value 'a.json' for --metrics: expected a name ending in .prom, which node exporter requires
    --metrics=a.prom --metrics=b.prom => option '--metrics' is used twice
    --source=d --out c.prom --metrics c.prom => 'c.prom' cannot be both the database and its metrics file
    --source=d --out c.json --report c.json => 'c.json' cannot be both the database and its report
    --source=d --out c.json --report ./c.json => './c.json' cannot be both the database and its report
    --source=d --out c --report a.json --report ./a.json => './a.json' is used twice for --report
    --source=d --out c --rejects ./c => './c' cannot be the folder of rejected records: it is, or contains, the database
    --source=d --out r/c --rejects r => 'r' cannot be the folder of rejected records: it is, or contains, the database
    --source=a --source=b => option '--source' is used twice
    --max-rejects=1 --max-rejects=2 => option '--max-rejects' is used twice
    --max-shrink=1% --max-shrink=parts=1% --max-shrink=parts=2% => option '--max-shrink' is used twice for parts
    --source=a --out=c -v -q => '--quiet' and '--verbose' cannot be combined
    --source=a --out=- => a database cannot be written to standard output: use a file for --out ('./-' is a file named '-')
    --wait=1.5 => invalid value '1.5' for --wait: expected whole seconds from 0 to 86400
    --wait=-1 => invalid value '-1' for --wait: …
    --wait=90000 => invalid value '90000' for --wait: …
    --wait=0x10 => invalid value '0x10' for --wait: …
    --max-age=3 => invalid value '3' for --max-age: expected hours or days, such as 36h or 3d
    --max-age= => option '--max-age' requires a value
    --max-age=0d => invalid value '0d' for --max-age: …
    --max-age=-1d => invalid value '-1d' for --max-age: …
    --max-age=d => invalid value 'd' for --max-age: …
    --max-age=3w => invalid value '3w' for --max-age: …
    --max-age=1.5d => invalid value '1.5d' for --max-age: …
    --max-age=36500000d => invalid value '36500000d' for --max-age: …
    chek c => unexpected argument 'chek'; did you mean 'check'?
    repair => missing option '--source DIR'
    repair dumps => unexpected argument 'dumps'
    repair repair => unexpected argument 'repair'
    replay --source=d --out=c => REMOVED
    --source=d --out=c --write-repairs p => REMOVED
    --source=d --out=c --repairs c.rejects => 'c.rejects' cannot be the folder of both repairs and rejected records
    --source=/usr --out=c --repairs /usr/ => '/usr/' cannot be the folder of both repairs and source files
    --repairs a --repairs b => option '--repairs' is used twice
    --repairs => option '--repairs' requires a value
    --repair x => unknown option '--repair'; did you mean '--repairs'?
    --source=d --out=.r.html.ingest --report=r.html => 'r.html' cannot be used for a report: the run writes the database there, or to a derived name
    --source=d --out=c.sqlite --rejects=c.sqlite.refused => 'c.sqlite.refused' cannot be used for the rejected records: the run writes the database there, or to a derived name
    --source=d --out=c.json --rejects=r --report=r.new/report.json => 'r.new/report.json' cannot be used for a report: the run writes the rejected records there, or to a derived name
    --source=d --out=c.json --rejects=r --report=r.previous/report.json => 'r.previous/report.json' cannot be used for a report: the run writes the rejected records there, or to a derived name
    --source=d --out=r/c.sqlite --rejects=r/ => 'r/c.sqlite' cannot be used for the database: the run writes the rejected records there, or to a derived name
    --source=d --out=.c.html.ingest.lock --report=c.html --report=./c.html => './c.html' is used twice for --report
    --source=d --out=c.sqlite --keep-previous --rejects=c.sqlite.previous => 'c.sqlite.previous' cannot be used for the rejected records: the run writes the database there, or to a derived name
    --source=d --out=c.sqlite --keep-previous --rejects=.c.sqlite.previous.ingest => '.c.sqlite.previous.ingest' cannot be used for the rejected records: the run writes the database there, or to a derived name
    --source=d --out=c --jobs=2 => '--jobs' requires a PostgreSQL database in --out
    --source=d --out=c --publish=merge => '--publish' requires a PostgreSQL database in --out
    --source=d --out=c --staging=s => '--staging' requires a PostgreSQL database in --out
    --source=d --out=c --allow-loss => '--allow-loss' requires a PostgreSQL database in --out
    --source=d --out=c --distribute parts=id => '--distribute' requires a PostgreSQL database in --out
    --jobs=0 => invalid value '0' for --jobs: expected a number of connections from 1 to 99
    --jobs=-1 => invalid value '-1' for --jobs: …
    --jobs=+2 => invalid value '+2' for --jobs: …
    --jobs=1.5 => invalid value '1.5' for --jobs: …
    --jobs=100 => invalid value '100' for --jobs: …
    --jobs=two => invalid value 'two' for --jobs: …
    --jobs=99999999999999999999 => invalid value '99999999999999999999' for --jobs: …
    --publish=copy => invalid value 'copy' for --publish: expected auto, merge or swap
    --distribute parts => invalid value 'parts' for --distribute: expected TABLE=COLUMN or none
    --distribute parts= => invalid value 'parts=' for --distribute: expected TABLE=COLUMN or none
    --distribute others=id => unknown table 'others' for --distribute; the tables are themes, parts
    --quiet check f => the command 'check' must be the first word: ingest check [-q] [--schema FILE] FILE
    --source=d repair => the command 'repair' must be the first word: ingest repair --rejects DIR --repairs DIR --source DIR [OPTION...]
    --allow-missing partz => unknown table 'partz' for --allow-missing; the tables are themes, parts
    diff => 'diff' requires OLD and NEW, two databases
    diff old => 'diff' requires NEW, the second database
    diff old old old => unexpected argument 'old' for 'diff'
    diff --jsno a b => 'diff' has no option '--jsno'; did you mean '--json'?
    diff --json --keys a b => '--json' and '--keys' cannot be combined
    check => 'check' requires FILE, the database
    check old old => unexpected argument 'old' for 'check'
    metadata => 'metadata' requires one of '--datasette', '--dictionary' and '--diagram'
    metadata --datasette --diagram => 'metadata' requires one of '--datasette', '--dictionary' and '--diagram', not 2
    metadata --dictionary --database x => '--database' requires '--datasette'
    metadata --xml => 'metadata' has no option '--xml'…
    metadata --dictionary x => unexpected argument 'x'…
    metadata --datasette x => unexpected argument 'x'…
    metadata --datasette --database => option '--database' requires a value…
    metadata --datasette --database= => option '--database' requires a value…
    metadata --datasette --database a b => unexpected argument 'b'…
    help stat => unknown topic 'stat'; did you mean 'status'?…
    help --max-reject => unknown option '--max-reject'; did you mean '--max-rejects'?
    help a b => 'help' takes one topic, not 2
    completions => 'completions' requires a shell: bash, zsh or fish
    completions ksh => unknown shell 'ksh': expected bash, zsh or fish
    manual x => unexpected argument 'x' for 'manual'
    explain mising-parent => unknown code 'mising-parent'; did you mean 'missing-parent'?…
    explain no-such-thing-at-all => unknown code 'no-such-thing-at-all'; 'ingest explain' lists all codes
    explain stray-quote nul-byte => 'explain' takes one code, not 2
    explain 99 => unknown exit status 99; 'ingest help status' lists all exit statuses
    """.replacing("REMOVED", with: UsageError.replayRemoved.message).split(separator: "\n").map(
      String.init)

  @Test(arguments: mistakes) func `invalid words are usage errors`(mistake: String) throws {
    let parts = mistake.split(separator: " => ", omittingEmptySubsequences: false)
    let words = parts[0].split(separator: " ").map(String.init)
    let error = try #require(throws: UsageError.self) { try Arguments(words, tables: tables) }
    #expect(
      parts[1].last == "…"
        ? error.message.hasPrefix(parts[1].dropLast()) : error.message == parts[1], "\(error)")
  }

  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-4321, "-4,321"),
    ])
  func `numbers are grouped`(number: Int, text: String) {
    #expect(number.grouped == text)
  }

  @Test(arguments: [(0.0, "0.000"), (0.0004, "0.000"), (1.2345, "1.235"), (12.0, "12.000")])
  func `seconds have three decimals`(number: Double, text: String) {
    #expect(number.rounded(decimals: 3) == text)
  }
}

extension Arguments {
  /// Parses a command line in both phases.
  init(_ words: [String], tables: [String]) throws(UsageError) {
    try self.init(CommandWords(words), tables: tables)
  }
}
