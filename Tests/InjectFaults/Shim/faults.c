// Preloaded into the command: one call on one of the run's own files does what it is told to.
//
// FAULTS_ROOT    the folder of the run; only calls on what is in it count
// FAULTS_LIST    a file that gets a line for every call, "KIND PATH"
// FAULTS_POINT   "KIND PATH NUMBER ACTION": the NUMBERth call of the kind on the path
// FAULTS_MALLOC  "NUMBER" or "NUMBER+": the NUMBERth allocation of SQLite and zlib fails, or all from
//                it on
// FAULTS_HIT     a file that is made when the point is reached
//
// Actions are wait (until FAULTS_HIT is gone), error=E (this call), error=E+ (this one and all later
// ones on the run's output), short, torn (half is written, and the process killed), kill-before,
// kill-after, power-loss-before and power-loss-after (the file system of the run's output forgets what
// it has not synced), and the lies: swallow (reported as done, and not done), swallow+ (so are all later
// calls of the kind), damage (one bit is changed on the way) and copy (a rename that is not atomic).
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

enum verdict { PASS, FAIL, KILL_AFTER, SHORT, TORN, SWALLOW, DAMAGE, COPY };

static const char *root, *hit, *point_action;
static char point_kind[16], point_path[PATH_MAX];
static int list = -1, point_number, point_error, lasting;
static atomic_int count, is_lasting;

static int loses_power;

static void lose_power(void) {
  char output[PATH_MAX];
  unsigned flags = 2;  // Not even the journal is written.
  snprintf(output, sizeof output, "%s/out", root);
  int folder = syscall(SYS_openat, AT_FDCWD, output, O_RDONLY | O_DIRECTORY);
  syscall(SYS_ioctl, folder, _IOR('X', 125, __u32), &flags);
}

static void die(void) {
  if (loses_power) lose_power();
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

static void reach(void) {
  if (hit) syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, hit, O_CREAT | O_WRONLY, 0666));
}

// The path below the root, without what differs between runs; NULL for all others.
static const char *own(const char *path, char *buffer) {
  static __thread char absolute[PATH_MAX];
  if (!path || !root) return NULL;
  if (path[0] != '/') {
    if (syscall(SYS_getcwd, absolute, sizeof absolute) < 0) return NULL;
    size_t length = strlen(absolute);
    snprintf(absolute + length, sizeof absolute - length, "/%s", path);
    path = absolute;
  }
  size_t length = strlen(root);
  if (strncmp(path, root, length) || (path[length] && path[length] != '/')) return NULL;
  snprintf(buffer, PATH_MAX, "%s", path[length] ? path + length + 1 : ".");
  char *deleted = strstr(buffer, " (deleted)");
  if (deleted) *deleted = 0;
  // Temporary files have random names, SQLite's and others.
  const char *beginnings[] = {"etilqs_", "/ingest_"};
  for (int i = 0; i < 2; i++) {
    char *random = strstr(buffer, beginnings[i]);
    if (random) random[strlen(beginnings[i])] = 0;
  }
  return buffer;
}

static const char *own_descriptor(int descriptor, char *buffer) {
  char link[32], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return NULL;
  path[length] = 0;
  return own(path, buffer);
}

static int takes_space(const char *kind) {
  return !strcmp(kind, "write") || !strcmp(kind, "create") || !strcmp(kind, "mkdir")
    || !strcmp(kind, "rename") || !strcmp(kind, "sync");
}

