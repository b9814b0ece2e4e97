import TestSupport

/// Abilities of the machine that tests run on.
enum Machine {
  /// Whether file systems can be mounted in a separate namespace.
  static let canMount = succeeds("unshare -m mount --bind /dev/shm /dev/shm")

  private static func succeeds(_ script: String) -> Bool {
    (try? ChildProcess("/bin/sh", ["-c", script]).run().status) == 0
  }
}
