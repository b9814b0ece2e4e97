import Facts
import Glibc

/// The signals that ask the process to end: they are waited for by a thread, so what has to be done then
/// may take any call.
struct Signals {
  private var awaited = sigset_t()

  /// Keeps the signals from ending the process at once; threads that are started later do the same.
  ///
  /// One that the caller has the process ignore, as `nohup` does with SIGHUP, stays ignored.
  static func block() -> Signals {
    var signals = Signals()
    unsafe sigemptyset(&signals.awaited)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      unsafe sigaddset(&signals.awaited, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals.awaited, nil)
    return signals
  }

  /// Calls `end` with the first signal, on a thread of its own; a second one ends the process at once.
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
    // SIG_IGN is no function, and cannot be compared as one.
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  static func name(of number: Int32) -> String {
    switch number {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    default: "signal \(number)"
    }
  }
}