static enum verdict judge(const char *kind, const char *path) {
  if (!path) return PASS;
  if (list >= 0) {
    char line[PATH_MAX + 32];
    int length = snprintf(line, sizeof line, "%s %s\n", kind, path);
    syscall(SYS_write, list, line, length);
  }
  if (atomic_load(&is_lasting) && !strcmp(point_action, "swallow+"))
    return strcmp(kind, point_kind) ? PASS : SWALLOW;
  // A disk that is dead or full keeps nobody from making a thread.
  if (atomic_load(&is_lasting) && strncmp(path, "dumps", 5) && strcmp(kind, "thread")
      && (point_error != ENOSPC || takes_space(kind))) {
    errno = point_error;
    return FAIL;
  }
  if (!point_action || strcmp(kind, point_kind) || strcmp(path, point_path)
      || atomic_fetch_add(&count, 1) + 1 != point_number)
    return PASS;
  reach();
  if (!strcmp(point_action, "wait")) {
    // A caller of readdir distinguishes the end of a folder from a failure by it.
    int error = errno;
    while (hit && syscall(SYS_faccessat, AT_FDCWD, hit, F_OK) == 0) usleep(300);
    errno = error;
    return PASS;
  }
  loses_power = !strncmp(point_action, "power-loss", 10);
  if (!strcmp(point_action, "kill-before") || !strcmp(point_action, "power-loss-before")) die();
  if (!strcmp(point_action, "kill-after") || loses_power) return KILL_AFTER;
  if (!strcmp(point_action, "short")) return SHORT;
  if (!strcmp(point_action, "torn")) return TORN;
  if (!strcmp(point_action, "swallow")) return SWALLOW;
  if (!strcmp(point_action, "swallow+")) {
    atomic_store(&is_lasting, 1);
    return SWALLOW;
  }
  if (!strcmp(point_action, "damage")) return DAMAGE;
  if (!strcmp(point_action, "copy")) return COPY;
  if (lasting) atomic_store(&is_lasting, 1);
  errno = point_error;
  return FAIL;
}

