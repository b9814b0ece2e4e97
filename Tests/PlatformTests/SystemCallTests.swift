import Platform
import Foundation
import Glibc
import TestSupport
import Testing

/// The system's information about files.
@Suite struct SystemCallTests {
  @Test func `a missing path differs from an unreadable one`() throws {
    let file = try TemporaryFile(Array("text".utf8))
    #expect(try status(of: file.path + ".nothing") == nil)
    #expect(try status(of: file.path)?.st_size == 4)
    #expect(try status(of: file.path + "/nothing") == nil)
    let loop = file.path + ".loop"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    defer { try? FileManager.default.removeItem(atPath: loop) }
    let error = #expect(throws: FileError.self) { try status(of: loop) }
    #expect(error?.code == ELOOP)
    #expect(try status(of: loop, followsLinks: false) != nil)
  }

  @Test func `an open file has a size, and a descriptor of nothing has none`() throws {
    let file = try TemporaryFile(Array("text".utf8))
    let descriptor = try openFile(file.path, O_RDONLY)
    defer { close(descriptor) }
    #expect(try fileSize(of: descriptor) == 4)
    #expect(throws: FileError(code: EBADF)) { try fileSize(of: -1) }
  }

  @Test func `bytes from the middle of a file end with it, and an error is not an end`() throws {
    let file = try TemporaryFile(Array("0123456789".utf8))
    let descriptor = try openFile(file.path, O_RDONLY)
    defer { close(descriptor) }
    for (count, offset, text) in [(4, 0, "0123"), (4, 8, "89"), (4, 10, ""), (0, 3, "")] {
      #expect(try descriptor.bytes(count, at: offset) == Array(text.utf8))
    }
    let folder = try openFile(parentFolder(of: file.path), O_RDONLY)
    defer { close(folder) }
    let error = #expect(throws: FileError.self) { try folder.bytes(1, at: 0) }
    #expect(error?.code == EISDIR)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
      (1_763_744_463, "2025-11-21T17:01:03Z"), (4_294_967_295, "2106-02-07T06:28:15Z"),
    ])
  func `times are written in ISO 8601`(seconds: Int, text: String) {
    #expect(utc(seconds) == text)
  }
}
