import Foundation
import Gzip
import Testing

@testable import IngestPipeline

/// What the system says of a file, and what is made of it.
@Suite struct SystemErrorTests {
  @Test(
    arguments: [
      (EIO, IngestError.Kind.inputOutput), (ENOSPC, .inputOutput), (EDQUOT, .inputOutput),
      (EFBIG, .inputOutput), (EMFILE, .inputOutput), (ENFILE, .inputOutput),
      (ENOMEM, .inputOutput), (EINTR, .inputOutput), (EACCES, .output), (EPERM, .output),
      (EROFS, .output), (ENOENT, .output), (ENOTDIR, .output), (ELOOP, .output),
      (ENAMETOOLONG, .output), (EEXIST, .output),
    ])
  func `a fault of the machine is told from one of a path`(code: Int32, kind: IngestError.Kind) {
    #expect(IngestError.Kind.of(code, otherwise: .output) == kind)
    #expect(
      IngestError.Kind.of(code, otherwise: .inputMissing)
        == (kind == .output ? .inputMissing : kind))
  }

  @Test func `nothing at a path is told from what cannot be looked at`() throws {
    let workplace = try Workplace()
    #expect(try status(of: workplace.path + "/nothing") == nil)
    try workplace.write("file", "text")
    #expect(try status(of: workplace.path + "/dumps/file")?.st_size == 4)
    #expect(try status(of: workplace.path + "/dumps/file/nothing") == nil)
    try FileManager.default.createSymbolicLink(
      atPath: workplace.path + "/loop", withDestinationPath: "loop")
    let error = #expect(throws: FileError.self) { try status(of: workplace.path + "/loop") }
    #expect(error?.code == ELOOP)
    #expect(try status(of: workplace.path + "/loop", followsLinks: false) != nil)
  }

  @Test func `bytes from the middle of a file end with it, and a fault is no end`() throws {
    let workplace = try Workplace()
    try workplace.write("file", "0123456789")
    let descriptor = openFile(workplace.path + "/dumps/file", O_RDONLY)
    defer { close(descriptor) }
    for (count, offset, text) in [(4, 0, "0123"), (4, 8, "89"), (4, 10, ""), (0, 3, "")] {
      #expect(try descriptor.bytes(count, at: offset) == Array(text.utf8))
    }
    let folder = openFile(workplace.path, O_RDONLY)
    defer { close(folder) }
    let error = #expect(throws: FileError.self) { try folder.bytes(1, at: 0) }
    #expect(error?.code == EISDIR)
  }
}