static int number_of(const char *name) {
  static const struct { const char *name; int number; } errors[] = {
    {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EINTR", EINTR}, {"EMFILE", EMFILE}, {"ENFILE", ENFILE},
    {"ENOMEM", ENOMEM}, {"EACCES", EACCES}, {"EROFS", EROFS}, {"EDQUOT", EDQUOT},
    {"EAGAIN", EAGAIN},
  };
  size_t length = strcspn(name, "+");
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (strlen(errors[i].name) == length && !strncmp(errors[i].name, name, length))
      return errors[i].number;
  return EIO;
}

// The libraries in which an allocation can fail and the command go on: in Swift it cannot.
static struct { const char *name; char *start, *end; } libraries[] = {{"libsqlite3", 0, 0}, {"libz.", 0, 0}};
enum { library_count = sizeof libraries / sizeof *libraries };
static long malloc_number;
static int malloc_lasting;
static atomic_long malloc_count;

static int find_library(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  for (int library = 0; library < library_count; library++) {
    if (!info->dlpi_name || !strstr(info->dlpi_name, libraries[library].name)) continue;
    for (int i = 0; i < info->dlpi_phnum; i++) {
      if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
      char *start = (char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      char *end = start + info->dlpi_phdr[i].p_memsz;
      if (!libraries[library].start || start < libraries[library].start) libraries[library].start = start;
      if (end > libraries[library].end) libraries[library].end = end;
    }
  }
  return 0;
}

__attribute__((constructor)) static void prepare(void) {
  root = getenv("FAULTS_ROOT");
  hit = getenv("FAULTS_HIT");
  const char *path = getenv("FAULTS_LIST");
  if (path) list = syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
  // Out of the way of what the command opens, and of tests that count descriptors.
  if (list >= 0) list = syscall(SYS_fcntl, list, F_DUPFD_CLOEXEC, 900);
  const char *point = getenv("FAULTS_POINT");
  if (point && sscanf(point, "%15s %4095s %d", point_kind, point_path, &point_number) == 3) {
    point_action = strrchr(point, ' ') + 1;
    if (!strncmp(point_action, "error=", 6)) point_error = number_of(point_action + 6);
    lasting = point_action[strlen(point_action) - 1] == '+';
  }
  if (path || getenv("FAULTS_MALLOC")) dl_iterate_phdr(find_library, NULL);
  const char *allocation = getenv("FAULTS_MALLOC");
  if (allocation) {
    malloc_lasting = strchr(allocation, '+') != NULL;
    malloc_number = atol(allocation);
  }
}

__attribute__((destructor)) static void finish(void) {
  if (list < 0) return;
  char line[64];
  int length = snprintf(line, sizeof line, "allocations %ld\n", atomic_load(&malloc_count));
  syscall(SYS_write, list, line, length);
}

// The function that stands behind ours.
#define NEXT(name) \
  static __typeof__(name) *next; \
  if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define AROUND(kind, path, call, failed, lied) \
  do { \
    char buffer[PATH_MAX]; \
    switch (judge(kind, path)) { \
    case FAIL: return failed; \
    case SWALLOW: return lied; \
    case KILL_AFTER: (void)!(call); die(); \
    default: return call; \
    } \
  } while (0)

// ---- Opening

static int open_as(int folder, const char *path, int flags, mode_t mode) {
  const char *kind = flags & O_CREAT ? "create" : "open";
  AROUND(kind, own(path, buffer), syscall(SYS_openat, folder, path, flags, mode), -1, -1);
}

#define MODE(flags) \
  mode_t mode = 0; \
  if (flags & O_CREAT) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

int open(const char *path, int flags, ...) { MODE(flags); return open_as(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags); return open_as(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags); return open_as(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags); return open_as(folder, path, flags, mode); }
int creat(const char *path, mode_t mode) { return open_as(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

DIR *opendir(const char *path) {
  NEXT(opendir);
  AROUND("folder", own(path, buffer), next(path), NULL, NULL);
}

struct dirent *readdir(DIR *folder) {
  NEXT(readdir);
  AROUND("entry", own_descriptor(dirfd(folder), buffer), next(folder), NULL, NULL);
}

// ---- Reading and writing

ssize_t read(int descriptor, void *bytes, size_t size) {
  char buffer[PATH_MAX];
  switch (judge("read", own_descriptor(descriptor, buffer))) {
  case FAIL: return -1;
  case SHORT: if (size > 7) size = 7; break;
  case KILL_AFTER: die();
  default: break;
  }
  return syscall(SYS_read, descriptor, bytes, size);
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) {
  char buffer[PATH_MAX];
  switch (judge("read", own_descriptor(descriptor, buffer))) {
  case FAIL: return -1;
  case SHORT: size = (size + 1) / 2; break;
  case KILL_AFTER: die();
  default: break;
  }
  return syscall(SYS_pread64, descriptor, bytes, size, offset);
}
ssize_t pread64(int descriptor, void *bytes, size_t size, off_t offset) { return pread(descriptor, bytes, size, offset); }

// An offset below zero is that of the descriptor.
static ssize_t put(int descriptor, const void *bytes, size_t size, off_t offset) {
  return offset < 0 ? syscall(SYS_write, descriptor, bytes, size)
    : syscall(SYS_pwrite64, descriptor, bytes, size, offset);
}

static ssize_t write_as(int descriptor, const void *bytes, size_t size, off_t offset) {
  char buffer[PATH_MAX];
  ssize_t result;
  switch (judge("write", own_descriptor(descriptor, buffer))) {
  case FAIL: return -1;
  case SWALLOW: return size;
  case SHORT: return put(descriptor, bytes, (size + 1) / 2, offset);
  case TORN: put(descriptor, bytes, (size + 1) / 2, offset); die();
  case KILL_AFTER: put(descriptor, bytes, size, offset); die();
  case DAMAGE: {
    char *copy = malloc(size);
    memcpy(copy, bytes, size);
    copy[size - 1] ^= 4;
    result = put(descriptor, copy, size, offset);
    free(copy);
    return result;
  }
  default: return put(descriptor, bytes, size, offset);
  }
}

ssize_t write(int descriptor, const void *bytes, size_t size) { return write_as(descriptor, bytes, size, -1); }
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) { return write_as(descriptor, bytes, size, offset); }
ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off_t offset) { return write_as(descriptor, bytes, size, offset); }

int ftruncate(int descriptor, off_t size) {
  AROUND("truncate", own_descriptor(descriptor, buffer), syscall(SYS_ftruncate, descriptor, size), -1, 0);
}
int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

int fsync(int descriptor) {
  AROUND("sync", own_descriptor(descriptor, buffer), syscall(SYS_fsync, descriptor), -1, 0);
}
int fdatasync(int descriptor) {
  AROUND("sync", own_descriptor(descriptor, buffer), syscall(SYS_fdatasync, descriptor), -1, 0);
}

// ---- Names

static int copy_and_unlink(const char *from, const char *to) {
  char bytes[4096];
  int source = syscall(SYS_openat, AT_FDCWD, from, O_RDONLY);
  int target = syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  // What a power failure would find on the way.
  if (syscall(SYS_read, source, bytes, sizeof bytes) > 0) syscall(SYS_write, target, bytes, sizeof bytes);
  die();
  return 0;
}

static int rename_as(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  char buffer[PATH_MAX];
  switch (judge("rename", own(from, buffer))) {
  case FAIL: return -1;
  case SWALLOW: return 0;
  case COPY: return copy_and_unlink(from, to);
  case KILL_AFTER: syscall(SYS_renameat2, from_folder, from, to_folder, to, flags); die();
  default: return syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
  }
}
int rename(const char *from, const char *to) { return rename_as(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_folder, const char *from, int to_folder, const char *to) { return rename_as(from_folder, from, to_folder, to, 0); }
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) { return rename_as(from_folder, from, to_folder, to, flags); }

int link(const char *from, const char *to) {
  AROUND("link", own(to, buffer), syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0), -1, 0);
}
int unlink(const char *path) {
  AROUND("unlink", own(path, buffer), syscall(SYS_unlinkat, AT_FDCWD, path, 0), -1, 0);
}
int mkdir(const char *path, mode_t mode) {
  AROUND("mkdir", own(path, buffer), syscall(SYS_mkdirat, AT_FDCWD, path, mode), -1, 0);
}
int rmdir(const char *path) {
  AROUND("rmdir", own(path, buffer), syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR), -1, 0);
}

