import TestSupport

/// What tests may do on the machine that they run on.
enum Machine {
  /// Whether file systems can be mounted, in a namespace of one's own.
  static let canMount = succeeds("unshare -m mount --bind /dev/shm /dev/shm")

  private static func succeeds(_ script: String) -> Bool {
    (try? ChildProcess("/bin/sh", ["-c", script]).run().status) == 0
  }
}
