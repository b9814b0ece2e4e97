import Foundation
import TestSupport
import Testing

/// SQLite rolls back a transaction if the disk is full or fails, or memory is short.
///
/// Later inserts would then be committed row by row.
@Suite struct InsertFailureTests {
  /// A preloaded library: one insert rolls back and fails, and later ones are recorded.
  private static let failer = """
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
    """

  @Test(arguments: [
    ("SQLITE_FULL", 13, 74), ("SQLITE_IOERR", 10, 74), ("SQLITE_NOMEM", 7, 74),
    ("SQLITE_CORRUPT", 11, 74), ("SQLITE_INTERRUPT", 9, 70),
  ])
  func `a failed insert stops all inserts`(
    name: String, code: Int, status: Int32
  ) throws {
    let command = try Command()
    #expect(try command.load(Command.fixtures + "/dumps-2020", "--quiet").status == 0)
    let before = try command.bytesOfCatalog()
    try Data(Self.failer.utf8).write(to: URL(fileURLWithPath: command.folder + "/failer.c"))
    let script = """
      clang -shared -fPIC -o failer.so failer.c -ldl 2>&1 || exit 99
      export FAILS_WITH=$3 LD_PRELOAD=$PWD/failer.so
      exec "$0" --source "$1" --out "$2" --quiet 2>stderr.txt
      """
    let ended = try command.shell(
      script, [Command.fixtures + "/dumps", command.catalog, "\(code)"])
    let errors = try String(contentsOfFile: command.folder + "/stderr.txt", encoding: .utf8)
    #expect(ended == status, "\(errors)")
    #expect(errors.contains("(\(name), \(code))"), "\(errors)")
    #expect(try command.bytesOfCatalog() == before)
    #expect(
      try command.names() == ["catalog.sqlite", "failer.c", "failer.so", "stderr.txt"],
      "there is a file 'later' if another statement was run")
  }
}
