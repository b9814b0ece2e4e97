import Testing

@testable import SQLiteSwiftly

struct CacheTests {
  @Test func `pages that are not in the cache are counted when they are read again`() throws {
    let workplace = try Workplace()
    let connection = try Connection(workplace.path + "/file", opening: .createNew)
    try connection.set(.pageSize, to: 4096)
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB)")
    try connection.execute(
      """
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 500)
      INSERT INTO t SELECT n, zeroblob(4000) FROM number
      """)
    let readAll: SQL = "SELECT sum(length(b)) FROM t"
    // A page for each row at least, and room for a tenth of them.
    try connection.set(.cacheSize, to: .pages(50))
    _ = try connection.query(readAll)
    let misses = try connection.cacheMisses
    _ = try connection.query(readAll)
    #expect(try connection.cacheMisses - misses >= 500)
    try connection.set(.cacheSize, to: .pages(2000))
    _ = try connection.query(readAll)
    let last = try connection.cacheMisses
    _ = try connection.query(readAll)
    #expect(try connection.cacheMisses == last)
  }
}
