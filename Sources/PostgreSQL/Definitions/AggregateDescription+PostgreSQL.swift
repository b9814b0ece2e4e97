#if PostgreSQL
  package import Schema
  import SQLiteSwiftly

  extension AggregateDescription {
    /// The statements that create what the queries of `postgreSQLTables` read, in the first schema of the search path or
    /// as temporary tables; `sources` is a `WITH` clause for the tables that are not in the search path.
    ///
    /// The server joins the rows with their users once, and finds the users of each pair once: the statistics of a
    /// million rows then take half the time of independent queries.
    package func postgreSQLPreparation(
      isTemporary: Bool = false, reading sources: String = ""
    ) -> [String] {
      AggregateStatements(self).preparation(isTemporary ? "TEMPORARY" : "UNLOGGED", sources)
    }

    /// Drops what the preparation created.
    package static let postgreSQLRemoval = "DROP TABLE \(AggregateStatements.tables)"

    /// The tables of the statistics, each with the query for its rows, in the order in which they are filled.
    package var postgreSQLTables: [DerivedTableDescription] {
      let statements = AggregateStatements(self)
      return [
        (pairs, statements.ofPairs), (first, statements.ofGroups(by: 1, counting: 2)),
        (second, statements.ofGroups(by: 2, counting: 1)), (users, statements.ofUsers),
      ].map { DerivedTableDescription($0, filledBy: $1) } + derivedTables
    }
  }

  /// The statements for the statistics of a table, whose rows are those of `AggregateDescription.queries`.
  ///
  /// A product that is unknown or beyond 64 bits is NULL, and counts as more than any sum that fits into 64 bits. Sums are
  /// `numeric`, which has no maximum.
  private struct AggregateStatements {
    // The uses of owners; the rows of all versions with their users; the users of each pair; the measures of each pair; and
    // what older versions add to a pair and a user. The spaces keep the names apart from those of descriptions.
    private static let uses = "\"ingest uses\""
    private static let entries = "\"ingest entries\""
    private static let users = "\"ingest users\""
    private static let pairs = "\"ingest pairs\""
    private static let older = "\"ingest older\""
    static let tables = [uses, entries, users, pairs, older].joined(separator: ", ")

    private let aggregate: AggregateDescription

    init(_ aggregate: AggregateDescription) { self.aggregate = aggregate }

    func preparation(_ kind: String, _ sources: String) -> [String] {
      func creation(of table: String, columns: String = "", _ query: String) -> [String] {
        let rows = "\(sources)SELECT * FROM (\(query)) AS prepared"
        return ["CREATE \(kind) TABLE \(table)\(columns) AS \(rows)", "ANALYZE \(table)"]
      }
      return [
        creation(
          of: Self.uses, columns: " (owner, consumer, number, times, version)",
          aggregate.uses.postgreSQL),
        creation(of: Self.entries, entries),
        creation(
          of: Self.users,
          "SELECT DISTINCT key_1, key_2, consumer FROM \(Self.entries) WHERE version IS NULL AND NOT is_extra"
        ),
        creation(of: Self.pairs, pairs), creation(of: Self.older, older),
      ].flatMap(\.self)
    }

    private var entries: String {
      let names = aggregate.index.map { "entry.\(quoted(identifier: $0))" }
      let product = "CAST(\(names[4]) AS numeric) * times"
      let small = "BETWEEN 0 AND \(Int32.max)"
      return """
        SELECT \(names[0]) AS key_1, \(names[1]) AS key_2, consumer, number, version, \(names[3]) AS is_extra,
          CASE WHEN \(names[4]) \(small) AND times \(small) THEN CAST(\(names[4]) AS bigint) * times
            WHEN \(product) <= \(Int64.max) THEN CAST(\(product) AS bigint) END AS amount
        FROM \(Self.uses) JOIN \(quoted(identifier: aggregate.source)) AS entry ON owner = \(names[2])
        """
    }

    private let sums = ["NOT is_extra", "is_extra"].map {
      """
      CASE WHEN bool_or(amount IS NULL) FILTER (WHERE \($0)) THEN 1e30
        ELSE coalesce(sum(amount) FILTER (WHERE \($0)), 0) END
      """
    }

    private var pairs: String {
      """
      SELECT key_1, key_2, coalesce(users, 0) AS users, lowest, highest, amount, extras
      FROM (
        SELECT key_1, key_2, min(number) FILTER (WHERE NOT is_extra) AS lowest,
          max(number) FILTER (WHERE NOT is_extra) AS highest, \(sums[0]) AS amount, \(sums[1]) AS extras
        FROM \(Self.entries) WHERE version IS NULL GROUP BY key_1, key_2
      ) AS measured
      LEFT JOIN (SELECT key_1, key_2, count(*) AS users FROM \(Self.users) GROUP BY key_1, key_2) AS used
      USING (key_1, key_2)
      """
    }

    /// By how much the largest sums of all versions exceed the current ones.
    private var older: String {
      func current(_ value: String) -> String {
        "max(CASE WHEN version IS NULL THEN \(value) ELSE 0 END)"
      }
      return """
        SELECT key_1, key_2, consumer, number, \(current("is_user")) AS is_user, max(is_user) AS was_user,
          max(amount) - \(current("amount")) AS amount, max(extras) - \(current("extras")) AS extras
        FROM (
          SELECT key_1, key_2, consumer, number, version, max(CASE WHEN is_extra THEN 0 ELSE 1 END) AS is_user,
            \(sums[0]) AS amount, \(sums[1]) AS extras
          FROM \(Self.entries)
          WHERE consumer IN (SELECT consumer FROM \(Self.entries) WHERE version IS NOT NULL)
          GROUP BY key_1, key_2, consumer, number, version
        ) AS of_version
        GROUP BY key_1, key_2, consumer, number
        """
    }

    var ofPairs: SQL {
      measures(
        "key_1, key_2", ["users"],
        current: "SELECT key_1, key_2, users, lowest, highest, amount, extras FROM \(Self.pairs)",
        older: olderUsers("key_1, key_2", inner: ""))
    }

    /// The measures of groups by one key, in which the values of the other are counted.
    func ofGroups(by group: Int, counting inner: Int) -> SQL {
      let key = "key_\(group)"
      return measures(
        key, ["inner_keys", "users"],
        current: """
          SELECT \(key), inner_keys, coalesce(users, 0) AS users, lowest, highest, amount, extras
          FROM (
            SELECT \(key), count(*) FILTER (WHERE users > 0) AS inner_keys, min(lowest) AS lowest, max(highest) AS highest,
              sum(amount) AS amount, sum(extras) AS extras
            FROM \(Self.pairs) GROUP BY \(key)
          ) AS measured
          LEFT JOIN (
            SELECT \(key), count(*) AS users FROM (SELECT DISTINCT \(key), consumer FROM \(Self.users)) AS used
            GROUP BY \(key)
          ) AS used USING (\(key))
          """,
        older: """
          \(olderUsers(key, inner: "0, "))
          UNION ALL
          SELECT \(key), count(DISTINCT key_\(inner)), 0, NULL, NULL, 0, 0 FROM \(Self.older) AS older
          WHERE was_user > is_user AND NOT EXISTS (
            SELECT 1 FROM \(Self.users) AS used WHERE used.key_1 = older.key_1 AND used.key_2 = older.key_2)
          GROUP BY \(key)
          """)
    }

    private func olderUsers(_ keys: String, inner: String) -> String {
      let added = "CASE WHEN was_user > is_user THEN number END"
      return """
        SELECT \(keys), \(inner)count(\(added)), min(\(added)), max(\(added)), sum(amount), sum(extras)
        FROM (
          SELECT \(keys), number, max(is_user) AS is_user, max(was_user) AS was_user, sum(amount) AS amount,
            sum(extras) AS extras
          FROM \(Self.older) GROUP BY \(keys), consumer, number
        ) AS of_user
        GROUP BY \(keys)
        """
    }

    /// The current measures, and those of all versions: the current ones and what older versions add.
    private func measures(
      _ keys: String, _ counts: [String], current: String, older: String
    ) -> SQL {
      let names = counts + ["lowest", "highest", "amount", "extras"]
      func results(_ prefix: String) -> [String] {
        counts.map { "sum(\(prefix)\($0))" } + ["min(\(prefix)lowest)", "max(\(prefix)highest)"]
          + ["amount", "extras"].map { result("sum(\(prefix)\($0))") }
      }
      let none = (counts.map { _ in "0" } + ["NULL", "NULL", "0", "0"]).joined(separator: ", ")
      return SQL(
        generated: """
          WITH older_measures (\(keys), \(names.joined(separator: ", "))) AS (
          \(older)
          )
          SELECT \(([keys] + results("") + results("ever_")).joined(separator: ", "))
          FROM (
            SELECT *, \(names.map { "\($0) AS ever_\($0)" }.joined(separator: ", ")) FROM (
            \(current)
            ) AS current_measures
            UNION ALL
            SELECT \(keys), \(none), \(names.joined(separator: ", ")) FROM older_measures
          ) AS measured
          GROUP BY \(keys)
          """)
    }

    var ofUsers: SQL {
      SQL(
        generated: """
          SELECT consumer, coalesce(lots, 0), \(result("coalesce(amount, 0)")), \(result("coalesce(extras, 0)"))
          FROM (SELECT DISTINCT consumer FROM \(Self.uses)) AS named
          LEFT JOIN (
            SELECT consumer, \(sums[0]) AS amount, \(sums[1]) AS extras
            FROM \(Self.entries) WHERE version IS NULL GROUP BY consumer
          ) AS measured USING (consumer)
          LEFT JOIN (SELECT consumer, count(*) AS lots FROM \(Self.users) GROUP BY consumer) AS used USING (consumer)
          """)
    }

    private func result(_ sum: String) -> String {
      "CASE WHEN \(sum) <= \(Int64.max) THEN CAST(\(sum) AS bigint) END"
    }
  }
#endif
