#if PostgreSQL
  import Vocabulary
  import Foundation
  import Testing
  @testable import PostgreSQL

  /// A published schema, and the statements that load it again.
  struct MergeSchema {
    let connection: PostgreSQLConnection
    /// A name that no other test uses.
    var target = "lego_" + UUID().uuidString.prefix(8).lowercased()

    /// Plans and publishes a schema, and returns whether its rows were merged.
    ///
    /// Statements create its `objects` and fill them with `rows`; those of `staged`, if they are not the same, create the
    /// tables of a merge.
    @discardableResult
    func load(
      _ objects: String, _ rows: String = "", _ mode: PublishingChoice.Mode? = nil,
      allowsLoss: Bool = false, staged: String? = nil
    ) throws -> Bool {
      let candidate = try fill(objects, rows, mode, allowsLoss: allowsLoss, staged: staged)
      let merges = candidate.merges
      #expect(try candidate.lostPrivileges() == [])
      #expect(try candidate.publish() == nil)
      return merges
    }

    /// Plans and publishes a schema, and returns how.
    func choice(
      _ objects: String, _ rows: String = "", _ mode: PublishingChoice.Mode? = nil
    ) throws -> PublishingChoice {
      let candidate = try fill(objects, rows, mode)
      let choice = candidate.choice
      #expect(try candidate.publish() == nil)
      return try #require(choice)
    }

    func fill(
      _ objects: String, _ rows: String = "", _ mode: PublishingChoice.Mode? = nil,
      allowsLoss: Bool = false, staged: String? = nil
    ) throws -> CandidateSchema {
      var candidate = try CandidateSchema(replacing: target, madeBy: "x", on: connection)
      try candidate.plan(mode, creating: [objects], allowsLoss: allowsLoss)
      let tables = staged ?? objects
      let creation =
        candidate.merges
        ? tables.replacing("CREATE TABLE", with: "CREATE UNLOGGED TABLE") : objects
      try execute([creation, rows], in: candidate.name)
      return candidate
    }

    /// What the merge or the plan throws.
    func failure(
      _ objects: String, _ rows: String = "", _ mode: PublishingChoice.Mode? = nil
    ) throws -> PostgreSQLError {
      try #require(throws: PostgreSQLError.self) { try load(objects, rows, mode) }
    }

    func execute(_ statements: [String], in schema: String) throws {
      let all = ["BEGIN", "SET LOCAL search_path = \"\(schema)\""] + statements + ["COMMIT"]
      do {
        try connection.execute(all.filter { !$0.isEmpty })
      } catch {
        connection.rollbackTransaction()
        throw error
      }
    }

    /// Makes something in the published schema, as others do.
    func add(_ statements: String) throws { try execute([statements], in: target) }

    /// A row as `table(1,text)`, and the transaction that wrote it.
    struct Row: Hashable {
      let text: String
      let xmin: String
    }

    func rows() throws -> [Row] {
      let tables = try connection.texts(
        """
        SELECT format('SELECT %L || "the row"::text, xmin::text FROM ONLY %I.%I AS "the row"', relname, $1::text, relname) FROM pg_class
        WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relkind = 'r' AND relname <> $2
        ORDER BY 1
        """, [target, CandidateSchema.marker])
      guard !tables.isEmpty else { return [] }
      return try connection.query(tables.joined(separator: " UNION ALL ") + " ORDER BY 1, 2")
        .map { Row(text: $0[0] ?? "", xmin: $0[1] ?? "") }
    }

    func texts() throws -> [String] { try rows().map(\.text) }
  }

  extension CandidateSchema {
    /// The error of publishing it; nil if it is published.
    consuming func refusal() -> PostgreSQLError? {
      do throws(PostgreSQLError) {
        _ = try publish()
        return nil
      } catch {
        return error
      }
    }
  }
#endif
