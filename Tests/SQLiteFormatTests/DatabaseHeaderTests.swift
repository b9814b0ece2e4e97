import Platform
import Foundation
import Glibc
import SQLiteSwiftly
import TestSupport
import Testing
@testable import SQLiteFormat

struct DatabaseHeaderTests {
  /// The bytes of a database of two pages.
  private func database(pageBytes: Int = 4096, _ pragma: SQL = "PRAGMA user_version = 1") throws
    -> [UInt8]
  {
    let workplace = try Workplace()
    try changeDatabase(
      workplace.output,
      [SQL(generated: "PRAGMA page_size = \(pageBytes)"), pragma, "CREATE TABLE t (a)"])
    return Array(try workplace.bytesOfOutput())
  }

  /// The error with which a file is refused; 0 if it is not.
  private func refusal(_ bytes: [UInt8]) throws -> Int32 {
    let file = try TemporaryFile(bytes)
    let descriptor = try openFile(file.path, O_RDONLY)
    defer { close(descriptor) }
    do throws(FileError) {
      _ = try DatabaseHeader(of: descriptor)
    } catch {
      return error.code
    }
    return 0
  }

  @Test(arguments: [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536])
  func `sizes are read`(pageBytes: Int) throws {
    var bytes = try database(pageBytes: pageBytes)
    bytes[20] = 32
    let file = try TemporaryFile(bytes)
    let descriptor = try openFile(file.path, O_RDONLY)
    defer { close(descriptor) }
    let header = try DatabaseHeader(of: descriptor)
    #expect(header.pageBytes == pageBytes)
    #expect(header.usableBytes == pageBytes - 32)
    #expect(header.pages == 2)
  }

  @Test(
    arguments: [
      (0, [0]), (14, [0x20]), (15, [1]),
      // The bytes of a page.
      (16, [0, 2]), (16, [1, 0]), (16, [0, 0]), (16, [0x10, 1]), (16, [0xff, 0xff]),
      // A pointer map, and a change after the one that the page count is of.
      (52, [0, 0, 0, 1]), (92, [0, 0, 0, 99]), (24, [0xff]),
    ] as [(Int, [UInt8])])
  func `an invalid header is refused`(place: Int, change: [UInt8]) throws {
    var bytes = try database()
    #expect(try refusal(bytes) == 0)
    bytes.replaceSubrange(place..<place + change.count, with: change)
    #expect(try refusal(bytes) == damagedFile)
  }

  @Test func `too many reserved bytes are refused`() throws {
    var bytes = try database(pageBytes: 512)
    bytes[20] = 32
    #expect(try refusal(bytes) == 0)
    bytes[20] = 33
    #expect(try refusal(bytes) == damagedFile)
  }

  @Test(arguments: [0, 1, 16, 99])
  func `a file without a whole header is refused`(count: Int) throws {
    #expect(try refusal(Array(database().prefix(count))) == damagedFile)
  }

  @Test(arguments: ["FULL", "INCREMENTAL"])
  func `a database that moves its pages is refused`(mode: String) throws {
    let bytes = try database(SQL(generated: "PRAGMA auto_vacuum = \(mode)"))
    #expect(try refusal(bytes) == damagedFile)
  }

  @Test func `an unreadable file is an error`() throws {
    let folder = try openFile("/", O_RDONLY)
    defer { close(folder) }
    let error = #expect(throws: FileError.self) { _ = try DatabaseHeader(of: folder) }
    #expect(error?.code == EISDIR)
  }

  @Test func `a new page count is that of a change`() throws {
    var bytes = try database()
    bytes.replaceSubrange(24..<28, with: [0xff, 0xff, 0xff, 0xff])
    bytes.replaceSubrange(92..<96, with: [0xff, 0xff, 0xff, 0xff])
    let file = try TemporaryFile(bytes)
    let descriptor = try openFile(file.path, O_RDWR)
    defer { close(descriptor) }
    try DatabaseHeader(of: descriptor).write(pages: 0x1020304, to: descriptor)
    #expect(try DatabaseHeader(of: descriptor).pages == 0x1020304)
    bytes.replaceSubrange(24..<32, with: [0, 0, 0, 0, 1, 2, 3, 4])
    bytes.replaceSubrange(92..<96, with: [0, 0, 0, 0])
    #expect(try descriptor.bytes(bytes.count + 1, at: 0) == bytes)
  }
}
