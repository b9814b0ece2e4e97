package import SQLiteSwiftly

extension AggregateDescription {
  /// The largest number up to which floating-point sums are exact.
  private static let maximumExactSum = "9007199254740992"

  /// For each table the query for its expected rows, to check the native aggregation.
  ///
  /// A sum beyond 2^53 is NULL. The query takes many times as long as adding up the entries of the
  /// index.
  package var queries: [(table: TableDescription, query: SQL)] {
    queries { condition, quantity, times in
      // An unknown sum counts as larger than any sum.
      let sum =
        "total(CASE WHEN \(condition) THEN ifnull(\(quantity) * \(times), 9e18) ELSE 0 END)"
      return "CASE WHEN \(sum) <= \(Self.maximumExactSum) THEN CAST(\(sum) AS INTEGER) END"
    }
  }

  /// The queries with another expression for a sum.
  ///
  /// - Parameter sum: returns the expression for a sum, from the condition for its rows, the
  ///   quantity of each and its number of uses, which is NULL if unknown. The result is NULL if the
  ///   sum is unknown.
  /// - Returns: The tables and their queries, in the order in which they are filled.
  package func queries(
    addingUp sum: (_ condition: String, _ quantity: String, _ times: String) -> String
  ) -> [(table: TableDescription, query: SQL)] {
    let names = index.map { "entry.\(quoted(identifier: $0))" }
    let (first, second, owner, extra) = (names[0], names[1], names[2], names[3])
    func used(_ value: String) -> String { "CASE WHEN NOT \(extra) THEN \(value) END" }
    let sums = ["NOT \(extra)", extra].map { sum($0, names[4], "use.times") }
    let measures =
      [
        "count(DISTINCT \(used("use.consumer")))", "min(\(used("use.number")))",
        "max(\(used("use.number")))",
      ] + sums
    let entries =
      "FROM \(quoted(identifier: source)) AS entry JOIN uses AS use ON use.owner = \(owner)"
    func query(_ columns: [String], _ rows: String, by groups: String) -> SQL {
      SQL(
        generated: """
          WITH uses (owner, consumer, number, times) AS (\(uses.text))
          SELECT \(columns.joined(separator: ", ")) \(rows) GROUP BY \(groups)
          """)
    }
    return [
      (pairs, query([first, second] + measures, entries, by: "1, 2")),
      (
        self.first,
        query([first, "count(DISTINCT \(used(second)))"] + measures, entries, by: "1")
      ),
      (
        self.second,
        query([second, "count(DISTINCT \(used(first)))"] + measures, entries, by: "1")
      ),
      (
        users,
        query(
          ["use.consumer", "count(DISTINCT \(used("\(second) || ':' || \(first)")))"] + sums,
          "FROM uses AS use LEFT JOIN \(quoted(identifier: source)) AS entry ON \(owner) = use.owner",
          by: "1")
      ),
    ]
  }

  /// A column as its table's query returns it: the last two are sums.
  package func comparable(_ column: String, of table: TableDescription) -> String {
    let name = quoted(identifier: column)
    guard table.columns.suffix(2).contains(where: { haveSameBytes($0.name, column) }) else {
      return name
    }
    return "CASE WHEN \(name) <= \(Self.maximumExactSum) THEN \(name) END"
  }
}
