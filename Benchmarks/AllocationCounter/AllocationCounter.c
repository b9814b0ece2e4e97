#include "AllocationCounter.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stddef.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

bool allocations_are_counted(void) { return false; }

uint64_t allocation_count(void) { return 0; }

#else

// The names under which the GNU C library keeps its own functions for those who replace them:
// https://sourceware.org/glibc/manual/latest/html_node/Replacing-malloc.html
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Atomic uint64_t allocations;

static inline void count_one(void) {
  atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
}

bool allocations_are_counted(void) { return true; }

uint64_t allocation_count(void) {
  return atomic_load_explicit(&allocations, memory_order_relaxed);
}

void *malloc(size_t size) {
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_one();
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  count_one();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
    return EINVAL;
  }
  count_one();
  void *result = __libc_memalign(alignment, size);
  if (!result) return ENOMEM;
  *memory = result;
  return 0;
}

#endif

static sqlite3_mem_methods usual;
static _Atomic uint64_t allocations_of_sqlite;

static void *allocate_for_sqlite(int size) {
  atomic_fetch_add_explicit(&allocations_of_sqlite, 1, memory_order_relaxed);
  return usual.xMalloc(size);
}

static void *reallocate_for_sqlite(void *memory, int size) {
  atomic_fetch_add_explicit(&allocations_of_sqlite, 1, memory_order_relaxed);
  return usual.xRealloc(memory, size);
}

bool count_allocations_of_sqlite(void) {
  if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual) != SQLITE_OK) return false;
  sqlite3_mem_methods counting = usual;
  counting.xMalloc = allocate_for_sqlite;
  counting.xRealloc = reallocate_for_sqlite;
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &counting) == SQLITE_OK;
}

uint64_t allocation_count_of_sqlite(void) {
  return atomic_load_explicit(&allocations_of_sqlite, memory_order_relaxed);
}
