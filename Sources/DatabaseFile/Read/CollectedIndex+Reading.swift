extension CollectedIndex {
  /// Reads the index back from a finished file.
  ///
  /// - Parameters:
  ///   - descriptor: the file, which stays the caller's.
  ///   - root: the number of the index's root page.
  /// - Returns: The sum of its entries.
  /// - Throws: `DatabaseError`: `damaged` if it is no index, or if an entry does not come after the one
  ///   before it.
  /// - Complexity: O(n); memory for a page of each level, and for the longest entry.
  package func storedChecksum(
    in descriptor: Int32, root: Int
  ) throws(DatabaseError) -> EntryChecksum {
    // The serial type of a text, and an integer, can take some bytes more than they do in a key.
    let longestRecord = longestKey + 16 * (layout.columns.count + 1)
    var entries = try TreeCursor(
      descriptor, .packedKeys, root: root, longestRecord: longestRecord)
    var check = RecordCheck(layout)
    while try entries.next() {
      guard check.add(entries.record, of: entries.bytes) else { throw .damaged }
    }
    return check.checksum
  }
}
