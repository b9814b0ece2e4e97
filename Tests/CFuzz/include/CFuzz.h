#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer as a library: runs `callback` on one input after another, and exits the process.
int LLVMFuzzerRunDriver(
    int *argc, char ***argv, int (*callback)(const uint8_t *bytes, size_t count));

/// Lets all reads of this thread get the bytes given here instead of what their descriptors have.
///
/// Each read gets as many bytes as the next one of `pieces` says, which begin again at their end; for
/// 0 it fails once with EINTR. Behind the bytes is the end of the file, or, if `error` is not 0, that
/// error. What is pointed to must stay until the call of `serve_files`.
void serve_bytes(
    const uint8_t *bytes, size_t count, const uint8_t *pieces, size_t piece_count, int error);

/// Lets reads of this thread get what their descriptors have again.
void serve_files(void);
