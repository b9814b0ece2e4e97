import Glibc
import SQLiteSwiftly
import TestSupport
import Testing
@testable import SQLiteFormat

/// A new file with a damaged page: that is detected, unless SQLite reads the same rows.
struct DamagedTableTests {
  @Test(arguments: [false, true])
  func `the tables are of three levels`(hasRowids: Bool) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    #expect(try table.isSound)
    for file in [table.new, table.old] {
      #expect(file.interiorPages.count > 2)
      #expect(file.overflowPages.count >= 6)
    }
    let differences = try #require(table.differences)
    #expect(differences.rowsAfter == 64)
    #expect(differences.commonKeys > 30)
    #expect(differences.commonKeys < 60)
  }

  @Test(
    arguments: [false, true], (LongTests.areOn ? [0xff, 1, 0x80, 0x55] : [0xff, 1]) as [UInt8])
  func `each changed byte with a meaning is detected`(
    hasRowids: Bool, bits: UInt8
  ) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    let rows = try table.rowsBySQL()
    var unnoticed = 0
    for offset in DamagedTable.some(table.new.offsets, each: 61) {
      try table.changing(table.new, [(offset, [table.new.bytes[offset] ^ bits])]) {
        guard try table.isSound else { return }
        unnoticed += 1
        #expect(try table.rowsBySQL() == rows, "byte \(offset)")
      }
    }
    #expect(unnoticed > 0)
    #expect(LongTests.areOn || unnoticed < table.new.offsets.count / 61 / 2)
  }

  @Test(arguments: [false, true])
  func `a page of zeros, or of another one's bytes, is found`(hasRowids: Bool) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    let new = table.new
    let zeros = [UInt8](repeating: 0, count: DamagedTable.pageBytes)
    let pages = new.pages + new.overflowPages
    for page in pages {
      let others = DamagedTable.some(pages, each: 13).filter { $0 != page }.map(new.page)
      for bytes in [zeros] + others {
        let isSound = try table.changing(new, [(new.offset(page), bytes)]) { try table.isSound }
        #expect(!isSound, "page \(page)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a truncated file is detected`(hasRowids: Bool) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    let size = table.new.bytes.count
    for count in [size - 1, size - 512, size - 1000, size / 2, 512, 100, 99, 0] {
      #expect(ftruncate(table.new.descriptor, off_t(count)) == 0)
      #expect(try !table.isSound)
    }
  }
}
