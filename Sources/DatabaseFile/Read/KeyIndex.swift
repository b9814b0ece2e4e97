package import SQLiteSwiftly

/// The index that SQLite keeps for the primary key of a table with rowids, unless the key is the rowid.
package struct KeyIndex: Sendable {
  /// Its name (<https://www.sqlite.org/fileformat2.html#intschema>).
  package let name: String
  let layout: EntryLayout

  /// Finds the index of a table; nil if there is none, or none whose entries can be added up.
  package init?(of table: TableDescription) {
    guard !table.isWithoutRowid, !table.keyIsRowid, !table.primaryKey.isEmpty,
      let layout = EntryLayout(ofIndexOn: table.primaryKey, isUnique: true, in: table)
    else { return nil }
    name = table.indexName(table.keyIndexPlace)
    self.layout = layout
  }

  /// Reads the index back from a finished file.
  ///
  /// - Parameters:
  ///   - descriptor: the file, which stays the caller's.
  ///   - root: the number of the index's root page.
  ///   - longestRow: the most bytes that the values of a row have.
  /// - Returns: The sum of its entries.
  /// - Throws: `DatabaseError`: `damaged` if it is no index, or if an entry does not come after the one
  ///   before it.
  /// - Complexity: O(n); memory for a page of each level, and for the longest entry.
  package func storedChecksum(
    in descriptor: Int32, root: Int, longestRow: Int
  ) throws(DatabaseError) -> EntryChecksum {
    let longestRecord = longestRow + 16 * (layout.columns.count + 1)
    var entries = try TreeCursor(descriptor, .keys, root: root, longestRecord: longestRecord)
    var check = RecordCheck(layout)
    while try entries.next() {
      guard check.add(entries.record, of: entries.bytes) else { throw .damaged }
    }
    return check.checksum
  }
}
