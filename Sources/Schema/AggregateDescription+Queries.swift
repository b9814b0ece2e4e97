package import SQLiteSwiftly

extension AggregateDescription {
  /// The largest number up to which floating-point sums are exact.
  fileprivate static let maximumExactSum = "9007199254740992"

  /// For each table the query for its expected rows, to check the native aggregation.
  ///
  /// A sum beyond 2^53 is NULL. The query takes many times as long as adding up the entries of the
  /// index.
  package var queries: [(table: TableDescription, query: SQL)] {
    let query = AggregateQuery(self)
    return [
      (pairs, query.ofGroups(by: [0, 1])), (first, query.ofGroups(by: [0], counting: 1)),
      (second, query.ofGroups(by: [1], counting: 0)), (users, query.ofUsers),
    ]
  }

  /// The last two of the measures of current versions, and of all versions, are sums.
  package func comparable(_ column: String, of table: TableDescription) -> String {
    let name = quoted(identifier: column)
    let isUsers = haveSameBytes(table.name, users.name)
    let sums = table.columns.suffix(2) + (isUsers ? [] : table.columns[5...6])
    guard sums.contains(where: { haveSameBytes($0.name, column) }) else { return name }
    return "CASE WHEN \(name) <= \(Self.maximumExactSum) THEN \(name) END"
  }
}

/// The queries for the tables of an aggregate.
private struct AggregateQuery {
  private static let measures = ["inner_keys", "users", "lowest", "highest", "amount", "extras"]

  private let uses: String
  private let source: String
  /// The columns of the index.
  private let names: [String]
  private let amount: String
  private let extras: String

  init(_ aggregate: AggregateDescription) {
    uses = "WITH uses (owner, consumer, number, times, version) AS (\(aggregate.uses.text))"
    source = "\(quoted(identifier: aggregate.source)) AS entry"
    names = aggregate.index.map { "entry.\(quoted(identifier: $0))" }
    // An unknown product counts as larger than any sum.
    let product = "ifnull(\(names[4]) * use.times, 9e18)"
    amount = "total(CASE WHEN NOT \(names[3]) THEN \(product) ELSE 0 END)"
    extras = "total(CASE WHEN \(names[3]) THEN \(product) ELSE 0 END)"
  }

  private func result(_ sum: String) -> String {
    "CASE WHEN \(sum) <= \(AggregateDescription.maximumExactSum) THEN CAST(\(sum) AS INTEGER) END"
  }

  private func used(_ value: String) -> String { "CASE WHEN NOT \(names[3]) THEN \(value) END" }

  private func key(_ column: Int) -> String { "key_\(column + 1)" }

  var ofUsers: SQL {
    SQL(
      generated: """
        \(uses)
        SELECT use.consumer, count(DISTINCT \(used("\(names[1]) || ':' || \(names[0])"))),
          \(result(amount)), \(result(extras))
        FROM uses AS use LEFT JOIN \(source) ON \(names[2]) = use.owner AND use.version IS NULL
        GROUP BY use.consumer
        """)
  }

  /// The measures of groups by key columns; `inner` is the column whose values are counted.
  func ofGroups(by columns: [Int], counting inner: Int? = nil) -> SQL {
    let keys = columns.map(key).joined(separator: ", ")
    let measures = Self.measures.joined(separator: ", ")
    func results(_ prefix: String) -> [String] {
      (inner == nil ? ["users"] : ["inner_keys", "users"]).map { "sum(\(prefix)\($0))" }
        + ["min(\(prefix)lowest)", "max(\(prefix)highest)"]
        + ["amount", "extras"].map { result("total(\(prefix)\($0))") }
    }
    return SQL(
      generated: """
        \(uses),
        current_measures (\(keys), \(measures)) AS (\(current(columns, counting: inner))),
        \(pairsOfVersions),
        older_measures (\(keys), \(measures)) AS (\(older(keys, counting: inner)))
        SELECT \(([keys] + results("") + results("ever_")).joined(separator: ", "))
        FROM (
          SELECT \(keys), \(measures),
            \(Self.measures.map { "\($0) AS ever_\($0)" }.joined(separator: ", "))
          FROM current_measures
          UNION ALL
          SELECT \(keys), 0, 0, NULL, NULL, 0, 0, \(measures) FROM older_measures
        ) AS measured
        GROUP BY \(keys)
        """)
  }

  private var currentUses: String {
    "FROM \(source) JOIN uses AS use ON use.owner = \(names[2]) WHERE version IS NULL"
  }

  private func current(_ columns: [Int], counting inner: Int?) -> String {
    """
    SELECT \(columns.map { names[$0] }.joined(separator: ", ")),
      \(inner.map { "count(DISTINCT \(used(names[$0])))" } ?? "0"),
      count(DISTINCT \(used("consumer"))), min(\(used("number"))), max(\(used("number"))),
      \(amount), \(extras)
    \(currentUses) GROUP BY \(columns.map { names[$0] }.joined(separator: ", "))
    """
  }

  /// The pairs of users with older versions, and by how much the largest sums exceed the current.
  private var pairsOfVersions: String {
    func current(_ value: String) -> String {
      "max(CASE WHEN version IS NULL THEN \(value) ELSE 0 END)"
    }
    return """
      of_version AS (
        SELECT \(names[0]) AS key_1, \(names[1]) AS key_2, consumer, number, version,
          max(CASE WHEN \(names[3]) THEN 0 ELSE 1 END) AS is_user, \(amount) AS amount,
          \(extras) AS extras
        FROM uses AS use CROSS JOIN \(source)
        WHERE use.owner = \(names[2])
          AND consumer IN (SELECT consumer FROM uses WHERE version IS NOT NULL)
        GROUP BY \(names[0]), \(names[1]), consumer, number, version
      ),
      of_pair AS (
        SELECT key_1, key_2, consumer, number, \(current("is_user")) AS is_user,
          max(is_user) AS was_user, max(amount) - \(current("amount")) AS amount,
          max(extras) - \(current("extras")) AS extras
        FROM of_version GROUP BY key_1, key_2, consumer, number
      )
      """
  }

  /// What older versions add to the measures.
  private func older(_ keys: String, counting inner: Int?) -> String {
    let added = "CASE WHEN was_user > is_user THEN number END"
    let ofUsers = """
      SELECT \(keys), 0, count(\(added)), min(\(added)), max(\(added)),
        total(amount), total(extras)
      FROM (
        SELECT \(keys), number, max(is_user) AS is_user, max(was_user) AS was_user,
          total(amount) AS amount, total(extras) AS extras
        FROM of_pair GROUP BY \(keys), consumer, number
      ) AS of_user
      GROUP BY \(keys)
      """
    guard let inner else { return ofUsers }
    return """
      \(ofUsers)
      UNION ALL
      SELECT \(keys), count(DISTINCT \(key(inner))), 0, NULL, NULL, 0, 0 FROM of_pair
      WHERE was_user > is_user AND NOT EXISTS (
        SELECT 1 \(currentUses) AND NOT \(names[3]) AND \(names[0]) = key_1 AND \(names[1]) = key_2)
      GROUP BY \(keys)
      """
  }
}
