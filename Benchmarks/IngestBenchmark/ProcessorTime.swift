import Glibc

/// The seconds for which this thread keeps a processor busy during `body`, the system's included.
///
/// It does not go on while another program has the processor, as the time on the clock does.
func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
  let start = processorSeconds()
  try body()
  return processorSeconds() - start
}

private func processorSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
