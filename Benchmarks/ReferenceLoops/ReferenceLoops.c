#include "ReferenceLoops.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include "PartsTable.h"

struct reference_database {
  sqlite3 *connection;
  sqlite3_stmt *statement;
  parts_in_memory parts;
};

int reference_count_memory(int on) {
  // The library takes the setting only while it is not in use.
  int code = sqlite3_shutdown();
  if (code == SQLITE_OK) code = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, on);
  return code == SQLITE_OK ? sqlite3_initialize() : code;
}

int reference_open(const char *path, const char *setup, reference_database **database) {
  *database = calloc(1, sizeof(reference_database));
  if (!*database) return SQLITE_NOMEM;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  int code = sqlite3_open_v2(path, &(*database)->connection, flags, NULL);
  if (code == SQLITE_OK) code = parts_table_register((*database)->connection, &(*database)->parts);
  if (code != SQLITE_OK) return code;
  return sqlite3_exec((*database)->connection, setup, NULL, NULL, NULL);
}

int reference_prepare(reference_database *database, const char *sql) {
  sqlite3_finalize(database->statement);
  return sqlite3_prepare_v3(database->connection, sql, -1, SQLITE_PREPARE_PERSISTENT,
                            &database->statement, NULL);
}

static int begin(reference_database *database) {
  return sqlite3_exec(database->connection, "BEGIN IMMEDIATE", NULL, NULL, NULL);
}

static int commit(reference_database *database) {
  return sqlite3_exec(database->connection, "COMMIT", NULL, NULL, NULL);
}

int reference_insert_integers(reference_database *database, const int64_t *values, size_t rows,
                              int columns) {
  sqlite3_stmt *statement = database->statement;
  int code = begin(database);
  for (size_t row = 0; row < rows && code == SQLITE_OK; row++, values += columns) {
    for (int column = 0; column < columns; column++) {
      code |= sqlite3_bind_int64(statement, column + 1, values[column]);
    }
    if (code != SQLITE_OK) return code;
    // The reset returns the code of a step that failed.
    sqlite3_step(statement);
    code = sqlite3_reset(statement);
  }
  return code == SQLITE_OK ? commit(database) : code;
}

/// Binds the columns of a part to the parameters behind `parameter`.
static inline int bind_part(sqlite3_stmt *statement, int parameter, const reference_part *part,
                            const char *arena) {
  int code = sqlite3_bind_int64(statement, parameter + 1, part->inventory_id);
  code |= sqlite3_bind_text(statement, parameter + 2, arena + part->part_num,
                            (int)part->part_num_bytes, SQLITE_STATIC);
  code |= sqlite3_bind_int64(statement, parameter + 3, part->color_id);
  code |= sqlite3_bind_int64(statement, parameter + 4, part->quantity);
  code |= sqlite3_bind_int64(statement, parameter + 5, part->is_spare);
  code |= part->img_url_bytes < 0
              ? sqlite3_bind_null(statement, parameter + 6)
              : sqlite3_bind_text(statement, parameter + 6, arena + part->img_url,
                                  part->img_url_bytes, SQLITE_STATIC);
  return code;
}

int reference_insert_parts(reference_database *database, const reference_part *parts, size_t rows,
                           const uint8_t *arena, size_t rows_per_statement) {
  sqlite3_stmt *statement = database->statement;
  if (rows % rows_per_statement != 0) return SQLITE_MISUSE;
  int code = begin(database);
  for (size_t row = 0; row < rows && code == SQLITE_OK; row += rows_per_statement) {
    for (size_t index = 0; index < rows_per_statement; index++) {
      code |= bind_part(statement, (int)index * 6, &parts[row + index], (const char *)arena);
    }
    if (code != SQLITE_OK) return code;
    sqlite3_step(statement);
    code = sqlite3_reset(statement);
  }
  return code == SQLITE_OK ? commit(database) : code;
}

int reference_insert_parts_from_table(reference_database *database, const reference_part *parts,
                                      size_t rows, const uint8_t *arena, size_t rows_per_statement) {
  int code = begin(database);
  for (size_t row = 0; row < rows && code == SQLITE_OK; row += rows_per_statement) {
    size_t left = rows - row;
    database->parts = (parts_in_memory){
        .parts = parts + row,
        .rows = left < rows_per_statement ? left : rows_per_statement,
        .arena = (const char *)arena};
    sqlite3_step(database->statement);
    code = sqlite3_reset(database->statement);
  }
  return code == SQLITE_OK ? commit(database) : code;
}

