import SQLiteDestination
package import Facts
import Threads
import SQLiteSwiftly
package import Schema

/// Looks for faults in a catalog that is there; nothing is changed, and nothing left beside it.
package struct CatalogCheck: Sendable {
  package enum Subject: String, CaseIterable, Sendable {
    /// Pages and records, types, keys, and that each index has exactly the entries of its table.
    case structure
    /// Tables, columns, keys, indexes and views against their description.
    case schema
    /// Values against their domains.
    case values
    case references
    /// Tables that follow from others: that they have the rows that follow, and no others.
    case derived = "derived tables"
    /// What can be found, and the index of its words.
    case search
    /// What is said of the dumps against the rows that there are.
    case accounts
  }

  package struct Finding: Equatable, Sendable {
    package let subject: Subject
    /// What is wrong and where, what was expected and what was found; empty if all is well.
    package let faults: [String]
  }

  package let path: String
  package let schema: SchemaDescription
  /// The most faults that are told of one subject, or of one part of it.
  static let mostFaults = 100
  /// The pages that SQLite keeps in memory, in kibibytes.
  ///
  /// Each row is looked up in each index: with 2,000 a catalog of 236 MB takes 5.9 s, with 65,536 3 s.
  private static let cacheKibibytes = 64 << 10

  package init(_ path: String, schema: SchemaDescription) {
    self.path = path
    self.schema = schema
  }

  /// What the check has come to.
  package struct Outcome: Equatable, Sendable {
    package let summary: String
    package let findings: [Finding]
    /// What somebody has added: tables, views, indexes and triggers that are not described.
    package let additions: [String]
    /// Tables and columns of provenance that the ingest that made the catalog did not have yet.
    package let notChecked: [String]

    package var faults: Int { findings.reduce(0) { $0 + $1.faults.count } }
  }

  /// Checks everything, on this thread and another.
  ///
  /// - Complexity: each row is looked up in each index of its table.
  package func run() throws(IngestError) -> Outcome {
    // It keeps writers out as long as it lives.
    let file = try CatalogFile(path, applicationID: schema.applicationID)
    guard file.version == schema.version else {
      throw IngestError(
        .data,
        "\(path): is a catalog of \(file.summary), and this ingest checks those of schema version "
          + "\(schema.version). Check it with the ingest that made it, or load it again.")
    }
    let differences = Result { () throws(SQLiteError) in
      try SchemaDifferences(from: schema, on: file.connection)
    }
    let pieces = pieces(of: file.size) { () throws(SQLiteError) in try differences.get().faults }
    let results = onTwoThreads("checker", pieces: pieces.count) { piece in
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
      notChecked: (try? differences.get().notMadeYet) ?? [])
  }

  /// A part of a subject that is looked at by itself.
  private struct Piece: Sendable {
    let subject: Subject
    let limit: WorkLimit
    let look: @Sendable (Connection) throws(SQLiteError) -> [String]
  }

  /// All pieces, the longest first.
  private func pieces(
    of bytes: Int, _ schemaFaults: @escaping @Sendable () throws(SQLiteError) -> [String]
  ) -> [Piece] {
    let limit = WorkLimit(forFileOf: bytes)
    let derivingLimit = WorkLimit.deriving(fromFileOf: bytes)
    let derived = derivedRows.map { rows in
      Piece(subject: .derived, limit: derivingLimit) { connection throws(SQLiteError) in
        try faults(of: rows, on: connection)
      }
    }
    return [Piece(subject: .structure, limit: limit, look: structureFaults)] + derived + [
      Piece(subject: .search, limit: derivingLimit, look: searchFaults),
      Piece(subject: .references, limit: limit, look: referenceFaults),
      Piece(subject: .values, limit: limit, look: valueFaults),
      Piece(subject: .accounts, limit: limit, look: accountFaults),
      Piece(subject: .schema, limit: limit) { _ throws(SQLiteError) in try schemaFaults() },
    ]
  }

  private func check(_ piece: Piece) throws(IngestError) -> [String] {
    do throws(SQLiteError) {
      return try Connection.reading(path) { connection throws(SQLiteError) in
        try connection.set(.cacheSize, to: .kibibytes(Self.cacheKibibytes))
        return try connection.limitingWork(to: piece.limit) { () throws(SQLiteError) in
          try piece.look(connection)
        }
      }
    } catch {
      // What is damaged is a fault like others, and the other subjects are looked at all the same.
      let kinds: [SQLiteError.ResultCode] = [
        .corrupt, .notADatabase, .error, .mismatch, .interrupted,
      ]
      guard kinds.contains(error.code) else { throw IngestError(error, reading: path) }
      return ["cannot be looked at: \(error.message) (\(error.extendedCode.name))"]
    }
  }

  private func structureFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    let faults = try connection.faults(.full)
    let trees = try connection.query(
      "SELECT rootpage, type || ' ' || name FROM main.sqlite_schema WHERE rootpage > 0",
      as: (Int, String).self)
    // SQLite calls a tree by its first page, after a line with the name of the database.
    return faults.flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("***") }.map {
      fault in
      let words = fault.split(separator: " ")
      guard let place = words.firstIndex(where: { $0.lowercased() == "tree" }),
        let number = words.dropFirst(place + 1).compactMap({ Int($0) }).first,
        let tree = trees.first(where: { $0.0 == number })
      else { return String(fault) }
      return "\(tree.1): \(fault)"
    }
  }
}
