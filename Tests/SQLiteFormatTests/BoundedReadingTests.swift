import Glibc
import SQLiteSwiftly
import Testing
@testable import SQLiteFormat

/// Older files from which more can be read than they have bytes.
struct BoundedReadingTests {
  private static let pageBytes = DamagedTable.pageBytes

  private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
  }

  /// A page of a table with rowids that has the same child for each of its cells, which are one.
  private static func parent(of child: Int) -> [UInt8] {
    let cells = 200
    let place = pageBytes - 5
    var page = [5, 0, 0] + bytes(cells, 2) + bytes(place, 2) + [0] + bytes(child, 4)
    for _ in 0..<cells { page += bytes(place, 2) }
    page += [UInt8](repeating: 0, count: place - page.count)
    return page + bytes(child, 4) + [1]
  }

  /// A leaf without cells.
  private static let emptyLeaf: [UInt8] =
    [13, 0, 0, 0, 0] + bytes(pageBytes, 2) + [UInt8](repeating: 0, count: pageBytes - 7)

  /// The bytes written over the pages of a tree, each of which is the only child of the one before it.
  private static func chain(_ pages: [Int]) -> [DamagedTable.Change] {
    var changes = zip(pages, pages.dropFirst()).map {
      (offset: ($0 - 1) * pageBytes, bytes: parent(of: $1))
    }
    changes.append((offset: (pages[pages.count - 1] - 1) * pageBytes, bytes: emptyLeaf))
    return changes
  }

  @Test func `pages that share a child are not read more often than there are pages`() throws {
    let table = try DamagedTable(hasRowids: true)
    for count in [2, 3, 10, 33, 34] {
      let changes = Self.chain(Array(table.old.pages.prefix(count)))
      let scan = try table.changing(table.old, changes) { try table.scan() }
      #expect(table.finds(scan))
      #expect(scan.differences == nil)
    }
  }

  /// If it were believed, they would be read four billion times.
  @Test(arguments: [UInt32.max, 1 << 20])
  func `a file has no more pages than bytes for them`(pages: UInt32) throws {
    let table = try DamagedTable(hasRowids: true)
    let claim = (offset: 28, bytes: Self.bytes(Int(pages), 4))
    var changes = Self.chain(Array(table.old.pages.prefix(10))) + [claim]
    var scan = try table.changing(table.old, changes) { try table.scan() }
    #expect(table.finds(scan))
    #expect(scan.differences == nil)
    // An overflow page that is its own next one is read as often as its record goes on.
    let first = table.old.overflowPages[0]
    changes = [claim, (offset: table.old.offset(first), bytes: Self.bytes(first, 4))]
    scan = try table.changing(table.old, changes) { try table.scan() }
    #expect(table.finds(scan))
    #expect(scan.differences == nil)
  }

  /// Each of thousands of them could be a row as long as the page.
  @Test(arguments: [false, true])
  func `the cells of a page take no more bytes than it has`(hasRowids: Bool) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    let old = table.old
    let leaf = try #require(
      old.pages.first { !old.interiorPages.contains($0) && !old.cells($0).isEmpty })
    let cell = Self.bytes(old.cells(leaf)[0] - old.offset(leaf), 2)
    let cells = 10
    let changes: [DamagedTable.Change] = [
      (old.offset(leaf) + 3, Self.bytes(cells, 2)),
      (old.offset(leaf) + 8, (0..<cells).flatMap { _ in cell }),
    ]
    let scan = try table.changing(old, changes) { try table.scan() }
    #expect(table.finds(scan))
    #expect(scan.differences == nil)
  }
}
