#pragma once
// Declarations missing in the module Glibc.
#include <malloc.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

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

// Opens a file as a place only. <fcntl.h> declares it for _GNU_SOURCE only.
static const int clinux_place_only = 010000000;  // O_PATH

/// Opens a folder as a place only, if no symbolic link leads to it (openat2(2), since Linux 5.6).
static inline int clinux_open_direct_folder(const char *path) {
  struct {
    uint64_t flags, mode, resolve;
  } how = {.flags = clinux_place_only | 0200000 | 02000000, .resolve = 4};
  return (int)syscall(437, clinux_current_folder, path, &how, sizeof how);
}
