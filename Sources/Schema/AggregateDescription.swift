package import SQLiteSwiftly

/// Statistics of a table that are too expensive to query each time: the users of its rows, the
/// number of uses, and the years.
///
/// Each row of the table belongs to an owner, and a query returns the users of each owner with the
/// number of uses: the parts of a box, the boxes in a parcel. Each group of rows has one row of
/// statistics. Groups are formed by the first column of an index, which is text, by its second, an
/// integer, and by both.
///
/// A user can have older versions, such as editions of a book. Statistics are of the current
/// version, and again of all versions, in which a user has the largest quantity of each pair in
/// any version.
package struct AggregateDescription: Sendable {
  package let source: String
  /// The columns of one of its indexes, in this order: two to group by, text and integer; the
  /// owner; whether the row is an extra, which is counted separately; and the quantity.
  package let index: [String]
  /// The query for the uses of owners, without values, sorted by user.
  ///
  /// Its columns are the owner, an integer; the user, a text; a number of the user, such as a year;
  /// the number of uses; and the user's version, an integer, NULL for the current one. A version may
  /// use an owner more than once.
  package let uses: SQL
  /// The table with a row for each combination of both grouping columns.
  ///
  /// Its columns, as in the other tables, are the group's columns; the number of users, without
  /// extras; the minimum and maximum of the users' numbers, NULL if there are no users; the sum of
  /// the quantities; the sum of those of extras; and the last five for all versions.
  package let pairs: TableDescription
  /// The table with a row for each value of the first grouping column.
  ///
  /// The number of values of the second that have users precedes the number of users, also for all
  /// versions.
  package let first: TableDescription
  /// The table with a row for each value of the second grouping column.
  ///
  /// The number of values of the first that have users precedes the number of users, also for all
  /// versions.
  package let second: TableDescription
  /// The table with a row for each user: its name, the number of groups that its current version
  /// uses, the sum of the quantities, and the sum of those of extras.
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
    for (table, count) in [(pairs, 12), (first, 13), (second, 13), (users, 4)]
    where table.columns.count != count {
      faults.append("\(written(identifier: table.name)) does not have \(count) columns")
    }
    if !uses.values.isEmpty { faults.append("the query for the uses must not have values") }
    try refuse(faults, in: "statistics of \(written(identifier: source))")
  }
}
