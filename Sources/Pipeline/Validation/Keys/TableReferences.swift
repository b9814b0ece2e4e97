/// The references from and to a table that are not checked column by column.
struct TableReferences {
  /// A reference whose columns are looked up together after they are read.
  struct Lookup {
    /// The index of the foreign key among those of the table.
    let foreignKey: Int
    let key: StoredKey
    /// The range of its parent sets in `KeyRegistry.parents`.
    let parents: Range<Int>
  }

  /// Composite references, and further references of a column.
  var lookups: [Lookup] = []
  /// References to the table itself that are checked after a record's keys were inserted.
  var lateLookups: [Lookup] = []
  /// Referenced columns that no key set covers, and that collect the values of loaded records.
  var collected: [ReferencedKey] = []
  /// The columns that the table itself refers to, with the values of the records that will be loaded.
  var survivors: [ReferencedKey] = []
  /// All references to the table itself, each with the index of its referenced columns in `survivors`.
  var own: [(key: StoredKey, survivor: Int)] = []
}