int reference_read_integers(reference_database *database, int columns, reference_sums *sums) {
  sqlite3_stmt *statement = database->statement;
  reference_sums result = {0};
  while (sqlite3_step(statement) == SQLITE_ROW) {
    result.rows++;
    for (int column = 0; column < columns; column++) {
      result.integers += sqlite3_column_int64(statement, column);
    }
  }
  *sums = result;
  return sqlite3_reset(statement);
}

/// The length of a text that has been read, as one must read it to use it.
static inline int text_bytes(sqlite3_stmt *statement, int column) {
  const unsigned char *text = sqlite3_column_text(statement, column);
  return text ? sqlite3_column_bytes(statement, column) : 0;
}

int reference_read_parts(reference_database *database, reference_sums *sums) {
  sqlite3_stmt *statement = database->statement;
  reference_sums result = {0};
  while (sqlite3_step(statement) == SQLITE_ROW) {
    result.rows++;
    result.integers += sqlite3_column_int64(statement, 0);
    result.text_bytes += text_bytes(statement, 1);
    result.integers += sqlite3_column_int64(statement, 2);
    result.integers += sqlite3_column_int64(statement, 3);
    result.integers += sqlite3_column_int64(statement, 4);
    result.text_bytes += text_bytes(statement, 5);
  }
  *sums = result;
  return sqlite3_reset(statement);
}

/// A part as a program keeps it, whose texts are its own; NULL has none.
typedef struct {
  int64_t inventory_id, color_id, quantity;
  int is_spare;
  char *part_num, *img_url;
} part_model;

/// Copies a text of the row.
static inline char *copied_text(sqlite3_stmt *statement, int column) {
  const unsigned char *text = sqlite3_column_text(statement, column);
  if (!text) return NULL;
  size_t bytes = (size_t)sqlite3_column_bytes(statement, column);
  char *copy = malloc(bytes + 1);
  return copy ? memcpy(copy, text, bytes + 1) : NULL;
}

int reference_read_part_models(reference_database *database, reference_sums *sums) {
  sqlite3_stmt *statement = database->statement;
  size_t count = 0, capacity = 0;
  part_model *parts = NULL;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 16;
      part_model *grown = realloc(parts, capacity * sizeof(part_model));
      if (!grown) break;
      parts = grown;
    }
    parts[count++] = (part_model){
        .inventory_id = sqlite3_column_int64(statement, 0),
        .part_num = copied_text(statement, 1),
        .color_id = sqlite3_column_int64(statement, 2),
        .quantity = sqlite3_column_int64(statement, 3),
        .is_spare = sqlite3_column_int64(statement, 4) != 0,
        .img_url = copied_text(statement, 5)};
  }
  reference_sums result = {.rows = (int64_t)count};
  for (size_t row = 0; row < count; row++) {
    part_model part = parts[row];
    result.integers += part.inventory_id + part.color_id + part.quantity + part.is_spare;
    result.text_bytes += part.part_num ? (int64_t)strlen(part.part_num) : 0;
    result.text_bytes += part.img_url ? (int64_t)strlen(part.img_url) : 0;
    free(part.part_num);
    free(part.img_url);
  }
  free(parts);
  *sums = result;
  return sqlite3_reset(statement);
}

int reference_query_sums(reference_database *database, const char *sql, reference_sums *sums) {
  sqlite3_stmt *statement;
  int code = sqlite3_prepare_v2(database->connection, sql, -1, &statement, NULL);
  if (code != SQLITE_OK) return code;
  if (sqlite3_step(statement) == SQLITE_ROW) {
    sums->rows = sqlite3_column_int64(statement, 0);
    sums->integers = sqlite3_column_int64(statement, 1);
    sums->text_bytes = sqlite3_column_int64(statement, 2);
  }
  return sqlite3_finalize(statement);
}

const char *reference_message(reference_database *database) {
  return sqlite3_errmsg(database ? database->connection : NULL);
}

void reference_close(reference_database *database) {
  if (!database) return;
  sqlite3_finalize(database->statement);
  sqlite3_close(database->connection);
  free(database);
}
