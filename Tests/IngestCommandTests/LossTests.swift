import Foundation
import TestSupport
import Testing

/// Rows that are lost without an error: the command must detect it by its counts.
@Suite struct LossTests {
  /// A preloaded library that deletes a row before the statistics are collected.
  private static let loser = preloadedLibrary(
    "losing-row",
    """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <sqlite3.h>
    #include <string.h>

    int sqlite3_step(sqlite3_stmt *statement) {
      static int (*step)(sqlite3_stmt *);
      static int done;
      if (!step) step = (int (*)(sqlite3_stmt *))dlsym(RTLD_NEXT, "sqlite3_step");
      const char *sql = sqlite3_sql(statement);
      if (!done && sql && !strncmp(sql, "ANALYZE", 7)) {
        done = 1;
        sqlite3_exec(sqlite3_db_handle(statement),
          "DELETE FROM inventory_sets WHERE quantity IN (SELECT max(quantity) FROM inventory_sets)",
          0, 0, 0);
      }
      return step(statement);
    }
    """)

  @Test func `a lost row fails the run with status 70`() throws {
    let command = try Command()
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let result = try command.run(
      ["--source", FixtureCatalog.today.dumps, "--out", command.catalog], preloading: Self.loser)
    #expect(result.status == 70 && result.output == "", "\(result)")
    #expect(
      result.errors.contains(
        /ingest: accounts-unbalanced: .*inventory_sets has \d+ rows, but \d+ were inserted/))
    #expect(try command.bytesOfCatalog() == before)
    #expect(try command.names() == ["catalog.sqlite"])
  }
}
