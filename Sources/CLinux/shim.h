#pragma once
// Declarations missing in the module Glibc.
#include <malloc.h>
#include <sys/types.h>
#include <sys/xattr.h>

// The commands of fcntl for locks that belong to the open file, not to the process. <fcntl.h>
// declares them for _GNU_SOURCE only; the numbers are the same on every architecture.
static const int clinux_get_lock_of_opened_file = 36;  // F_OFD_GETLK
static const int clinux_lock_opened_file = 37;         // F_OFD_SETLK

// A Linux call, which the C library declares for _GNU_SOURCE only.
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);

static const int clinux_returned_block_bytes = M_MMAP_THRESHOLD;

static const int clinux_current_folder = -100;  // AT_FDCWD

/// Exchanges two names in one step (rename(2), `RENAME_EXCHANGE`).
static inline int clinux_exchange(const char *first, const char *second) {
  return renameat2(clinux_current_folder, first, clinux_current_folder, second, 2);
}
