@testable import Vocabulary
import TestSupport
import Testing

@Suite struct TemporaryFoldersTests {
  @Test func `only a folder that can be written has bytes to spare`() throws {
    let workplace = try Workplace()
    #expect(TemporaryFolders.spareBytes(in: workplace.path) > 1 << 10)
    #expect(TemporaryFolders.spareBytes(in: workplace.path + "/nowhere") == 0)
    #expect(TemporaryFolders.spareBytes(in: "/proc") == 0)
  }
}
