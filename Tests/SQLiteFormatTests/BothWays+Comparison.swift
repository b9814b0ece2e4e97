import Glibc
import SQLiteSwiftly
import TestSupport
import Testing

@testable import SQLiteFormat

extension BothWays {
  /// Makes a file with the rows in each of the ways, and expects that the indexes have the same entries.
  ///
  /// - Returns: The last page of the first file.
  @discardableResult
  func expectSameIndexes(_ rows: [[SQLiteValue]]) throws -> Int {
    let workplace = try Workplace()
    let (indexes, observed) = try fill(workplace, rows)
    let loaded = try Connection(workplace.path + "/loaded", opening: .openExisting)
    let created = try Connection(workplace.path + "/created", opening: .openExisting)
    #expect(try loaded.faults(.full) == [])
    #expect(
      try loaded.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
        == created.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name"))
    let descriptor = try open(workplace.path + "/loaded")
    for (index, observed) in zip(indexes, observed) {
      let place = index.place
      let name = table.indexName(place)
      let columns = index.layout.columns.map { column in
        column.place < 0 ? "rowid" : quoted(identifier: table.columns[column.place].name)
      }
      let query = SQL(
        generated: "SELECT \(columns.joined(separator: ", ")) FROM t INDEXED BY \(name)")
      let entries = try loaded.query(query)
      #expect(entries.count == rows.count)
      #expect(try entries == created.query(query))
      #expect(observed == entries)
      let root = try loaded.value(of: "SELECT rootpage FROM sqlite_schema WHERE name = \(name)")
      let checksum = try index.storedChecksum(in: descriptor, root: Int(root?.integerValue ?? 0))
      #expect(checksum == index.checksum)
      #expect(checksum.entries == rows.count)
      try expectFullPages(of: name, in: loaded, pageBytes)
    }
    close(descriptor)
    return Int(try loaded.value(of: "PRAGMA page_count")?.integerValue ?? 0)
  }

  /// Expects that a page has no room for two more entries, except the last pages of each level.
  ///
  /// An entry that does not fit moves up, and at the end one more with it.
  private func expectFullPages(
    of index: String, in connection: Connection, _ pageBytes: Int
  ) throws {
    let pages = try connection.query(
      """
      SELECT length(path), unused, max(mx_payload) OVER () FROM dbstat
      WHERE name = \(index) AND pagetype <> 'overflow' ORDER BY length(path), path
      """
    ).map { $0.map { Int($0.integerValue ?? 0) } }
    for (page, next) in zip(pages, pages.dropFirst()) where page[0] == next[0] {
      let largestCell = min(page[2], pageBytes / 4) + 16
      #expect(page[1] < 2 * largestCell)
    }
  }
}
