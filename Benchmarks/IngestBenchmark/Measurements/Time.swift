import Glibc

/// The seconds for which this thread keeps a processor busy during `body`, the system's included.
///
/// Unlike wall-clock time, it excludes the time of other programs.
func processorSeconds<Failure>(
  _ body: () throws(Failure) -> Void
) throws(Failure) -> Double {
  let start = seconds(CLOCK_THREAD_CPUTIME_ID)
  try body()
  return seconds(CLOCK_THREAD_CPUTIME_ID) - start
}

/// The seconds for which all threads of this process together keep a processor busy during `body`.
func processSeconds(_ body: () throws -> Void) rethrows -> Double {
  let start = seconds(CLOCK_PROCESS_CPUTIME_ID)
  try body()
  return seconds(CLOCK_PROCESS_CPUTIME_ID) - start
}

/// The seconds on the clock during `body`.
func clockSeconds(_ body: () throws -> Void) rethrows -> Double {
  let start = seconds(CLOCK_MONOTONIC)
  try body()
  return seconds(CLOCK_MONOTONIC) - start
}

private func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
