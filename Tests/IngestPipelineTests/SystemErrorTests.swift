@testable import Vocabulary
import Glibc
import Testing

/// What is made of an error of the system.
@Suite struct SystemErrorTests {
  @Test(
    arguments: [
      (EIO, IngestError.Kind.inputOutput), (ENOSPC, .inputOutput), (EDQUOT, .inputOutput),
      (EFBIG, .inputOutput), (EMFILE, .inputOutput), (ENFILE, .inputOutput),
      (ENOMEM, .inputOutput), (EINTR, .inputOutput), (EACCES, .output), (EPERM, .output),
      (EROFS, .output), (ENOENT, .output), (ENOTDIR, .output), (ELOOP, .output),
      (ENAMETOOLONG, .output), (EEXIST, .output),
    ])
  func `machine failures are distinguished from path errors`(code: Int32, kind: IngestError.Kind) {
    #expect(IngestError.Kind.of(code, otherwise: .output) == kind)
    #expect(
      IngestError.Kind.of(code, otherwise: .inputMissing)
        == (kind == .output ? .inputMissing : kind))
  }
}
