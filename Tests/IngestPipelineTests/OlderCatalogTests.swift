@testable import Vocabulary
@testable import Platform
import Foundation
import Glibc
import SQLiteSwiftly
import Testing

/// A catalog is compared with an older one page by page where both tables were created by one statement, and
/// by SQL where they were not.
@Suite struct OlderCatalogTests {
  private static let names = ["nodes", "things", "labels", "owners"]

  /// Says the same in another way, so that the statements differ.
  private static let rewording: [SQL] = [
    "PRAGMA writable_schema = ON",
    """
    UPDATE sqlite_schema SET sql = replace(sql, 'CREATE TABLE ', 'CREATE TABLE  ')
    WHERE type = 'table' AND name NOT LIKE 'sqlite%'
    """,
  ]

  @Test(arguments: 0..<(LongTests.areOn ? 300 : 4) as Range<UInt64>)
  func `pages give the changes that SQL gives`(seed: UInt64) throws {
    let catalogs = try OlderCatalogs(seed: seed)
    #expect(try catalogs.tablesComparedByPages() == Self.names)
    let byPages = try catalogs.compare()
    let tables = try #require(byPages.changes?.tables)
    #expect(tables.map(\.name) == Self.names)
    #expect(tables.allSatisfy { ($0.keys?.added ?? 0) > 0 && ($0.keys?.removed ?? 0) > 0 })
    try changeDatabase(catalogs.old, Self.rewording)
    #expect(try catalogs.tablesComparedByPages().isEmpty)
    let bySQL = try catalogs.compare()
    #expect(String(describing: byPages.changes) == String(describing: bySQL.changes))
    #expect(byPages.warnings.map(\.message) == bySQL.warnings.map(\.message))
  }

  /// A run does not get that far with a write-ahead log.
  @Test func `a file whose pages are not for reading is compared by SQL`() throws {
    let catalogs = try OlderCatalogs(seed: 1)
    let expected = try catalogs.compare()
    try changeDatabase(catalogs.old, ["PRAGMA auto_vacuum = FULL", "VACUUM"])
    #expect(try catalogs.tablesComparedByPages().isEmpty)
    let found = try catalogs.compare()
    #expect(String(describing: found.changes) == String(describing: expected.changes))
  }

  @Test func `a table whose pages are damaged is a warning`() throws {
    let catalogs = try OlderCatalogs(seed: 1)
    let connection = try Connection(catalogs.old, opening: .readOnly)
    let root = try connection.value(of: "SELECT rootpage FROM sqlite_schema WHERE name = 'owners'")
    let pageBytes = try connection.value(of: "PRAGMA page_size")
    try connection.close()
    let descriptor = try openFile(catalogs.old, O_RDWR)
    let size = Int(pageBytes?.integerValue ?? 0)
    let zeros = [UInt8](repeating: 0, count: size)
    try descriptor.writeAll(zeros.span, at: (Int(root?.integerValue ?? 0) - 1) * size)
    close(descriptor)
    #expect(try catalogs.tablesComparedByPages() == ["nodes", "things", "labels"])
    let (changes, warnings) = try catalogs.compare()
    #expect(changes == nil)
    #expect(warnings.map(\.code) == [.catalogUnreadable])
  }

  @Test func `a writer that has locked the file ends the comparison`() throws {
    let catalogs = try OlderCatalogs(seed: 1)
    let writer = try Connection(catalogs.old, opening: .openExisting)
    try writer.execute("BEGIN EXCLUSIVE")
    let error = #expect(throws: IngestError.self) { try catalogs.compare() }
    #expect(error?.kind == .locked)
    try writer.execute("COMMIT")
    #expect(try catalogs.compare().changes != nil)
  }

  /// Where SQLite's locks begin that readers share (<https://www.sqlite.org/src/file/src/os.h>).
  private static let sharedLock = 0x4000_0002

  @Test func `nobody can write to the file until it was compared`() throws {
    let catalogs = try OlderCatalogs(seed: 1)
    // Closing another file must not end the locks of this one.
    let other = try Workplace()
    let holder = try Connection(other.output, opening: .createNew)
    try holder.execute("CREATE TABLE t (a)")
    try holder.execute("BEGIN EXCLUSIVE")
    try changeDatabase(
      catalogs.old,
      [
        """
        WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 60000)
        INSERT INTO owners SELECT 'many', 'leaf', n FROM number
        """
      ])
    // Closing a file ends the locks of its process: these stay open to the end.
    let descriptors = try [catalogs.old, other.output].map { try openFile($0, O_RDONLY) }
    defer { for descriptor in descriptors { close(descriptor) } }
    // On a fast or busy machine, not every comparison is seen while it works.
    var isHeld = false
    for _ in 0..<100 where !isHeld {
      let isDone = Monitor(false)
      let worker = try Worker("comparison") {
        let found = Result { try catalogs.compare() }
        isDone.with { $0 = true }
        return found
      }
      var (looks, locked) = (0, 0)
      while !isDone.with({ $0 }) {
        looks += 1
        locked += ownerOfByte(Self.sharedLock, of: descriptors[0]) == getpid() ? 1 : 0
        usleep(100)
      }
      // Before and after that there is next to nothing to do.
      isHeld = locked > 0 && locked * 3 > looks
      #expect(try worker.result().get().changes?.tables.last?.keys?.removed ?? 0 >= 60_000)
    }
    #expect(isHeld)
    #expect(ownerOfByte(Self.sharedLock, of: descriptors[0]) == nil)
    #expect(ownerOfByte(Self.sharedLock, of: descriptors[1]) == getpid())
    try changeDatabase(catalogs.old, ["DELETE FROM owners"])
    try holder.execute("COMMIT")
  }
}
