/// What is done for the references of a table, and for those to it, besides looking up columns one by one.
struct TableReferences {
  /// A reference whose columns are looked up together once they are read.
  struct Lookup {
    /// The foreign key, among those of the table.
    let foreignKey: Int
    let key: StoredKey
    /// The places in `KeyRegistry.parents` of the sets of which one must have it.
    let parents: Range<Int>
  }

  /// References of several columns, and further ones of a column that has one already.
  var lookups: [Lookup] = []
  /// References to the table itself that are looked up after a record's keys have been taken.
  var lateLookups: [Lookup] = []
  /// What other tables refer to and no set of a key has: gets the values of the records that are loaded.
  var collected: [ReferencedKey] = []
  /// What the table itself refers to: has the values of the records that will be in it.
  var survivors: [ReferencedKey] = []
  /// All references to the table itself, each with the place of what it refers to among the survivors.
  var own: [(key: StoredKey, survivor: Int)] = []
}
