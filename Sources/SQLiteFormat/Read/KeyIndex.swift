package import SQLiteSwiftly

/// SQLite's index for the primary key of a table with rowids, unless the key is the rowid.
package struct KeyIndex: Sendable {
  /// Its name (<https://www.sqlite.org/fileformat2.html#intschema>).
  package let name: String
  let layout: EntryLayout

  /// Finds the index of a table; nil if there is none, or if its entries have no checksum.
  package init?(of table: TableDescription) {
    guard !table.isWithoutRowid, !table.keyIsRowid, !table.primaryKey.isEmpty,
      let layout = EntryLayout(ofIndexOn: table.primaryKey, isUnique: true, in: table)
    else { return nil }
    name = table.indexName(table.keyIndexPlace)
    self.layout = layout
  }
}

// The stored index is damaged if it is invalid or its entries are out of order. The caller keeps
// the descriptor.

extension KeyIndex {
  /// Computes the checksum of the index in a finished file.
  ///
  /// - Complexity: O(n); memory for a page of each level, and for the longest entry.
  package func storedChecksum(
    in descriptor: Int32, root: Int, longestRow: Int
  ) throws(DatabaseError) -> EntryChecksum {
    try layout.storedChecksum(in: descriptor, .keys, root: root, longestKey: longestRow)
  }
}

extension CollectedIndex {
  /// Computes the checksum of the index in a finished file.
  ///
  /// - Complexity: O(n); memory for a page of each level, and for the longest entry.
  package func storedChecksum(
    in descriptor: Int32, root: Int
  ) throws(DatabaseError) -> EntryChecksum {
    try layout.storedChecksum(in: descriptor, .packedKeys, root: root, longestKey: longestKey)
  }
}

extension EntryLayout {
  fileprivate func storedChecksum(
    in descriptor: Int32, _ kind: TreeCursor.Kind, root: Int, longestKey: Int
  ) throws(DatabaseError) -> EntryChecksum {
    // The serial type of a text, or an integer, may have some more bytes than in a key.
    var entries = try TreeCursor(
      descriptor, kind, root: root, longestRecord: longestKey + 16 * (columns.count + 1))
    var check = RecordCheck(self)
    while try entries.next() {
      guard check.add(entries.record, of: entries.bytes) else { throw .damaged }
    }
    return check.checksum
  }
}
