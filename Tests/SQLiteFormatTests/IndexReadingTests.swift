import Platform
import Glibc
import SQLiteSwiftly
import TestSupport
import Testing
@testable import SQLiteFormat

struct IndexReadingTests {
  /// A file with an index of three levels with overflow pages, whose bytes can be changed.
  private final class Subject {
    let workplace: Workplace
    let descriptor: Int32
    let index: CollectedIndex
    let root: Int
    let file: IndexFile

    init() throws {
      workplace = try Workplace()
      let table = TableDescription(
        "t",
        columns: [
          ColumnDescription("a", .text), ColumnDescription("b", .integer, isNullable: true),
        ], primaryKey: [], indexes: [["a", "b"]])
      let rows = (0..<36).map { row -> [SQLiteValue] in
        let count = row % 14 == 3 ? 700 : 76 + row % 15
        let number = Int64(row * row * 1000)
        return [
          .text(String(repeating: "\(row % 9)", count: count)),
          row % 4 == 0 ? .null : .integer(number),
        ]
      }
      let both = BothWays(table: table, pageBytes: 512)
      index = try both.load(workplace, rows).indexes[0]
      let path = workplace.path + "/loaded"
      let connection = try Connection(path, opening: .readOnly)
      root = Int(
        try connection.value(of: "SELECT max(rootpage) FROM sqlite_schema")?.integerValue ?? 0)
      file = try IndexFile(path, root: root)
      descriptor = try both.open(path)
    }

    deinit { close(descriptor) }

    /// The reader's result for the file with some changed bytes.
    func read(_ changes: (offset: Int, bytes: [UInt8])...) throws -> Result<Bool, DatabaseError> {
      for (offset, bytes) in changes { try descriptor.writeAll(bytes.span, at: offset) }
      defer {
        for (offset, bytes) in changes {
          try? descriptor.writeAll(
            Array(file.bytes[offset..<offset + bytes.count]).span, at: offset)
        }
      }
      return Result { () throws(DatabaseError) in
        try index.storedChecksum(in: descriptor, root: root) == index.checksum
      }
    }
  }

  @Test func `the index is one of three levels`() throws {
    let subject = try Subject()
    #expect(try subject.read() == .success(true))
    #expect(subject.file.interiors.count > 2)
    #expect(subject.file.overflows.count >= 4)
    #expect(subject.file.records.count == 36)
  }

  @Test(arguments: LongTests.areOn ? Array(1...255) : [0xff] as [UInt8])
  func `each changed byte with a meaning is detected`(bits: UInt8) throws {
    let subject = try Subject()
    for page in subject.file.pages {
      for offset in subject.file.offset(page)..<subject.file.offset(page + 1) {
        let found = try subject.read((offset, [subject.file.bytes[offset] ^ bits]))
        let isSound = found == .success(true)
        #expect(
          isSound == !subject.file.isUsed[offset],
          "page \(page), byte \(offset - subject.file.offset(page))")
      }
    }
  }

  @Test func `a child, or an overflow page, that is any other page is found`() throws {
    let subject = try Subject()
    let file = subject.file
    let last = file.bytes.count / file.pageBytes
    for place in file.children + file.overflows.map(file.offset) {
      for page in Array(0...UInt8(last + 2)) where page != file.bytes[place + 3] {
        let found = try subject.read((place, [0, 0, 0, page]))
        #expect(found != .success(true), "\(page) at \(place)")
      }
    }
  }

  @Test func `pages that were swapped are found`() throws {
    let subject = try Subject()
    let file = subject.file
    for (index, page) in file.leaves.enumerated() {
      for other in file.leaves[(index + 1)...] {
        let found = try subject.read(
          (file.offset(page), file.page(other)), (file.offset(other), file.page(page)))
        #expect(found == .failure(.damaged))
      }
    }
  }

  @Test func `a page of zeros, or of another one's bytes, is found`() throws {
    let subject = try Subject()
    let file = subject.file
    let zeros = [UInt8](repeating: 0, count: file.pageBytes)
    for page in file.pages {
      #expect(try subject.read((file.offset(page), zeros)) != .success(true))
      for other in file.pages where other != page {
        #expect(try subject.read((file.offset(page), file.page(other))) != .success(true))
      }
    }
  }

  @Test func `a truncated file is detected`() throws {
    let subject = try Subject()
    let size = subject.file.bytes.count
    for count in [size - 1, size - 512, size - 1000, size / 2, 512, 100] {
      #expect(ftruncate(subject.descriptor, off_t(count)) == 0)
      #expect(try subject.read() == .failure(.file(FileError(code: damagedFile))))
    }
  }

  /// The file has room for it: 64 GB, most of which is a hole.
  @Test func `an oversized record is detected before memory is allocated`()
    throws
  {
    let subject = try Subject()
    let file = subject.file
    #expect(ftruncate(subject.descriptor, 1 << 36) == 0)
    for page in file.leaves + file.interiors {
      let bytes = file.page(page)
      // The last cell is the first one in the page.
      let cell = file.offset(page) + (Int(bytes[5]) << 8 | Int(bytes[6]))
      let start = bytes[0] == 10 ? cell : cell + 4
      // 2^27 pages, and 2^35 bytes.
      let found = try subject.read((28, [8, 0, 0, 0]), (start, [0x81, 0x80, 0x80, 0x80, 0x80, 0]))
      #expect(found == .failure(.damaged))
    }
  }

  @Test func `an invalid root is detected`() throws {
    let subject = try Subject()
    for root in [-1, 0, 1, 2, subject.file.leaves[0], 1 << 40] {
      var isSound = false
      do throws(DatabaseError) {
        isSound =
          try subject.index.storedChecksum(in: subject.descriptor, root: root)
          == subject.index.checksum
      } catch {
        #expect(error == .damaged)
      }
      #expect(!isSound, "\(root)")
    }
  }

  /// Whatever is written over some bytes: nothing traps.
  @Test func `pages of random bytes are found`() throws {
    let subject = try Subject()
    let file = subject.file
    var random = SeededGenerator(seed: 1)
    for _ in 0..<(LongTests.areOn ? 100_000 : 2000) {
      let page = file.pages.randomElement(using: &random) ?? 0
      var bytes = file.page(page)
      bytes.damage(using: &random)
      let offset = file.offset(page)
      let isChanged = bytes.indices.contains { index in
        file.isUsed[offset + index] && bytes[index] != file.bytes[offset + index]
      }
      #expect(try (subject.read((offset, bytes)) == .success(true)) == !isChanged)
    }
  }
}
