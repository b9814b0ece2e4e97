import Platform
import Foundation
import Glibc
import TestSupport
import Testing

struct FileReaderTests {
  @Test func `a missing file is ENOENT`() throws {
    let error = #expect(throws: FileError.self) {
      _ = try FileReader(path: "/nowhere/colors.csv.gz")
    }
    #expect(error?.code == ENOENT)
    #expect(error?.message == "No such file or directory")
  }

  @Test func `a folder is EISDIR`() throws {
    let error = #expect(throws: FileError.self) { _ = try FileReader(path: "/tmp") }
    #expect(error?.code == EISDIR)
  }

  @Test(arguments: [1, 2, 3, 10, 11, 64])
  func `a file is read to its end`(size: Int) throws {
    let expected = Array("0123456789".utf8)
    let temporary = try TemporaryFile(expected)
    var file = try FileReader(path: temporary.path)
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: size)
    var count = 0
    repeat {
      var room = piece.mutableSpan
      count = try file.read(into: &room)
      bytes += piece[..<count]
    } while count == size
    #expect(bytes == expected)
  }

  /// A pipe returns the available bytes, so each of its reads is short.
  @Test(.timeLimit(.minutes(10)))
  func `short reads are continued`() throws {
    let pipe = Pipe()
    let writer = pipe.fileHandleForWriting
    Thread.detachNewThread {
      for piece in ["red", ",", "blue", "\n"] {
        writer.write(Data(piece.utf8))
        usleep(5_000)
      }
      writer.closeFile()
    }
    var file = try FileReader(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    var bytes = [UInt8](repeating: 0, count: 100)
    var room = bytes.mutableSpan
    let count = try file.read(into: &room)
    #expect(String(decoding: bytes[..<count], as: UTF8.self) == "red,blue\n")
  }

  /// The first page of a process is never mapped, so reading its memory from there fails.
  @Test func `an error of the operating system is not an end of file`() throws {
    let path = "/proc/self/mem"
    var file = try FileReader(path: path)
    var bytes = [UInt8](repeating: 0, count: 16)
    var room = bytes.mutableSpan
    var code: Int32?
    do { _ = try file.read(into: &room) } catch { code = error.code }
    #expect(code == EIO)
  }
}
