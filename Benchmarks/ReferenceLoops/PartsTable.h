#pragma once
#include "ReferenceLoops.h"

#include <sqlite3.h>

/// Rows in memory that a virtual table serves.
typedef struct {
  const reference_part *parts;
  size_t rows;
  const char *arena;
} parts_in_memory;

/// Gives a connection the virtual table `REFERENCE_PARTS_TABLE`, which serves what is in `parts` whenever
/// a statement reads it. `parts` must live as long as the connection.
int parts_table_register(sqlite3 *connection, const parts_in_memory *parts);
