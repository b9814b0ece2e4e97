package import SQLiteSwiftly

/// Statistics of a table that are too expensive to query each time: the users of its rows, the
/// number of uses, and the years.
///
/// Each row of the table belongs to an owner, and a query returns the users of each owner with the
/// number of uses: the parts of a box, the boxes in a parcel. Each group of rows has one row of
/// statistics. Groups are formed by the first column of an index, which is text, by its second, an
/// integer, and by both.
package struct AggregateDescription: Sendable {
  package let source: String
  /// The columns of one of its indexes, in this order: two to group by, text and integer; the
  /// owner; whether the row is an extra, which is counted separately; and the quantity.
  package let index: [String]
  /// The query for the uses of owners, without values, sorted by user.
  ///
  /// Its columns are the owner, an integer; the user, a text; a number of the user, such as a year;
  /// and the number of uses. A user may use an owner more than once.
  package let uses: SQL
  /// The table with a row for each combination of both grouping columns.
  ///
  /// Its columns, as in the other tables, are the group's columns; the number of users, without
  /// extras; the minimum and maximum of the users' numbers, NULL if there are no users; the sum of
  /// the quantities; the sum of those of extras.
  package let pairs: TableDescription
  /// The table with a row for each value of the first grouping column, followed by the number of
  /// values of the second that have users.
  package let first: TableDescription
  /// The table with a row for each value of the second grouping column, followed by the number of
  /// values of the first that have users.
  package let second: TableDescription
  /// The table with a row for each user: its name, the number of groups that it uses, the sum of
  /// the quantities, and the sum of those of extras.
  package let users: TableDescription
  package let derivedTables: [DerivedTableDescription]

  package init(
    of source: String, index: [String], uses: SQL, pairs: TableDescription,
    first: TableDescription, second: TableDescription, users: TableDescription,
    derivedTables: [DerivedTableDescription] = []
  ) {
    self.source = source
    self.index = index
    self.uses = uses
    self.pairs = pairs
    self.first = first
    self.second = second
    self.users = users
    self.derivedTables = derivedTables
  }

  /// The tables, in the order in which they are filled.
  package var allTables: [TableDescription] {
    [pairs, first, second, users] + derivedTables.map(\.table)
  }

  func validate(among tables: [TableDescription]) throws(SQLiteError) {
    var faults: [String] = []
    if let table = tables.first(where: { haveSameBytes($0.name, source) }) {
      let types = index.map { name in table.columns.first { haveSameBytes($0.name, name) } }
      let kinds: [[ColumnDescription.DataType]] = [
        [.text], [.integer], [.integer], [.boolean, .integer], [.integer],
      ]
      let fits = zip(types, kinds).allSatisfy { column, kinds in
        column.map { kinds.contains($0.type) && table.requires($0) } ?? false
      }
      if !table.indexes.contains(where: { haveSameBytes($0, index) }) {
        faults.append("\(written(identifier: source)) has no such index")
      }
      if index.count != kinds.count || !fits || !table.isStrict {
        faults.append("the columns of the index do not have the types required for statistics")
      }
    } else {
      faults.append("no table \(written(identifier: source))")
    }
    for (table, count) in [(pairs, 7), (first, 7), (second, 7), (users, 4)]
    where table.columns.count != count {
      faults.append("\(written(identifier: table.name)) does not have \(count) columns")
    }
    if !uses.values.isEmpty { faults.append("the query for the uses must not have values") }
    try refuse(faults, in: "statistics of \(written(identifier: source))")
  }
}

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

  /// The queries with another expression for a sum, from the condition for its rows, the quantity
  /// of each and its number of uses, which is NULL if unknown; the sum is NULL then.
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

  /// The last two columns are sums.
  package func comparable(_ column: String, of table: TableDescription) -> String {
    let name = quoted(identifier: column)
    guard table.columns.suffix(2).contains(where: { haveSameBytes($0.name, column) }) else {
      return name
    }
    return "CASE WHEN \(name) <= \(Self.maximumExactSum) THEN \(name) END"
  }
}
