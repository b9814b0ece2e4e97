import Foundation
import TestSupport
import Testing

/// SQLite rolls back a transaction if the disk is full or fails, or memory is short.
///
/// Later inserts would then be committed row by row.
@Suite struct InsertFailureTests {
  /// A preloaded library: one insert rolls back and fails, and later ones are recorded.
  private static let failer = preloadedLibrary(
    "failing-insert",
    """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <sqlite3.h>
    #include <stdlib.h>
    #include <string.h>
    #include <unistd.h>

    int sqlite3_step(sqlite3_stmt *statement) {
      static int (*step)(sqlite3_stmt *);
      static int inserts;
      static sqlite3 *failed;
      if (!step) step = (int (*)(sqlite3_stmt *))dlsym(RTLD_NEXT, "sqlite3_step");
      const char *sql = sqlite3_sql(statement);
      if (failed && failed == sqlite3_db_handle(statement) && sql
          && strncmp(sql, "ROLLBACK", 8)) {
        int file = open("later", O_CREAT | O_WRONLY | O_APPEND, 0666);
        write(file, sql, strlen(sql));
        close(file);
      }
      if (sql && !strncmp(sql, "INSERT", 6) && ++inserts == 3) {
        sqlite3_exec(sqlite3_db_handle(statement), "ROLLBACK", 0, 0, 0);
        failed = sqlite3_db_handle(statement);
        return atoi(getenv("FAILS_WITH"));
      }
      return step(statement);
    }
    """)

  @Test(arguments: [
    ("SQLITE_FULL", 13, 74), ("SQLITE_IOERR", 10, 74), ("SQLITE_NOMEM", 7, 74),
    ("SQLITE_CORRUPT", 11, 74), ("SQLITE_INTERRUPT", 9, 70),
  ])
  func `a failed insert stops all inserts`(
    name: String, code: Int, status: Int32
  ) throws {
    let command = try Command()
    try FixtureCatalog.older.put(at: command.catalog)
    let before = try command.bytesOfCatalog()
    let result = try command.run(
      ["--source", FixtureCatalog.today.dumps, "--out", command.catalog, "--quiet"],
      preloading: Self.failer, "FAILS_WITH=\(code)")
    #expect(result.status == status && result.errors.contains("(\(name), \(code))"), "\(result)")
    #expect(try command.bytesOfCatalog() == before)
    // There is a file `later` if another statement was run.
    #expect(try command.names() == ["catalog.sqlite"])
  }
}