// ---- What is known of a file

int fchmod(int descriptor, mode_t mode) {
  AROUND("mode", own_descriptor(descriptor, buffer), syscall(SYS_fchmod, descriptor, mode), -1, 0);
}
int fchown(int descriptor, uid_t user, gid_t group) {
  AROUND("mode", own_descriptor(descriptor, buffer), syscall(SYS_fchown, descriptor, user, group), -1, 0);
}
int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags) {
  AROUND("mode", own_descriptor(descriptor, buffer), syscall(SYS_fsetxattr, descriptor, name, value, size, flags), -1, 0);
}
int flock(int descriptor, int operation) {
  AROUND("lock", own_descriptor(descriptor, buffer), syscall(SYS_flock, descriptor, operation), -1, 0);
}
static int fcntl_as(int descriptor, int command, void *argument) {
  int is_lock = (command == F_SETLK || command == F_OFD_SETLK) && ((struct flock *)argument)->l_type != F_UNLCK;
  if (!is_lock) return syscall(SYS_fcntl, descriptor, command, argument);
  AROUND("lock", own_descriptor(descriptor, buffer), syscall(SYS_fcntl, descriptor, command, argument), -1, 0);
}
int fcntl(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return fcntl_as(descriptor, command, argument);
}
int fcntl64(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return fcntl_as(descriptor, command, argument);
}
int stat(const char *path, struct stat *status) {
  NEXT(stat);
  AROUND("stat", own(path, buffer), next(path, status), -1, -1);
}
int lstat(const char *path, struct stat *status) {
  NEXT(lstat);
  AROUND("stat", own(path, buffer), next(path, status), -1, -1);
}
int fstat(int descriptor, struct stat *status) {
  NEXT(fstat);
  AROUND("stat", own_descriptor(descriptor, buffer), next(descriptor, status), -1, -1);
}
int stat64(const char *path, struct stat64 *status) {
  NEXT(stat64);
  AROUND("stat", own(path, buffer), next(path, status), -1, -1);
}
int lstat64(const char *path, struct stat64 *status) {
  NEXT(lstat64);
  AROUND("stat", own(path, buffer), next(path, status), -1, -1);
}
int fstat64(int descriptor, struct stat64 *status) {
  NEXT(fstat64);
  AROUND("stat", own_descriptor(descriptor, buffer), next(descriptor, status), -1, -1);
}
int access(const char *path, int mode) {
  AROUND("access", own(path, buffer), syscall(SYS_faccessat, AT_FDCWD, path, mode), -1, -1);
}
char *realpath(const char *path, char *resolved) {
  NEXT(realpath);
  AROUND("resolve", own(path, buffer), next(path, resolved), NULL, NULL);
}

// ---- Threads

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  NEXT(pthread_create);
  return judge("thread", "thread") == FAIL ? errno : next(thread, attributes, body, argument);
}

// ---- Memory

extern void *__libc_malloc(size_t), *__libc_realloc(void *, size_t);

static int is_of_library(char *caller) {
  for (int library = 0; library < library_count; library++)
    if (caller >= libraries[library].start && caller < libraries[library].end) return 1;
  return 0;
}

static int has_none(char *caller) {
  if (!is_of_library(caller)) return 0;
  long number = atomic_fetch_add(&malloc_count, 1) + 1;
  if (!malloc_number || number < malloc_number || (number > malloc_number && !malloc_lasting)) return 0;
  if (number == malloc_number) reach();
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) {
  return has_none(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void *realloc(void *old, size_t size) {
  return has_none(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
