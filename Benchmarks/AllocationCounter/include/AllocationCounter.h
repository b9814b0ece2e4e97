#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Counts what the whole process allocates, the libraries that it uses included: the functions of
   this module stand in place of those of the C library, which they call. */

/// Whether allocations are counted; a sanitizer has functions of its own in place.
bool allocations_are_counted(void);

/// The calls so far, of all threads, that gave out memory.
uint64_t allocation_count(void);

/// Has SQLite's own calls counted, too. To be called before the first use of SQLite.
/// Returns whether that worked.
bool count_allocations_of_sqlite(void);

/// Those among the calls that SQLite made.
uint64_t allocation_count_of_sqlite(void);
