import Testing

@testable import SQLiteFormat

struct PageNumbersTests {
  @Test(arguments: [(512, 2_097_153), (4096, 262_145), (65536, 16_385)])
  func `the page of the lock byte has no ordinal`(pageBytes: Int, lockPage: Int) {
    let numbers = PageNumbers(pageBytes: pageBytes)
    #expect(numbers.number(0) == 1)
    #expect(numbers.ordinal(1) == 0)
    var next = lockPage - 20
    for ordinal in lockPage - 21..<lockPage + 20 {
      if next == lockPage { next += 1 }
      #expect(numbers.number(ordinal) == next)
      #expect(numbers.ordinal(next) == ordinal)
      #expect(numbers.offset(ordinal) == (next - 1) * pageBytes)
      // SQLite locks the byte at 1 GiB, and some after it.
      #expect(!(numbers.offset(ordinal)..<numbers.offset(ordinal) + pageBytes).contains(1 << 30))
      for count in 0...30 {
        let adjacent = (0..<count).prefix {
          numbers.number(ordinal + $0) == numbers.number(ordinal) + $0
        }
        #expect(numbers.adjacentPages(from: ordinal, of: count) == adjacent.count)
      }
      next += 1
    }
  }
}
