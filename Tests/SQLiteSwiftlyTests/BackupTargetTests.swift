import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

/// The uses that the target of a backup refuses or accepts until it has ended.
struct BackupTargetTests {
  private func refusal(of sql: String? = nil) -> SQLiteError {
    SQLiteError(.busy, "the connection is the target of a running backup", sql: sql)
  }

  private func makeSource() throws -> Connection {
    let source = try Connection.inMemory()
    try source.execute("CREATE TABLE t (a, b)")
    try source.execute("INSERT INTO t SELECT value, zeroblob(3000) FROM json_each('[1, 2, 3, 4]')")
    return source
  }

  @Test func `the target refuses every use, and the backup continues`() throws {
    try withFolder { folder in
      let path = folder + "/a.sqlite"
      let (source, target) = (try makeSource(), try Connection(path, opening: .createNew))
      var select = try target.prepare("SELECT 1")
      let store = DataStore(target)
      let uses: [() throws -> Void] = [
        { try target.close() }, { try store.close() }, { try target.execute("CREATE TABLE u (a)") },
        { _ = try target.changes }, { try target.transaction {} },
        { try source.backUp(into: target) }, { try target.backUp(into: .inMemory()) },
      ]
      var outcomes: [any Error] = []
      var files: [Result<[String], any Error>] = []
      try source.backUp(into: target, pagesPerStep: 2) { progress in
        for use in uses {
          do { try use() } catch { outcomes.append(error) }
        }
        do { _ = try select.query() } catch { outcomes.append(error) }
        files.append(Result { try openFiles(below: folder) })
      }
      #expect(!files.isEmpty && outcomes.count == files.count * (uses.count + 1))
      let one = refusal()
      let each = [one, one, refusal(of: "CREATE TABLE u (a)"), one, one, one, one, one]
      let all = Array(repeatElement(each, count: files.count).joined())
      #expect(outcomes.map { $0 as? SQLiteError } == all)
      #expect(try files.allSatisfy { try $0.get().contains(path) })
      #expect(try target.value(of: "SELECT count(*) FROM t") == 4)
      #expect(try select.query() == [[1]])
      select.close()
      try target.close()
      #expect(try openFiles(below: folder) == [])
    }
  }

  @Test func `the target's busy timeout may be set in between`() throws {
    let (source, target) = (try makeSource(), try Connection.inMemory())
    try source.backUp(into: target, pagesPerStep: 2) { _ in
      target.busyTimeout = .milliseconds(1234)
    }
    #expect(target.busyTimeout == .milliseconds(1234))
    #expect(try target.value(of: "PRAGMA busy_timeout") == 1234)
  }

  @Test func `the target's trace handler receives refusals, and may not use the target`() throws {
    let (source, target) = (try makeSource(), try Connection.inMemory())
    var refusals: [SQLiteError?] = []
    target.traceHandler = { _ in
      do throws(SQLiteError) { try target.close() } catch { refusals.append(error) }
    }
    try source.backUp(into: target, pagesPerStep: 100) { _ in }
    #expect(refusals == [])
    try source.backUp(into: target, pagesPerStep: 2) { _ in
      do throws(SQLiteError) { try target.execute("CREATE TABLE u (a)") } catch {
        refusals.append(error)
      }
    }
    let misuse = SQLiteError(.misuse, "the connection cannot be used in its own trace handler")
    #expect(Array(refusals.prefix(2)) == [misuse, refusal(of: "CREATE TABLE u (a)")])
    target.traceHandler = nil
    try target.close()
  }
}
