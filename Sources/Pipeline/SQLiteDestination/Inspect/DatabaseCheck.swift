package import Vocabulary
import Platform
import SQLiteSwiftly
package import Schema
import Provenance
import Text

/// Checks an existing database, without changing it or leaving files beside it.
package struct DatabaseCheck: Sendable {
  package enum Subject: String, CaseIterable, Sendable {
    /// Pages and records, types, keys, and that each index matches its table.
    case structure
    /// Tables, columns, keys, indexes and views against the schema.
    case schema
    case values
    case references
    /// That derived tables have exactly the rows that can be derived.
    case derived = "derived tables"
    case search
    /// The row counts of the source files against the rows of the tables.
    case rowCounts = "row counts"
  }

  package struct Finding: Equatable, Sendable {
    package let subject: Subject
    /// Each fault with its place, the expected and the actual value; empty if there is none.
    package let faults: [String]

    package init(subject: Subject, faults: [String]) {
      self.subject = subject
      self.faults = faults
    }
  }

  package let path: String
  package let schema: SchemaDescription
  /// The maximum number of faults reported for a subject, or for a part of it.
  static let maximumFaults = 100
  /// Each row is looked up in each index: with 2,000 KiB a catalog of 236 MB takes 5.9 s, with 65,536 3 s.
  private static let cacheKibibytes = 64 << 10

  package init(_ path: String, schema: SchemaDescription) {
    self.path = path
    self.schema = schema
  }

  package struct Outcome: Equatable, Sendable {
    package let summary: String
    package let findings: [Finding]
    package let additions: [String]
    /// The provenance tables and columns that the ingest that made the database did not have yet.
    package let notChecked: [String]
    /// The tables, and the tables with indexes, whose check would compute expressions of the database.
    package let computed: [String]

    package init(
      summary: String, findings: [Finding], additions: [String], notChecked: [String],
      computed: [String] = []
    ) {
      self.summary = summary
      self.findings = findings
      self.additions = additions
      self.notChecked = notChecked
      self.computed = computed
    }

    package var faults: Int { findings.reduce(0) { $0 + $1.faults.count } }
  }

  /// Looks up each row in each index of its table.
  package func run() throws(IngestError) -> Outcome {
    // It locks out writers while it exists.
    let file = try DatabaseFile(path, applicationID: schema.applicationID)
    guard file.version == schema.version else {
      throw IngestError(
        .data,
        "\(path): the database has \(file.summary), but this ingest checks schema version \(schema.version). "
          + "Check it with the ingest that made it, or load it again.")
    }
    let computed = try file.reading { connection throws(SQLiteError) in
      try ComputedTables(in: connection)
    }
    if let table = computed.tables.first(where: isOwn) {
      throw IngestError(
        .data,
        "\(path): the table \(table.quotedForMessage) has columns that SQLite computes when it reads them, which "
          + "no run makes. Nothing was checked. Load the database again, or restore it from a backup."
      )
    }
    let differences = Result { () throws(SQLiteError) in
      try SchemaDifferences(from: schema, on: file.connection)
    }
    let pieces = pieces(of: file.bytes, computed) { () throws(SQLiteError) in
      try differences.get().faults
    }
    let results = Helper().results(of: pieces.count) { piece in
      Result { () throws(IngestError) in try check(pieces[piece]) }
    }
    var faults: [Subject: [String]] = [:]
    for (piece, result) in zip(pieces, results) {
      faults[piece.subject, default: []] += try result.get()
    }
    return Outcome(
      summary: file.summary,
      findings: Subject.allCases.map { Finding(subject: $0, faults: faults[$0] ?? []) },
      additions: (try? differences.get().additions) ?? [],
      notChecked: (try? differences.get().notMadeYet) ?? [], computed: computed.words)
  }

  /// Whether a run makes a table of that name.
  private func isOwn(_ name: String) -> Bool {
    let tables = (schema.tables + schema.allDerivedTables + Provenance.tables).map(\.name)
    let ofSearch = schema.search.map { $0.tableNames + $0.storedTables } ?? []
    return (tables + ofSearch).contains { areSameName($0, name) }
  }

  private struct Piece: Sendable {
    let subject: Subject
    let limit: WorkLimit
    let faults: @Sendable (Connection) throws(SQLiteError) -> [String]
  }

  private func pieces(
    of bytes: Int, _ computed: ComputedTables,
    _ schemaFaults: @escaping @Sendable () throws(SQLiteError) -> [String]
  ) -> [Piece] {
    let limit = WorkLimit(forFileOf: bytes)
    let derivingLimit = WorkLimit.deriving(fromFileOf: bytes)
    let derived = derivedRows.map { rows in
      Piece(subject: .derived, limit: derivingLimit) { connection throws(SQLiteError) in
        try faults(of: rows, on: connection)
      }
    }
    let structure = Piece(subject: .structure, limit: limit) { connection throws(SQLiteError) in
      try structureFaults(besides: computed, on: connection)
    }
    let statistics = Piece(subject: .derived, limit: derivingLimit, faults: statisticsFaults)
    return [structure, statistics] + derived + [
      Piece(subject: .search, limit: derivingLimit) { connection throws(SQLiteError) in
        try searchFaults(ofFileOf: bytes, on: connection)
      },
      Piece(subject: .references, limit: limit, faults: referenceFaults),
      Piece(subject: .values, limit: limit, faults: valueFaults),
      Piece(subject: .rowCounts, limit: limit, faults: rowCountFaults),
      Piece(subject: .schema, limit: limit) { _ throws(SQLiteError) in try schemaFaults() },
    ]
  }

  private func check(_ piece: Piece) throws(IngestError) -> [String] {
    do throws(SQLiteError) {
      let connection = try DatabaseFile.openUntrusted(path)
      try connection.set(.cacheSize, to: .kibibytes(Self.cacheKibibytes))
      let faults = try connection.limitingWork(to: piece.limit) { () throws(SQLiteError) in
        try piece.faults(connection)
      }
      try connection.close()
      return faults
    } catch {
      // Damage is a fault like others, and the other subjects are checked nevertheless. SQLite also reports a lack of
      // memory for some damaged pages.
      let kinds: [SQLiteError.ResultCode] = [
        .corrupt, .notADatabase, .error, .mismatch, .interrupted, .outOfMemory, .tooBig,
      ]
      let failure = IngestError(error, reading: path)
      let isOfDisk = error.code == .corrupt && failure.kind == .inputOutput
      guard kinds.contains(error.code), !isOfDisk else { throw failure }
      return ["cannot be checked: \(error.message) (\(error.extendedCode.name))"]
    }
  }

  private func structureFaults(
    besides computed: ComputedTables, on connection: Connection
  ) throws(SQLiteError) -> [String] {
    let faults = try computed.structureFaults(on: connection)
    let trees = try connection.query(
      "SELECT rootpage, type || ' ' || name FROM main.sqlite_schema WHERE rootpage > 0",
      as: (Int, String).self)
    // SQLite names a tree by its root page, after a line with the name of the database.
    return faults.flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("***") }.map {
      fault in
      let words = fault.split(separator: " ")
      guard let index = words.firstIndex(where: { $0.lowercased() == "tree" }),
        let number = words.dropFirst(index + 1).compactMap({ Int($0) }).first,
        let tree = trees.first(where: { $0.0 == number })
      else { return String(fault) }
      return "\(tree.1): \(fault)"
    }
  }
}

