// Valgrind (3.19, Debian 12) writes into the mask that a program gives to sigsuspend, and dies of it
// when the mask is a constant, as it is in libdispatch's main thread. This hands it a copy.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
  sigset_t copy = *mask;
  return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}
