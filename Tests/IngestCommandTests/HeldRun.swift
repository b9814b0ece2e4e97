import Foundation
import TestSupport
import Testing

/// A run of the command that waits at a call on a file until the test lets it go on, however fast the machine is.
///
/// Only the thread of that call waits.
final class HeldRun {
  let running: ChildProcess.Running
  private let file: String

  enum Call: String { case open, read, sync, rename }

  /// Lets the run go on.
  func release() throws { try FileManager.default.removeItem(atPath: file) }

  /// Lets the run go on, and waits for its end.
  @discardableResult
  func outcome(
    status: Int32? = nil, at location: SourceLocation = #_sourceLocation
  ) throws -> ChildProcess.Outcome {
    try release()
    return try running.outcome().expecting(status, location)
  }

  /// Starts a run, and returns when it has come to that call on a file whose path ends so.
  init(_ command: ChildProcess, _ call: Call, _ path: String, number: Int) throws {
    file = FileManager.default.temporaryDirectory.path + "/held-" + UUID().uuidString
    var command = command
    command.environment["LD_PRELOAD"] = try Self.shim.get()
    command.environment["HOLD_CALL"] = call.rawValue
    command.environment["HOLD_PATH"] = path
    command.environment["HOLD_NUMBER"] = String(number)
    command.environment["HOLD_FILE"] = file
    running = try command.start()
    while !FileManager.default.fileExists(atPath: file) {
      guard !running.hasEnded else {
        throw ChildProcess.Failure(description: "it never came there: \(try running.outcome())")
      }
      usleep(300)
    }
  }

  deinit { try? release() }

  /// `HOLD_FILE` is made when the call waits, and its removal ends that.
  private static let shim = preloadedLibrary(
    "hold",
    """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <stdarg.h>
    #include <stdatomic.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/syscall.h>
    #include <unistd.h>

    static void hold(const char *call, const char *path) {
      static atomic_int count;
      const char *kind = getenv("HOLD_CALL"), *end = getenv("HOLD_PATH"), *file = getenv("HOLD_FILE");
      if (!kind || !end || !file || strcmp(kind, call)) return;
      size_t length = strlen(path), tail = strlen(end);
      if (length < tail || strcmp(path + length - tail, end) ) return;
      if (atomic_fetch_add(&count, 1) + 1 != atoi(getenv("HOLD_NUMBER"))) return;
      syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, file, O_CREAT | O_WRONLY, 0666));
      while (syscall(SYS_faccessat, AT_FDCWD, file, F_OK) == 0) usleep(300);
    }

    static int open_as(int folder, const char *path, int flags, mode_t mode) {
      hold("open", path);
      return syscall(SYS_openat, folder, path, flags, mode);
    }

    #define MODE(flags) \\
      mode_t mode = 0; \\
      if (flags & O_CREAT) { \\
        va_list rest; \\
        va_start(rest, flags); \\
        mode = va_arg(rest, mode_t); \\
        va_end(rest); \\
      }

    int open(const char *path, int flags, ...) { MODE(flags); return open_as(AT_FDCWD, path, flags, mode); }
    int open64(const char *path, int flags, ...) { MODE(flags); return open_as(AT_FDCWD, path, flags, mode); }
    int openat(int folder, const char *path, int flags, ...) { MODE(flags); return open_as(folder, path, flags, mode); }

    static void hold_file(const char *call, int descriptor) {
      char link[32], path[4096];
      snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
      long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
      path[length > 0 ? length : 0] = 0;
      hold(call, path);
    }

    int fsync(int descriptor) {
      hold_file("sync", descriptor);
      return syscall(SYS_fsync, descriptor);
    }

    ssize_t read(int descriptor, void *bytes, size_t size) {
      hold_file("read", descriptor);
      return syscall(SYS_read, descriptor, bytes, size);
    }

    int rename(const char *from, const char *to) {
      hold("rename", from);
      return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    }
    """)
}

extension Command {
  /// Starts the command, held at a call, of which `number` counts from 1; `path` is the end of the file's path.
  func start(
    _ arguments: [String], by program: [String] = [], heldAt call: HeldRun.Call, _ path: String,
    number: Int = 1
  ) throws -> HeldRun {
    let words = program + [try Self.executable()] + arguments
    return try HeldRun(
      ChildProcess(words[0], Array(words.dropFirst()), folder: folder), call, path, number: number)
  }
}
