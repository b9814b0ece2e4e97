@testable import SQLiteDestination
@testable import Platform
import Glibc
import TestSupport
import Testing

@Suite struct EntryCollectionTests {
  @Test func `a file that cannot be read is reported`() {
    #expect(throws: FileError(code: EBADF)) { try EntryCollection(Family.schema, for: -1) }
  }
}
