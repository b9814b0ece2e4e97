#pragma once
// What the module Glibc leaves out.
#include <sys/types.h>
#include <sys/xattr.h>

// The commands of fcntl for locks that belong to the opened file and not to the process, which
// <fcntl.h> has for _GNU_SOURCE only; the numbers are the same on every architecture.
static const int clinux_get_lock_of_opened_file = 36;  // F_OFD_GETLK
static const int clinux_lock_opened_file = 37;         // F_OFD_SETLK
