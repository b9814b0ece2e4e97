#pragma once
#include <stddef.h>
#include <stdint.h>

/* What the SQLite layer is compared with: the same work, written straight on SQLite's interface as
   for best speed. Functions that can fail return SQLite's result code. */

/// The name of a virtual table over the parts of `reference_insert_parts_from_table`, in the order of the
/// columns of `inventory_parts`.
#define REFERENCE_PARTS_TABLE "reference_parts"

/// A connection and the one prepared statement that its loop runs.
typedef struct reference_database reference_database;

/// A row in the shape of `inventory_parts`. Texts stand in an arena of the caller's.
typedef struct {
  int64_t inventory_id;
  int64_t color_id;
  int64_t quantity;
  int64_t is_spare;
  uint32_t part_num;
  uint32_t part_num_bytes;
  uint32_t img_url;
  /// -1 for NULL.
  int32_t img_url_bytes;
} reference_part;

/// What tells whether rows came through: their number, the sum of all integers in them, and the sum
/// of the lengths of all texts in bytes.
typedef struct {
  int64_t rows;
  int64_t integers;
  int64_t text_bytes;
} reference_sums;

/// Switches SQLite's counting of its memory on or off, for all sides alike. No connection may be open.
int reference_count_memory(int on);

/// Opens a new database, runs `setup` on it, and gives it to the caller, who must close it, also
/// after a failure.
int reference_open(const char *path, const char *setup, reference_database **database);

/// Prepares the statement of the loops that follow.
int reference_prepare(reference_database *database, const char *sql);

/// Inserts rows of integers, which stand one after the other, in one transaction.
int reference_insert_integers(reference_database *database, const int64_t *values, size_t rows,
                              int columns);

/// Inserts parts in one transaction, by a statement that takes `rows_per_statement` of them at a time;
/// their number must be a multiple of that. The arena must stay where it is until the database is
/// closed.
int reference_insert_parts(reference_database *database, const reference_part *parts, size_t rows,
                           const uint8_t *arena, size_t rows_per_statement);

/// Inserts parts in one transaction, by a statement that reads them from `REFERENCE_PARTS_TABLE`, which
/// serves `rows_per_statement` of them with each run.
int reference_insert_parts_from_table(reference_database *database, const reference_part *parts,
                                      size_t rows, const uint8_t *arena, size_t rows_per_statement);

/// Reads all rows of integers.
int reference_read_integers(reference_database *database, int columns, reference_sums *sums);

/// Reads all rows of `inventory_parts`, in the order of its columns.
int reference_read_parts(reference_database *database, reference_sums *sums);

/// Reads all rows of `inventory_parts` into an array of parts with texts of their own, adds up what is in
/// them, and frees them.
int reference_read_part_models(reference_database *database, reference_sums *sums);

/// Reads the three sums from a query that computes them.
int reference_query_sums(reference_database *database, const char *sql, reference_sums *sums);

/// The message of the last failure, valid until the next call.
const char *reference_message(reference_database *database);

/// Closes the database.
void reference_close(reference_database *database);