/// The tables of a database whose check would compute expressions of its schema, which are untrusted and can take any
/// time.
struct ComputedTables: Sendable {
  /// Those with generated columns, or with long defaults.
  private(set) var tables: [String] = []
  /// Those with partial indexes, or with indexes on expressions.
  private var indexed: [String] = []
  private var others: [String] = []

  init(in connection: Connection) throws(SQLiteError) {
    let ofIndexes = Set(try connection.tablesWithComputedIndexes().map(foldedName))
    for table in try connection.ordinaryTables() {
      if !table.isStored {
        tables.append(table.name)
      } else if ofIndexes.contains(foldedName(table.name)) {
        indexed.append(table.name)
      } else {
        others.append(table.name)
      }
    }
  }

  var words: [String] { tables.map { "table \($0)" } + indexed.map { "indexes of \($0)" } }

  /// The faults of the file, without those of these tables and indexes.
  func structureFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    guard !words.isEmpty else { return try connection.faults(.full) }
    var faults: [String] = []
    // SQLite cannot check a single table with such a name.
    for table in others where !readsAsNumber(table) {
      faults += try connection.faults(.full, ofTable: table)
    }
    for table in indexed where !readsAsNumber(table) {
      faults += try connection.faults(.structure, ofTable: table)
    }
    return Array(faults.prefix(DatabaseCheck.maximumFaults))
  }
}
