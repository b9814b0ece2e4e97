import Foundation

/// What tests may do on the machine that they run on.
enum Machine {
  /// Whether file systems can be mounted, in a namespace of one's own.
  static let canMount = succeeds("unshare -m mount --bind /dev/shm /dev/shm")
  /// Whether strace is there and may look at other processes.
  static let canTrace = succeeds("strace -o /dev/null true")

  private static func succeeds(_ script: String) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "exec 2>/dev/null; " + script]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
