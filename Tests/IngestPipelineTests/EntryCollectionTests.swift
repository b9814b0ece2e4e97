import Glibc
import SQLiteSwiftly
import TestSupport
import Testing
import Vocabulary

@testable import Platform
@testable import SQLiteDestination

@Suite struct EntryCollectionTests {
  @Test func `a file that cannot be read is reported`() {
    #expect(throws: FileError(code: EBADF)) { try EntryCollection(Family.schema, for: -1) }
  }
}
