/// The numbers of the pages available to a tree, counted from 0.
///
/// The page at the first byte after a gibibyte is never used, since SQLite locks that byte
/// (<https://www.sqlite.org/fileformat2.html#the_lock_byte_page>).
struct PageNumbers: Sendable {
  let pageBytes: Int
  private let lockPage: Int

  init(pageBytes: Int) {
    self.pageBytes = pageBytes
    lockPage = (1 << 30) / pageBytes + 1
  }

  /// The number of the page at `ordinal`.
  @inline(__always)
  func number(_ ordinal: Int) -> Int { ordinal + 1 < lockPage ? ordinal + 1 : ordinal + 2 }

  func ordinal(_ number: Int) -> Int { number < lockPage ? number - 1 : number - 2 }

  func offset(_ ordinal: Int) -> Int { (number(ordinal) - 1) * pageBytes }

  /// The number of pages, at most `count`, that are adjacent in the file from `ordinal`.
  func adjacentPages(from ordinal: Int, of count: Int) -> Int {
    let beforeLock = lockPage - 1 - ordinal
    return beforeLock > 0 ? min(count, beforeLock) : count
  }
}
