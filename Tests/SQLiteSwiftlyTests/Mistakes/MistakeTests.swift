import SQLiteSwiftly
import SQLiteSwiftlyData
import Testing

struct MistakeTests {
  @Test(arguments: messages)
  func `SW-61 SW-62 SW-63 X-13 a mistake prints what, where and what to do`(
    mistake: Mistake
  ) throws {
    try check(mistake)
  }

  @Test(arguments: misuses)
  func `SW-62 a misuse is an error or does no harm`(mistake: Mistake) throws { try check(mistake) }

  private func check(_ mistake: Mistake) throws {
    let (outcome, isUsable) = try mistake.happen()
    #expect(outcome == mistake.expected)
    #expect(isUsable)
  }

  @Test func `mistakes with a pool`() async throws {
    try await withPool { pool, _ in
      let write = try await refusal { try await pool.read { try $0.execute("DELETE FROM t") } }
      #expect(
        "\(write)" == "attempt to write a readonly database; only the pool's write can write "
          + "(SQLITE_READONLY, 8) in: DELETE FROM t")
      let close = try await refusal { try await pool.read { try $0.close() } }
      #expect("\(close)" == "the connection belongs to a pool, which closes it (SQLITE_MISUSE, 21)")
      try await pool.close()
      let closed = try await refusal { try await pool.read { _ in } }
      #expect("\(closed)" == "the pool is closed (SQLITE_MISUSE, 21)")
    }
  }

  static let messages = [
    opening, locks, statements, constraints, failures, reading, writing, migrations,
  ].flatMap(\.self)

  static let misuses = [
    sqlMisuses, parameterMisuses, statementMisuses, rowMisuses, transactionMisuses,
    descriptionMisuses, schemaMisuses, insertMisuses, bulkMisuses, helperMisuses,
    migrationMisuses, settingMisuses, otherMisuses,
  ].flatMap(\.self)
}
