package import SQLiteSwiftly

/// Statistics of a table that cost too much to be asked each time: who uses its rows, how often, since when.
///
/// The rows of the table each belong to an owner, and a query says who uses which owner, and how many times:
/// the parts of a box, the boxes in a parcel. For each group of rows there is one row of statistics. The groups
/// are those of the first column of an index, which is text, of its second, an integer, and of both.
package struct AggregateDescription: Sendable {
  /// The table whose rows are added up.
  package let source: String
  /// The columns of one of its indexes, in this order: two to group by, text and integer; the owner; whether the
  /// row is counted apart, as an extra; and the quantity.
  package let index: [String]
  /// The query for the uses of owners, without values, sorted by the user.
  ///
  /// Its columns are the owner, an integer; the user, a text; a number of the user, such as a year; and how
  /// many times it uses the owner. The same user may use an owner more than once.
  package let uses: SQL
  /// The table for each value of both grouping columns.
  ///
  /// Its columns, as those of the others, are the group's; the users, extras not counted; the least and the
  /// greatest number of theirs, NULL if there are none; the sum of the quantities; the sum of those of extras.
  package let pairs: TableDescription
  /// The table for each value of the first grouping column, which is followed by the number of values of the
  /// second that have users.
  package let first: TableDescription
  /// The table for each value of the second grouping column, which is followed by the number of values of the
  /// first that have users.
  package let second: TableDescription
  /// The table for each user: after its name, the number of groups that it uses, the sum of the quantities, and
  /// the sum of those of extras.
  package let users: TableDescription
  /// Tables that follow from these.
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

  /// Throws when it does not fit the tables of a schema.
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
        faults.append("the columns of the index are not of the types that are added up")
      }
    } else {
      faults.append("there is no table \(written(identifier: source))")
    }
    for (table, count) in [(pairs, 7), (first, 7), (second, 7), (users, 4)]
    where table.columns.count != count {
      faults.append("\(written(identifier: table.name)) has not \(count) columns")
    }
    if !uses.values.isEmpty { faults.append("the query for the uses has values") }
    guard !faults.isEmpty else { return }
    throw SQLiteError(misdescribed: "statistics of \(written(identifier: source))", faults)
  }
}
