import TestSupport

/// What tests may do on the machine that they run on.
enum Machine {
  /// Whether file systems can be mounted, in a namespace of one's own.
  static let canMount = succeeds("unshare -m mount --bind /dev/shm /dev/shm")
  /// Whether strace is there and may look at other processes.
  static let canTrace = succeeds("strace -o /dev/null true")

  private static func succeeds(_ script: String) -> Bool {
    (try? ChildProcess("/bin/sh", ["-c", script]).run().status) == 0
  }
}
