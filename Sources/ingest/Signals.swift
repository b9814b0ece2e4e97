import Vocabulary
import Glibc

/// The signals that end the process; a thread waits for them, so the response to a signal may use any call.
struct Signals {
  private var awaited = sigset_t()

  /// Blocks the signals in this thread and all threads started later.
  ///
  /// A signal that the caller set to be ignored, as `nohup` does with SIGHUP, stays ignored.
  static func block() -> Signals {
    var signals = Signals()
    unsafe sigemptyset(&signals.awaited)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      unsafe sigaddset(&signals.awaited, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals.awaited, nil)
    return signals
  }

  /// Calls `end` with the first signal, on a separate thread; a second one ends the process at once.
  func watch(_ end: @escaping @Sendable (_ signal: Int32) -> Void) throws(IngestError) {
    _ = try startWorker("signals") { [awaited] in
      var awaited = awaited
      var number: Int32 = 0
      guard unsafe sigwait(&awaited, &number) == 0 else { return }
      unsafe pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
      end(number)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    // SIG_IGN is not a real function, and cannot be compared as one.
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  static func name(of number: Int32) -> String {
    [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"][number] ?? "signal \(number)"
  }
}
