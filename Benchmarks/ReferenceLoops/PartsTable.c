#include "ReferenceLoops.h"

#include <sqlite3.h>
#include <stdlib.h>
#include "PartsTable.h"

/* A virtual table over rows in memory (https://www.sqlite.org/vtab.html), without indexes, constraints or
   writes. */

typedef struct {
  sqlite3_vtab base;
  const parts_in_memory *parts;
} parts_table;

typedef struct {
  sqlite3_vtab_cursor base;
  const reference_part *part, *end;
  const char *arena;
} parts_cursor;

static int table_connect(sqlite3 *connection, void *parts, int count, const char *const *arguments,
                         sqlite3_vtab **result, char **message) {
  (void)count, (void)arguments, (void)message;
  int code = sqlite3_declare_vtab(connection, "CREATE TABLE parts (a, b, c, d, e, f)");
  if (code != SQLITE_OK) return code;
  parts_table *table = calloc(1, sizeof(parts_table));
  if (!table) return SQLITE_NOMEM;
  table->parts = parts;
  *result = &table->base;
  return SQLITE_OK;
}

static int table_best_index(sqlite3_vtab *table, sqlite3_index_info *plan) {
  (void)table;
  plan->estimatedCost = 1;
  return SQLITE_OK;
}

static int table_disconnect(sqlite3_vtab *table) {
  free(table);
  return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *table, sqlite3_vtab_cursor **result) {
  (void)table;
  parts_cursor *cursor = calloc(1, sizeof(parts_cursor));
  if (!cursor) return SQLITE_NOMEM;
  *result = &cursor->base;
  return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *cursor) {
  free(cursor);
  return SQLITE_OK;
}

static int cursor_filter(sqlite3_vtab_cursor *base, int index, const char *name, int count,
                         sqlite3_value **values) {
  (void)index, (void)name, (void)count, (void)values;
  parts_cursor *cursor = (parts_cursor *)base;
  const parts_in_memory *parts = ((parts_table *)base->pVtab)->parts;
  cursor->part = parts->parts;
  cursor->end = parts->parts + parts->rows;
  cursor->arena = parts->arena;
  return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *cursor) {
  ((parts_cursor *)cursor)->part++;
  return SQLITE_OK;
}

static int cursor_is_at_end(sqlite3_vtab_cursor *base) {
  parts_cursor *cursor = (parts_cursor *)base;
  return cursor->part == cursor->end;
}

static int cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *result, int column) {
  parts_cursor *cursor = (parts_cursor *)base;
  const reference_part *part = cursor->part;
  switch (column) {
  case 0: sqlite3_result_int64(result, part->inventory_id); break;
  case 1:
    sqlite3_result_text(result, cursor->arena + part->part_num, (int)part->part_num_bytes,
                        SQLITE_STATIC);
    break;
  case 2: sqlite3_result_int64(result, part->color_id); break;
  case 3: sqlite3_result_int64(result, part->quantity); break;
  case 4: sqlite3_result_int64(result, part->is_spare); break;
  default:
    if (part->img_url_bytes < 0) {
      sqlite3_result_null(result);
    } else {
      sqlite3_result_text(result, cursor->arena + part->img_url, part->img_url_bytes,
                          SQLITE_STATIC);
    }
  }
  return SQLITE_OK;
}

static int cursor_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  parts_cursor *cursor = (parts_cursor *)base;
  *rowid = cursor->part - ((parts_table *)base->pVtab)->parts->parts;
  return SQLITE_OK;
}

int parts_table_register(sqlite3 *connection, const parts_in_memory *parts) {
  // Without xCreate, the table exists by its name alone.
  static const sqlite3_module module = {.xConnect = table_connect,
                                        .xBestIndex = table_best_index,
                                        .xDisconnect = table_disconnect,
                                        .xOpen = cursor_open,
                                        .xClose = cursor_close,
                                        .xFilter = cursor_filter,
                                        .xNext = cursor_next,
                                        .xEof = cursor_is_at_end,
                                        .xColumn = cursor_column,
                                        .xRowid = cursor_rowid};
  return sqlite3_create_module(connection, REFERENCE_PARTS_TABLE, &module, (void *)parts);
}
