#pragma once
#include <sqlite3.h>

/* Wrappers for calls that Swift cannot make: variadic functions, and the macros for destructors,
   which cast integers to function pointers. */

/// Binds a copy of bytes as text (SQLITE_TRANSIENT).
/// A count of 0 binds the empty string, where a null pointer would bind NULL.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes,
                                    sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, count ? (const char *)bytes : "", count,
                             SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes as text without a copy (SQLITE_STATIC): they must not move until the statement is
/// bound again or finalized. The pointer must not be null, even for a count of 0.
static inline int csqlite_bind_static_text(sqlite3_stmt *statement, int index, const void *bytes,
                                           sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_STATIC, SQLITE_UTF8);
}

/// Binds a copy of bytes as a blob, as above; a count of 0 binds the empty blob.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                    sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Sets the result of a function, or the value of a virtual table's column, to text; without a copy, the bytes must not
/// move until the statement is reset.
static inline void csqlite_result_text(sqlite3_context *context, const void *bytes,
                                       sqlite3_uint64 count, int isCopied) {
  sqlite3_result_text64(context, count ? (const char *)bytes : "", count,
                        isCopied ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
}

/// Sets it to a blob, as above; a count of 0 is the empty blob.
static inline void csqlite_result_blob(sqlite3_context *context, const void *bytes,
                                       sqlite3_uint64 count, int isCopied) {
  sqlite3_result_blob64(context, count ? bytes : "", count,
                        isCopied ? SQLITE_TRANSIENT : SQLITE_STATIC);
}

/// Makes an unknown name in double quotes an error; SQLite would otherwise read it as text
/// (https://www.sqlite.org/quirks.html#dblquote).
static inline void csqlite_disable_double_quoted_text(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}

/// Makes the schema of a file unable to run anything that could harm: no view or trigger is used, no
/// function or virtual table that is not harmless (https://www.sqlite.org/security.html).
static inline void csqlite_distrust_schema(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/// Stops SQLite from counting allocations, which takes a process-wide lock for each of them.
/// Has an effect only before the first use of the library.
static inline int csqlite_disable_memory_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// The byte offset of the error in the last compiled statement; -1 if unknown
/// (https://www.sqlite.org/c3ref/errcode.html), as always before SQLite 3.38.
static inline int csqlite_error_offset(sqlite3 *connection) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_error_offset(connection);
#else
  (void)connection;
  return -1;
#endif
}

/// The rows that a virtual table serves; the pointers are set only while a statement runs.
typedef struct {
  const sqlite3_int64 *values;
  const unsigned char *classes;
  const unsigned char *text;
  sqlite3_int64 text_bytes;
  int rows;
  int columns;
  /// The current row, to identify the row at which a statement failed; -1 before the first.
  int current;
} csqlite_rows;

/// A virtual table over such rows. SQLite's own part must come first.
typedef struct {
  sqlite3_vtab base;
  csqlite_rows *rows;
} csqlite_rows_table;

/// A cursor over such a table.
typedef struct {
  sqlite3_vtab_cursor base;
  csqlite_rows *rows;
} csqlite_rows_cursor;

/// Writes a number as SQLite converts it to text, which needs fewer than 64 bytes.
static inline void csqlite_format_real(char *text, int size, double value) {
  sqlite3_snprintf(size, text, "%!.15g", value);
}
