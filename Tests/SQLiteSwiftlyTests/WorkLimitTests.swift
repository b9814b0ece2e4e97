import SQLiteSwiftly
import Testing

struct WorkLimitTests {
  static let extremes = [Int.min, -1, 0, 1, .max]

  @Test(arguments: extremes, extremes) func `a limit may be any number`(
    steps: Int, pages: Int
  ) throws {
    let connection = try Connection.inMemory(with: words)
    try connection.bulkInsert(intoTable: words) { for id in 0..<5000 { try $0.append(id, "x") } }
    let code = connection.limitingWork(to: WorkLimit(steps: steps, pages: pages)) {
      () -> SQLiteError.ResultCode? in
      do throws(SQLiteError) {
        _ = try connection.query("SELECT sum(length(word)) FROM words")
        return nil
      } catch { return error.code }
    }
    #expect(code == (steps == .max && pages == .max ? nil : .interrupted))
    #expect(try connection.value(of: "SELECT count(*) FROM words") == 5000)
  }
}
