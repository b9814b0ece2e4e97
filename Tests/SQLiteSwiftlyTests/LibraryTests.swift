import SQLiteSwiftly
import Testing

struct LibraryTests {
  @Test("SK-33 the library reports its version, which a program can compare") func version() throws
  {
    let connection = try Connection.inMemory()
    #expect(
      try connection.query("SELECT sqlite_version(), sqlite_source_id()") == [
        [.text(SQLiteLibrary.version), .text(SQLiteLibrary.sourceID)]
      ])
    let parts = SQLiteLibrary.version.split(separator: ".").compactMap { Int($0) }
    #expect(
      parts.count == 3
        && SQLiteLibrary.versionNumber == parts[0] * 1_000_000 + parts[1] * 1000 + parts[2])
    // Below that there are no STRICT tables.
    #expect(SQLiteLibrary.versionNumber >= 3_037_000)
  }

  @Test("SK-33 the library reports its build options") func options() throws {
    let listed = try Connection.inMemory().texts("PRAGMA compile_options")
    #expect(SQLiteLibrary.compileOptions == listed.compactMap(\.self) && !listed.isEmpty)
    #expect(SQLiteLibrary.isThreadSafe == !SQLiteLibrary.compileOptions.contains("THREADSAFE=0"))
  }

  @Test("SK-34 a missing function is an error") func unknownFunction() throws {
    let connection = try Connection.inMemory()
    let error = try failure { _ = try connection.query("SELECT json_of_tomorrow('[]')") }
    #expect(error.code == .error && error.message == "no such function: json_of_tomorrow")
  }
}
